import type { HttpProxy } from '../../model/http/proxy-address.ts';
import { classify } from './failures.ts';

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
