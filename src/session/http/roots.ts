import { existsSync, readFileSync } from 'node:fs';
import tls, { rootCertificates } from 'node:tls';

/** The roots that Node trusts by default; naming another root replaces them. */
export function usualRoots(): readonly string[] {
  // The oldest Node that petspec supports does not have it.
  const current = (tls as { getCACertificates?: (type: 'default') => string[] }).getCACertificates;
  if (current) return current('default');
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  return extra && existsSync(extra) ? [...rootCertificates, readFileSync(extra, 'utf8')] : rootCertificates;
}
