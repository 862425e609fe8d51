import type { KeyKind } from '../probes/types.ts';
import type { HeaderLine } from './exchange.ts';

/** What stands in place of the key wherever petspec shows a request or what a target echoed of it. */
export const KEY_PLACEHOLDER = '$PETSPEC_API_KEY';

/** Keys shorter than this are replaced only as whole words: a key `a` is no reason to blank every `a`. */
const SHORT_KEY = 8;

const ECHOED = '[key]';

/** Replaces the key, and what nearly is the key, in what a target sent. */
export type Redact = (text: string) => string;

/**
 * Builds the redaction of one run. Plain, percent-encoded, base64 and JSON-escaped forms are covered; the placeholder
 * is harmless inside a JSON string, so that a redacted body is judged as the original would be.
 */
export function redactor(key: string): Redact {
  if (key === '') return (text) => text;
  const near = key.slice(0, -1);
  const forms = [
    key,
    encodeURIComponent(key),
    JSON.stringify(key).slice(1, -1),
    base64(key),
    base64url(key),
    base64(`Bearer ${key}`),
  ];
  if (near.length >= SHORT_KEY) forms.push(near);
  forms.push(otherCase(key));
  const alternatives = [...new Set(forms)]
    .sort((left, right) => right.length - left.length)
    .map(escapePattern);
  const word = key.length < SHORT_KEY || /^\d+$/.test(key);
  const pattern = new RegExp(
    word ? `(?<=^|["'\\s])(?:${alternatives.join('|')})(?=["'\\s]|$)` : alternatives.join('|'),
    'g',
  );
  return (text) => text.replace(pattern, ECHOED);
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
function shownAuthorization(kind: KeyKind): string {
  if (kind === 'longer') return `Bearer $\{PETSPEC_API_KEY}x`;
  if (kind === 'case') return 'Bearer $(printf %s "$PETSPEC_API_KEY" | tr A-Za-z a-zA-Z)';
  if (kind === 'shorter') return `Bearer $\{PETSPEC_API_KEY%?}`;
  return authorization(kind, KEY_PLACEHOLDER) ?? '';
}

/** Names of headers whose values are secrets of the user's, too. */
const SECRET_NAME = /authori[sz]ation|cookie|token|secret|key|password/i;

/** Request headers as they are shown. */
export function shownHeaders(headers: readonly HeaderLine[], kind: KeyKind, redact: Redact): HeaderLine[] {
  return headers.map(([name, value]) => {
    if (name.toLowerCase() === 'authorization') return [name, shownAuthorization(kind)];
    return [name, SECRET_NAME.test(name) ? '[hidden]' : redact(value)];
  });
}

/** The key with its letters in the other case; one without letters is made another key. */
function otherCase(key: string): string {
  const other = [...key]
    .map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase()))
    .join('');
  return other === key ? `${key}-petspec` : other;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64').replace(/=+$/, '');
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
