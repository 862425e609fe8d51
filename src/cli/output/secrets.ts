import type { RunOptions } from '../../run/options.ts';
import { ownSecrets } from '../../session/secrets/own-secrets.ts';
import { type Redact, redactor } from '../../session/secrets/redact.ts';

/** Of the run of this process: whatever goes wrong in it, wherever it is told, passes through here. */
let redact: Redact = (text) => text;

/** From now on `withoutSecrets` knows the secrets of this run, too. */
export function keepSecret({ apiKey = '', headers, network }: RunOptions): void {
  const earlier = redact;
  const own = redactor(apiKey, ownSecrets({ headers, ...(network ? { network } : {}) }));
  redact = (text) => own(earlier(text));
}

/** A text as it may be shown, an error of petspec's own among others. */
export function withoutSecrets(text: string): string {
  return redact(text);
}
