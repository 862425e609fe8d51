import type { KeyKind } from '../probes/types.ts';
import type { HeaderLine } from './exchange.ts';
import { anySpelling, encodings } from './spellings.ts';

/** What stands in place of the key wherever petspec shows a request or what a target echoed of it. */
export const KEY_PLACEHOLDER = '$PETSPEC_API_KEY';

/** Keys shorter than this are replaced only as whole words: a key `a` is no reason to blank every `a`. */
const SHORT_KEY = 8;

const ECHOED = '[key]';

/** Replaces the key, and what nearly is the key, in what a target sent. */
export type Redact = (text: string) => string;

/**
 * Builds the redaction of one run, of the key and of other secrets of the user's, in every spelling of `spellings.ts`.
 * The placeholder is harmless inside a JSON string, so that a redacted body is judged as the original would be; a number
 * of a JSON text is left alone.
 */
export function redactor(key: string, others: readonly string[] = []): Redact {
  const secrets = [key, ...others].filter((each) => each !== '');
  if (secrets.length === 0) return (text) => text;
  const near = [key.slice(0, -1), otherCase(key)].filter((each) => each.length >= SHORT_KEY);
  const all = [...new Set([...secrets, ...near])].sort((left, right) => right.length - left.length);
  const encoded = all.flatMap(encodings).filter(({ length }) => length >= SHORT_KEY);
  const alternatives = [...all.map(anySpelling), ...encoded.map(({ pattern }) => pattern)];
  const pattern = new RegExp([...new Set(alternatives)].join('|'), 'gi');
  return (text) =>
    text.replace(pattern, (found: string, place: number) => {
      const [before, after] = [
        text.slice(Math.max(0, place - 40), place),
        text.slice(place + found.length, place + found.length + 40),
      ];
      const isPart = /^\d+$/.test(found)
        ? /\d$/.test(before) || /^\d/.test(after)
        : found.length < SHORT_KEY && (/\w$/.test(before) || /^\w/.test(after));
      return isPart || isJsonNumber(found, before, after) ? found : ECHOED;
    });
}

/** Digits that stand where a JSON text has a number: without them it would be no JSON any more. */
function isJsonNumber(found: string, before: string, after: string): boolean {
  return /^\d+$/.test(found) && /(?:"\s*:|[[,])\s*-?$/.test(before) && /^\s*(?:[,\]}]|$)/.test(after);
}

/** The value of the Authorization header for a kind of key; undefined sends none. */
export function authorization(kind: KeyKind, key: string): string | undefined {
  switch (kind) {
    case 'absent':
      return undefined;
    case 'empty':
      return 'Bearer ';
    case 'unknown':
      return 'Bearer petspec-unknown-key';
    case 'scheme':
      return `Basic ${key}`;
    case 'longer':
      return `Bearer ${key}x`;
    case 'shorter':
      return `Bearer ${key.slice(0, -1)}`;
    case 'case':
      return `Bearer ${otherCase(key)}`;
    case 'bare':
      return key;
    case 'valid':
      return `Bearer ${key}`;
  }
}

/** The Authorization header as it is shown, in a form that a shell understands: never with the key or nearly the key. */
function shownAuthorization(kind: KeyKind, sent: string): string {
  if (kind === 'longer') return `Bearer $\{PETSPEC_API_KEY}x`;
  if (kind === 'case' && sent.endsWith(OTHER_KEY)) return `Bearer $\{PETSPEC_API_KEY}${OTHER_KEY}`;
  if (kind === 'case') return 'Bearer $(printf %s "$PETSPEC_API_KEY" | tr A-Za-z a-zA-Z)';
  if (kind === 'shorter') return `Bearer $\{PETSPEC_API_KEY%?}`;
  return authorization(kind, KEY_PLACEHOLDER) ?? '';
}

/** Request headers as they are shown: the user's own (`--header`) are secrets, too. */
export function shownHeaders(
  headers: readonly HeaderLine[],
  kind: KeyKind,
  own: readonly HeaderLine[],
): HeaderLine[] {
  return headers.map(([name, value]) => {
    if (name.toLowerCase() === 'authorization') return [name, shownAuthorization(kind, value)];
    return [name, own.some((each) => each[0] === name && each[1] === value) ? '[hidden]' : value];
  });
}

/** What makes a key another one where its letters cannot. */
const OTHER_KEY = '-petspec';

/**
 * The key with its letters in the other case. One without letters is made another key; so is one that may be a UUID or
 * another number in hexadecimal digits, of which either case is the same.
 */
function otherCase(key: string): string {
  if (/^[\da-f-]*$/i.test(key)) return `${key}${OTHER_KEY}`;
  return [...key]
    .map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase()))
    .join('');
}
