import type { HeaderLine } from '../../model/exchange.ts';
import type { KeyKind } from '../../model/probe.ts';
import { literal } from './escapes.ts';

/** Replaces the key wherever petspec shows a request. */
const KEY_PLACEHOLDER = '$PETSPEC_API_KEY';

const VALUES: Readonly<Record<KeyKind, (key: string) => string | undefined>> = {
  valid: (key) => `Bearer ${key}`,
  absent: () => undefined,
  empty: () => 'Bearer ',
  unknown: () => 'Bearer petspec-unknown-key',
  scheme: (key) => `Basic ${key}`,
  longer: (key) => `Bearer ${longer(key)}`,
  shorter: (key) => `Bearer ${shorter(key)}`,
  case: (key) => `Bearer ${otherCase(key)}`,
  bare: (key) => key,
};

/** The value of the Authorization header for a kind of key; undefined sends none. */
export function authorization(kind: KeyKind, key: string): string | undefined {
  return VALUES[kind](key);
}

/** The wrong keys that are nearly the key. */
export function nearKeys(key: string): string[] {
  if (key === '') return [];
  return [longer(key), shorter(key), otherCase(key)];
}

/** Shell expansions of the variable that holds the key: in a shown request, only these are expanded. */
const BRACED = `$\{PETSPEC_API_KEY}`;
const SHORTER = `$\{PETSPEC_API_KEY%?}`;
const OTHER_CASE = '$(printf %s "$PETSPEC_API_KEY" | tr A-Za-z a-zA-Z)';

/** Splits a text at the expansions, and keeps them. */
export const KEY_EXPANSION = new RegExp(
  `(${[OTHER_CASE, SHORTER, BRACED].map(literal).join('|')}|${literal(KEY_PLACEHOLDER)}(?!\\w))`,
);

/** The Authorization header as it is shown: a shell expands it, and it never contains the key or a near key. */
function shownAuthorization(kind: KeyKind, sent: string): string {
  if (kind === 'longer') return `Bearer ${BRACED}x`;
  if (kind === 'case' && sent.endsWith(OTHER_KEY)) return `Bearer ${BRACED}${OTHER_KEY}`;
  if (kind === 'case') return `Bearer ${OTHER_CASE}`;
  if (kind === 'shorter') return `Bearer ${SHORTER}`;
  return authorization(kind, KEY_PLACEHOLDER) ?? '';
}

/** Request headers as they are shown; the user's own (`--header`) are hidden. */
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

const longer = (key: string) => `${key}x`;
const shorter = (key: string) => key.slice(0, -1);

/** Makes another key of one whose letters may be in either case. */
const OTHER_KEY = '-petspec';

/**
 * The key with its letters in the other case. A key without letters, or one that may be a hexadecimal number such as a
 * UUID, gets a suffix instead: there the case may not matter.
 */
function otherCase(key: string): string {
  if (/^[\da-f-]*$/i.test(key)) return `${key}${OTHER_KEY}`;
  return [...key]
    .map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase()))
    .join('');
}
