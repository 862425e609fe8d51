import { BlockList, isIP } from 'node:net';
import { UsageError } from '../../run/options.ts';

/**
 * The proxies that the environment names for some addresses, read as curl reads it: `https_proxy`, `http_proxy`,
 * `all_proxy` and `no_proxy`, in lower case before upper case. Two differences: a proxy elsewhere is not asked for this
 * machine's own loopback addresses, which it could not reach, and would learn the key for; and HTTP_PROXY, which curl
 * never reads in upper case, is ignored only where REQUEST_METHOD is set.
 * @returns addresses of proxies, user and password included, by the origin that they lead to
 * @throws UsageError where a variable that is needed holds no address of a proxy; it does not quote it
 */
export function proxiesFor(addresses: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  const proxies: Record<string, string> = {};
  for (const address of addresses) {
    const url = new URL(address);
    const proxy = proxyFor(url, env);
    if (proxy && !(isLoopback(url) && !isLoopback(proxy))) proxies[url.origin] = proxy.href;
  }
  return proxies;
}

function proxyFor(url: URL, env: NodeJS.ProcessEnv): URL | undefined {
  const scheme = url.protocol.slice(0, -1);
  const [name, value] = variable(env, `${scheme}_proxy`) ?? variable(env, 'all_proxy') ?? [];
  if (name === undefined || value === undefined) return undefined;
  if (isExempt(url, variable(env, 'no_proxy')?.[1] ?? '')) return undefined;
  const text = value.includes('://') ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy?.protocol !== 'http:' && proxy?.protocol !== 'https:')
    throw new UsageError(
      `${name}: is no address of an http or https proxy; it looks like http://proxy.example.com:3128`,
    );
  if ([proxy.username, proxy.password].some((part) => /%(?![0-9a-f]{2})/i.test(part)))
    throw new UsageError(`${name}: a % in the user or the password is written %25`);
  return proxy;
}

/** A variable that holds something, under the name that it has. */
function variable(env: NodeJS.ProcessEnv, name: string): [name: string, value: string] | undefined {
  // Below a web server (CGI), HTTP_PROXY is what a client sent as its Proxy header ("httpoxy").
  const isOfClient = name === 'http_proxy' && env.REQUEST_METHOD !== undefined;
  for (const each of isOfClient ? [name] : [name, name.toUpperCase()]) {
    const value = env[each]?.trim();
    if (value) return [each, value];
  }
  return undefined;
}

/**
 * Whether NO_PROXY names a host: `*`; a name, which stands for what is below it as well; an address, or a block of
 * them (10.0.0.0/8); any of them with a port.
 */
function isExempt(url: URL, list: string): boolean {
  const host = bare(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, name = '', only] = /^(\[.*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? [];
      return (only === undefined || only === port) && (name === '*' || isNamed(host, bare(name)));
    });
}

function isNamed(host: string, name: string): boolean {
  const [address = '', bits] = name.split('/');
  if (isIP(address) !== 0) return isIP(host) !== 0 && isWithin(host, address, bits);
  const domain = name.replace(/^\*?\./, '');
  return domain !== '' && (host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`)));
}

function isWithin(host: string, address: string, bits: string | undefined): boolean {
  const most = isIP(address) === 4 ? 32 : 128;
  const length = bits === undefined ? most : Number(bits);
  if (!Number.isInteger(length) || length < 0 || length > most) return false;
  const block = new BlockList();
  block.addSubnet(address, length, familyOf(address));
  return block.check(host, familyOf(host));
}

/** Whether an address is this machine's own, which no network is on the way to. */
export function isLoopback({ hostname }: URL): boolean {
  const host = bare(hostname);
  if (isIP(host) !== 0) return isWithin(host, '127.0.0.0', '8') || isWithin(host, '::1', undefined);
  return host === 'localhost' || host.endsWith('.localhost');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

/** A host as names are compared: without brackets and the dot of the root, in lower case. */
function bare(host: string): string {
  return host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
}
