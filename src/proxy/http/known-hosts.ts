import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/**
 * Whether a request may come to a server by the name that its Host has. A page of another site may have its own name lead
 * here (DNS rebinding), but it can neither be an address nor a name that the server was told.
 * @param names that it was told
 * @param certificate PEM, with names that clients verify
 */
export function knownHosts(names: readonly string[], certificate?: string): (authority?: string) => boolean {
  const verified = certificate === undefined ? undefined : new X509Certificate(certificate);
  const own = new Set(['localhost', ...names].map((each) => each.toLowerCase()));
  return (authority = '') => {
    const name = hostnameOf(authority).toLowerCase();
    return isIP(name) !== 0 || own.has(name) || verified?.checkHost(name) !== undefined;
  };
}

/** `[::1]:8090` is `::1`. */
function hostnameOf(authority: string): string {
  return authority.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
}
