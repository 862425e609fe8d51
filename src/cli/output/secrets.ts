import type { RunOptions } from '../../run/options.ts';
import { ownSecrets } from '../../session/secrets/own-secrets.ts';
import { type Redact, redactor } from '../../session/secrets/redact.ts';

/** Redacts the secrets of this process's runs in errors. */
let redact: Redact = (text) => text;

/** Adds the secrets of a run to those that `withoutSecrets` redacts. */
export function keepSecret({ apiKey = '', headers, network }: RunOptions): void {
  const earlier = redact;
  const own = redactor(apiKey, ownSecrets({ headers, ...(network ? { network } : {}) }));
  redact = (text) => own(earlier(text));
}

/** Redacts all known secrets in a text. */
export function withoutSecrets(text: string): string {
  return redact(text);
}
