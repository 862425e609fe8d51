import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Place } from './listen.ts';

/**
 * Whether a request may come to a server by the name that its Host has. A page of another site may have its own name lead
 * here (DNS rebinding), but it can neither be an address nor a name that the server was told.
 * @param names that the user allows
 */
export function knownHosts({ host, tls }: Place, names: readonly string[]): (authority?: string) => boolean {
  const certificate = tls && new X509Certificate(tls.certificate);
  const own = new Set(['localhost', host, ...names].map((each) => each.toLowerCase()));
  return (authority = '') => {
    const name = hostnameOf(authority).toLowerCase();
    return isIP(name) !== 0 || own.has(name) || certificate?.checkHost(name) !== undefined;
  };
}

/** `[::1]:8090` is `::1`. */
function hostnameOf(authority: string): string {
  return authority.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
}
