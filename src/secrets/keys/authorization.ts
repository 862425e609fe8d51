import type { Credential, Operation } from '../../model/contract.ts';
import type { HeaderLine } from '../../model/exchange.ts';
import type { KeyKind } from '../../model/probe.ts';
import { literal } from '../decode.ts';

/** Replaces the key wherever petspec shows a request. */
export const KEY_PLACEHOLDER = '$PETSPEC_API_KEY';

/** Replaces the valid key of another user. */
export const SECOND_PLACEHOLDER = '$PETSPEC_SECOND_KEY';

/** The keys of a run. No service knows `unknownKey`, which has the form of the right key. */
export interface Keys {
  apiKey: string;
  unknownKey: string;
  /** The valid key of another user. */
  secondKey?: string | undefined;
}

const VALUES: Readonly<Record<KeyKind, (key: string, unknown: string) => string | undefined>> = {
  valid: (key) => `Bearer ${key}`,
  // Sent as `valid`, with the key of the other user.
  second: () => undefined,
  absent: () => undefined,
  empty: () => 'Bearer ',
  unknown: (_key, unknown) => `Bearer ${unknown}`,
  scheme: (key) => `Basic ${key}`,
  longer: (key) => `Bearer ${longer(key)}`,
  shorter: (key) => `Bearer ${shorter(key)}`,
  case: (key) => `Bearer ${swappedCase(key)}`,
  followed: (key) => `Bearer ${key} x`,
  bare: (key) => key,
};

/** The header that carries a kind of key; undefined sends none. */
export function credentialLine(
  kind: KeyKind,
  { apiKey: key, unknownKey: unknown, secondKey }: Keys,
  credential?: Credential,
): { in: Credential['in']; name: string; value: string } | undefined {
  if (kind === 'second') {
    const keys = { apiKey: secondKey ?? '', unknownKey: unknown };
    return secondKey === undefined ? undefined : credentialLine('valid', keys, credential);
  }
  const isBearer = credential === undefined || credential.scheme === 'Bearer';
  const value = isBearer
    ? authorization(kind, key, unknown)
    : nonBearerCredential(kind, key, unknown, credential);
  if (value === undefined) return undefined;
  const { in: place = 'header', name = 'authorization' } = credential ?? {};
  return { in: place, name: place === 'header' ? name.toLowerCase() : name, value };
}

/** The query of an address as it is shown: without the key, which a shell expands. */
export function shownQuery(
  url: URL,
  kind: KeyKind,
  { credential, secured, isKeyOptional }: Pick<Operation, 'credential' | 'secured' | 'isKeyOptional'>,
): string {
  if (!(secured || isKeyOptional) || credential?.in !== 'query') return url.search;
  const placeholder = kind === 'second' ? SECOND_PLACEHOLDER : shownKey(kind, KEY_PLACEHOLDER);
  if (!isOfKey(kind)) return url.search;
  const name = new URLSearchParams([[credential.name, '']]).toString().replaceAll('+', '%20');
  const parts = url.search.slice(1).split('&');
  return `?${parts.map((part) => (part.startsWith(name) ? `${name}${placeholder}` : part)).join('&')}`;
}

/** The credential of a scheme other than Bearer. Wrong keys that have no form there are sent as the unknown key. */
function nonBearerCredential(
  kind: KeyKind,
  key: string,
  unknown: string,
  credential: Credential,
): string | undefined {
  if (kind === 'absent') return undefined;
  const text = textOf(kind, key, unknown);
  if (credential.scheme === 'Basic') return `Basic ${Buffer.from(text).toString('base64')}`;
  return credential.in === 'cookie' ? `${credential.name}=${text}` : text;
}

function textOf(kind: KeyKind, key: string, unknown: string): string {
  switch (kind) {
    case 'valid':
      return key;
    case 'empty':
      return '';
    case 'longer':
      return longer(key);
    case 'shorter':
      return shorter(key);
    default:
      return unknown;
  }
}

/**
 * The value of the Authorization header for a kind of key; undefined sends none. A wrong key that a lenient service may take for
 * the right one gets a suffix.
 * @param unknown the key that no service knows
 */
export function authorization(kind: KeyKind, key: string, unknown: string): string | undefined {
  const value = VALUES[kind](key, unknown);
  if (kind === 'valid' || value === undefined || key === '') return value;
  return comparableForm(value) === comparableForm(`Bearer ${key}`) ? `Bearer ${key}${OTHER_KEY}` : value;
}

/** The wrong keys that are nearly the right key. */
const NEAR: readonly KeyKind[] = ['longer', 'shorter', 'case'];

/** The texts of the keys that are nearly the right key. */
export function nearKeys(key: string): string[] {
  if (key === '') return [];
  return [longer(key), shorter(key), swappedCase(key), `${key}${OTHER_KEY}`];
}

/** A key of fewer characters may be a word, and have the key of somebody else as its beginning. */
const MIN_KEY = 8;

/**
 * Whether every service that a document may describe sees another key in a near key. A service may ignore what comes after the last
 * letter, such as padding, and the bits that are left over where base64 ends, such as those of a JSON Web Token. A key that ends with
 * a number may have others that differ in the number alone.
 */
export function hasNearKeys(key: string): boolean {
  const mayEndEarlier = !/[a-z\d]$/i.test(key) || /\.(?:[\w-]{4})+$/.test(key);
  return key.length >= MIN_KEY && !mayEndEarlier && !/[-_.:]\d{1,4}$/.test(key);
}

/** Whether a request with this kind of key shows the key, or nearly so. */
export function isOfKey(kind: KeyKind): boolean {
  return kind === 'valid' || kind === 'second' || isNear(kind);
}

/** Whether this kind of key differs from the right one in its last character. */
export function isNear(kind: KeyKind): boolean {
  return kind === 'longer' || kind === 'shorter';
}

/** A key as it is shown, for a shell to expand. @param placeholder the variable that holds the right key */
export function shownKey(kind: KeyKind, placeholder: string): string {
  if (kind === 'longer') return `$\{${placeholder.slice(1)}}x`;
  return kind === 'shorter' ? `$\{${placeholder.slice(1)}%?}` : placeholder;
}

/** A pattern for what {@link shownKey} makes of near keys. */
export const NEAR_PLACEHOLDERS = '\\$\\{PETSPEC_(?:API_KEY|KEY_[A-Z\\d_]+)(?:%\\?\\}|\\}x)';

/** Shell expansions of the variable that holds the key: in a shown request, only these are expanded. */
const BRACED = `$\{PETSPEC_API_KEY}`;
const SHORTER = `$\{PETSPEC_API_KEY%?}`;
export const IN_BASE64 = '$(printf %s "$PETSPEC_API_KEY" | base64 | tr -d "\\n")';
const SECOND_IN_BASE64 = IN_BASE64.replace(KEY_PLACEHOLDER, () => SECOND_PLACEHOLDER);
const OTHER_CASE = '$(printf %s "$PETSPEC_API_KEY" | tr A-Za-z a-zA-Z)';

/** A pattern for the placeholders of keys. If a request needs several keys, each placeholder names the scheme of its key. */
export const PLACEHOLDERS = `(?:${literal(KEY_PLACEHOLDER)}|${literal(SECOND_PLACEHOLDER)}|\\$PETSPEC_(?:SECOND_)?KEY_[A-Z\\d_]+)(?!\\w)`;
const NAMED_IN_BASE64 = IN_BASE64.split(KEY_PLACEHOLDER)
  .map(literal)
  .join('\\$PETSPEC_(?:SECOND_)?KEY_[A-Z\\d_]+');

const NAMED_BRACED = '\\$\\{PETSPEC_KEY_[A-Z\\d_]+(?:%\\?)?\\}';

/** Splits a text at the expansions, and keeps them. */
export const KEY_EXPANSION = new RegExp(
  `(${[...[IN_BASE64, SECOND_IN_BASE64, OTHER_CASE, SHORTER, BRACED].map(literal), NAMED_IN_BASE64, NAMED_BRACED, PLACEHOLDERS].join('|')})`,
);

/** The Authorization header as it is shown: a shell expands it, and it never contains the key or a near key. */
function shownAuthorization(kind: KeyKind, sent: string): string {
  if (NEAR.includes(kind) && sent.endsWith(OTHER_KEY)) return `Bearer ${BRACED}${OTHER_KEY}`;
  if (isNear(kind)) return `Bearer ${shownKey(kind, KEY_PLACEHOLDER)}`;
  if (kind === 'case') return `Bearer ${OTHER_CASE}`;
  // It is nobody's key.
  if (kind === 'unknown') return sent;
  if (kind === 'second') return `Bearer ${SECOND_PLACEHOLDER}`;
  return authorization(kind, KEY_PLACEHOLDER, '') ?? '';
}

/** The credential of a scheme other than Bearer as it is shown, for a shell to expand. A wrong key is no secret. */
function shownCredential(kind: KeyKind, sent: string, credential: Credential): string {
  if (!isOfKey(kind)) return sent;
  const isSecond = kind === 'second';
  // A near key is sent only where nothing comes before it.
  if (isNear(kind)) return shownKey(kind, KEY_PLACEHOLDER);
  if (credential.scheme === 'Basic') return `Basic ${isSecond ? SECOND_IN_BASE64 : IN_BASE64}`;
  const placeholder = isSecond ? SECOND_PLACEHOLDER : KEY_PLACEHOLDER;
  return nonBearerCredential('valid', placeholder, '', credential) ?? '';
}

/** The cookies of a request as they are shown; one carries the key. */
function shownCookies(value: string, kind: KeyKind, credential: Credential): string {
  const isKey = (part: string) => part.startsWith(`${credential.name}=`);
  return value
    .split('; ')
    .map((part) => (isKey(part) ? shownCredential(kind, part, credential) : part))
    .join('; ');
}

/** Request headers as they are shown; the user's own (`--header`) are hidden. */
export function shownHeaders(
  headers: readonly HeaderLine[],
  kind: KeyKind,
  userHeaders: readonly HeaderLine[],
  credential?: Credential,
): HeaderLine[] {
  const isNonBearer = credential !== undefined && credential.scheme !== 'Bearer';
  const carrier = isNonBearer ? carrierOf(kind, credential) : undefined;
  return headers.map(([name, value]) => {
    const isOfUser = userHeaders.some((line) => line[0] === name && line[1] === value);
    if (isNonBearer && carrier === name.toLowerCase() && !isOfUser)
      return [
        name,
        credential.in === 'cookie'
          ? shownCookies(value, kind, credential)
          : shownCredential(kind, value, credential),
      ];
    if (name.toLowerCase() === 'authorization') return [name, shownAuthorization(kind, value)];
    return [name, isOfUser ? '[hidden]' : value];
  });
}

/** The name of the header that carries the key, if one does. */
function carrierOf(kind: KeyKind, credential: Credential): string | undefined {
  const line = credentialLine(kind, { apiKey: '', unknownKey: '', secondKey: '' }, credential);
  if (!line || line.in === 'query') return undefined;
  return line.in === 'cookie' ? 'cookie' : line.name;
}

const longer = (key: string) => `${key}x`;
const shorter = (key: string) => key.slice(0, -1);

const swappedCase = (key: string) =>
  [...key]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join('');

/** Makes a key differ in whatever form a service compares keys. */
const OTHER_KEY = '-petspec';

/** Keys that a service may compare without regard to case: hexadecimal digits, such as a UUID or an IP address, or a ULID. */
const ANY_CASE = /^(?:0x|urn:uuid:|\{)?[\da-f.:_-]*\}?$|^[0-7][\da-hjkmnp-tv-z]{25}$/i;

/**
 * The form of a header that a lenient service may compare: with the scheme in lower case, without surrounding blanks, escapes and
 * padding (RFC 9110 section 5.5 and 11.1, RFC 3986 section 2.3, RFC 4648 section 3.2).
 */
function comparableForm(value: string): string {
  const [, scheme = '', text = ''] = /^(\S+) *(.*)$/.exec(value.trim()) ?? [];
  const decoded = text
    .replaceAll(/%([\da-f]{2})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replace(/=+$/, '');
  return `${scheme.toLowerCase()} ${ANY_CASE.test(decoded) ? decoded.toLowerCase() : decoded}`;
}
