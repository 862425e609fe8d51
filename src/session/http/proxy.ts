import { classify } from './failures.ts';

/** A proxy, and how to authenticate to it. */
export interface HttpProxy {
  /** Its address without user and password, to be shown. */
  name: string;
  origin: string;
  /** The value of Proxy-Authorization (RFC 9110 section 11.7.2), if the address names a user. */
  authorization?: string;
}

/** @param address as in HTTPS_PROXY, user and password included */
export function proxyAt(address: string): HttpProxy {
  const { origin, username, password } = new URL(address);
  const user = Buffer.from(credentials(username, password)).toString('base64');
  return { name: origin, origin, ...(username === '' ? {} : { authorization: `Basic ${user}` }) };
}

/** The secrets in a proxy's address, encoded and decoded; a user without a password is a token. */
export function proxySecrets(address: string): string[] {
  const { username, password } = new URL(address);
  if (username === '' && password === '') return [];
  const both = credentials(username, password);
  return [decodeURIComponent(password || username), both, Buffer.from(both).toString('base64')];
}

function credentials(username: string, password: string): string {
  return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
}

/** The proxy fails: a problem of the user's set-up, not of the service. */
export class ProxyProblem extends Error {
  override name = 'ProxyProblem';
}

/** The proxy cannot be reached, or does not speak HTTP. */
export function proxyFailed({ name }: HttpProxy, error: unknown): ProxyProblem {
  return new ProxyProblem(`the proxy ${name} cannot be used: ${classify(error).message}`);
}

/** The proxy responded instead of the service. @param authority host and port of the service */
export function proxyRefused(
  { name, authorization }: HttpProxy,
  status: number,
  authority: string,
): ProxyProblem {
  if (status !== 407)
    return new ProxyProblem(`the proxy ${name} responded ${status} instead of connecting to ${authority}`);
  const what =
    authorization === undefined
      ? 'asks for a user and a password; state them as http://user:password@host:port'
      : 'refuses the user and the password in its address';
  return new ProxyProblem(`the proxy ${name} responded 407: it ${what}`);
}
