import { classify } from './failures.ts';

/** A proxy, and what it wants to be told. */
export interface HttpProxy {
  /** Its address without user and password: what may be shown. */
  name: string;
  origin: string;
  /** The value of Proxy-Authorization (RFC 9110 section 11.7.2), where its address names a user. */
  authorization?: string;
}

/** @param address as in HTTPS_PROXY, user and password included */
export function proxyAt(address: string): HttpProxy {
  const { origin, username, password } = new URL(address);
  const user = Buffer.from(credentials(username, password)).toString('base64');
  return { name: origin, origin, ...(username === '' ? {} : { authorization: `Basic ${user}` }) };
}

/** What of a proxy's address is to be shown nowhere, as it is sent and decoded: a user without a password is a token. */
export function proxySecrets(address: string): string[] {
  const { username, password } = new URL(address);
  if (username === '' && password === '') return [];
  const both = credentials(username, password);
  return [decodeURIComponent(password || username), both, Buffer.from(both).toString('base64')];
}

function credentials(username: string, password: string): string {
  return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
}

/** The proxy is in the way: a problem of the user's set-up, never of the service. */
export class ProxyProblem extends Error {
  override name = 'ProxyProblem';
}

/** It cannot be reached, or speaks no HTTP. */
export function proxyFailed({ name }: HttpProxy, error: unknown): ProxyProblem {
  return new ProxyProblem(`the proxy ${name} cannot be used: ${classify(error).message}`);
}

/** It answered in place of the service. @param authority host and port of the service */
export function proxyRefused(
  { name, authorization }: HttpProxy,
  status: number,
  authority: string,
): ProxyProblem {
  if (status !== 407)
    return new ProxyProblem(`the proxy ${name} answered ${status} instead of passing on to ${authority}`);
  const what =
    authorization === undefined
      ? 'asks for a user and a password: its address takes them, as http://user:password@host:port'
      : 'refuses the user and the password in its address';
  return new ProxyProblem(`the proxy ${name} answered 407: it ${what}`);
}
