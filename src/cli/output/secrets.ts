import { visible } from '../../model/visible.ts';
import type { RunOptions } from '../../run/options.ts';
import { basicSecrets, ownSecrets, tokenSecrets } from '../../secrets/own-secrets.ts';
import { redactor } from '../../secrets/redact.ts';

type Secrets = Pick<RunOptions, 'apiKey' | 'secondKey' | 'headers' | 'network'>;

/** The secrets of this process's runs. What finds them is made for the first error: most processes print none. */
const kept: Secrets[] = [];
let redactors: ((text: string) => string)[] = [];

/** Adds the secrets of a run to those that `withoutSecrets` redacts. */
export function keepSecret(secrets: Secrets): void {
  kept.push(secrets);
}

/** Redacts all known secrets in a text. */
export function withoutSecrets(text: string): string {
  redactors = kept.map((each, index) => redactors[index] ?? redactorOf(each));
  return redactors.reduce((shown, redact) => redact(shown), text);
}

function redactorOf({ apiKey = '', secondKey, headers, network }: Secrets): (text: string) => string {
  // Which interface it is may not be known yet: a key with a colon may be user and password.
  const own = [
    ...basicSecrets(apiKey),
    ...tokenSecrets(apiKey),
    ...(secondKey === undefined ? [] : [secondKey, ...basicSecrets(secondKey), ...tokenSecrets(secondKey)]),
    ...ownSecrets({ headers, ...(network ? { network } : {}) }),
  ];
  return redactor(apiKey, own);
}

/** The exit status of a bug of petspec. */
export const BUG = 4;

/** A longer message quotes something, and that may contain a secret in a form that redaction does not know. */
const MAX_MESSAGE = 1_000;

/** A bug of petspec in one line, without secrets. @param redact replaces them; it may be the bug */
export function bugLine(error: unknown, redact = withoutSecrets): string {
  const name = error instanceof Error ? error.name : 'Error';
  const message = error instanceof Error ? error.message : String(error);
  const shown = message.length > MAX_MESSAGE ? undefined : redacted(message, redact);
  const bug = shown === undefined ? `${name} (message hidden)` : `${name}: ${shown}`;
  return `internal error, which says nothing about the target: ${visible(bug)}`;
}

/** The stack of a bug without secrets: only its places if the message is hidden. */
export function bugStack({ message, stack = '' }: Error, redact = withoutSecrets): string {
  const shown = message.length > MAX_MESSAGE ? undefined : redacted(stack, redact);
  if (shown !== undefined) return shown;
  const place = stack.indexOf(message);
  return place < 0 ? '' : stack.slice(place + message.length).trimStart();
}

/** A text without secrets; undefined if redaction itself fails, as it may be the bug. */
function redacted(text: string, redact: (text: string) => string): string | undefined {
  try {
    return redact(text);
  } catch {
    return undefined;
  }
}
