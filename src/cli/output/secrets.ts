import type { RunOptions } from '../../run/options.ts';
import { basicSecrets, ownSecrets, tokenSecrets } from '../../secrets/keys/own-secrets.ts';
import { redactor } from '../../secrets/redact.ts';
import { redactBugsWith } from './bugs.ts';

type Secrets = Pick<RunOptions, 'apiKey' | 'secondKey' | 'keys' | 'secondKeys' | 'headers' | 'network'>;

/** The secrets of this process's runs. Redactors are made for the first error: most processes print none. */
const kept: Secrets[] = [];
let redactors: ((text: string) => string)[] = [];

/** Adds the secrets of a run to those that `withoutSecrets` redacts. */
export function keepSecret(secrets: Secrets): void {
  kept.push(secrets);
  redactBugsWith(withoutSecrets);
}

/** Redacts all known secrets in a text. */
export function withoutSecrets(text: string): string {
  redactors = kept.map((each, index) => redactors[index] ?? redactorOf(each));
  return redactors.reduce((shown, redact) => redact(shown), text);
}

function redactorOf({
  apiKey = '',
  secondKey,
  keys = {},
  secondKeys = {},
  headers,
  network,
}: Secrets): (text: string) => string {
  // The interface may not be known yet: a key with a colon may be user and password.
  const furtherKeys = [
    ...(secondKey === undefined ? [] : [secondKey]),
    ...Object.values(keys),
    ...Object.values(secondKeys),
  ];
  const derived = [
    ...furtherKeys,
    ...[apiKey, ...furtherKeys].flatMap((key) => [...basicSecrets(key), ...tokenSecrets(key)]),
    ...ownSecrets({ headers, network }),
  ];
  return redactor(apiKey, derived);
}
