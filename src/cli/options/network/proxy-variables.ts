import { BlockList, isIP } from 'node:net';
import { UsageError } from '../../../model/usage-error.ts';

/**
 * The proxies for some addresses, from the environment variables `https_proxy`, `http_proxy`, `all_proxy` and
 * `no_proxy`, in lower case before upper case. It differs from curl in two points. A remote proxy is not used for
 * loopback addresses, which it cannot reach, so that it does not learn the key. And HTTP_PROXY, which curl ignores in
 * upper case, is ignored only if REQUEST_METHOD is set.
 * @returns proxy URLs, with user and password, by origin
 * @throws UsageError if a variable is not a proxy URL; it does not quote the value
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
    throw new UsageError(`${name}: not a valid proxy URL; expected one like http://proxy.example.com:3128`);
  if ([proxy.username, proxy.password].some((part) => /%(?![0-9a-f]{2})/i.test(part)))
    throw new UsageError(`${name}: invalid % in the user or password; write it as %25`);
  return proxy;
}

/** A variable that is not empty, in lower or upper case. */
function variable(env: NodeJS.ProcessEnv, name: string): [name: string, value: string] | undefined {
  // In a CGI program, HTTP_PROXY is the client's Proxy header ("httpoxy").
  const isOfClient = name === 'http_proxy' && env.REQUEST_METHOD !== undefined;
  for (const candidate of isOfClient ? [name] : [name, name.toUpperCase()]) {
    const value = env[candidate]?.trim();
    if (value) return [candidate, value];
  }
  return undefined;
}

/**
 * Whether NO_PROXY includes a host. An entry is `*`, a domain with its subdomains, an address or a block of addresses
 * (10.0.0.0/8), each with or without a port.
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

/** Whether a URL is on this machine, so that no network is involved. */
export function isLoopback({ hostname }: URL): boolean {
  const host = bare(hostname);
  if (isIP(host) !== 0) return isWithin(host, '127.0.0.0', '8') || isWithin(host, '::1', undefined);
  return host === 'localhost' || host.endsWith('.localhost');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

/** A host name to compare: without brackets and a final dot, in lower case. */
function bare(host: string): string {
  return host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
}
