import { bytesOf, MIN_ALONE, PRINTED } from './encodings.ts';
import { ANY_ESCAPE } from './escapes.ts';

/** Longer texts are not copied to look through them (characters). */
const MAX_LENGTH = 64 * 1024;

/** Characters that no escape begins with, and that have no escape of their own. */
const PLAIN = /[\w.~+-]+/g;

/** What `escapedPattern` takes for a character in ASCII, or for a soft line break, in lower case. */
const ESCAPE =
  /(?:\\{1,9}(?:u00|x)|%(?:25){0,9}|=)([\da-f]{2})|\\{1,9}u\{0{0,9}([\da-f]{2})\}|&(?:amp;){0,9}#(?:x0{0,9}([\da-f]{2})|0{0,9}(\d{1,3}));?|=(?:[\r\n]|\\{1,9}[rn])+/g;

/** What escapes consist of, percent-encoded, in lower case. */
const ENCODED_SIGN = /%(?:25){0,9}(5c|26|23|3b|7b|7d)/g;

/** An ampersand that begins an entity, as Go escapes it in JSON. */
const ESCAPED_AMPERSAND = /\\{1,9}(?:u00|x)26(?=#|amp;)/g;

/** What may be taken for the end of an escape, where a sign comes before it by chance: the 41 of `%41`. */
const END_OF_ESCAPE = /^[nrux]?[\da-f]{0,20}/;

/** What is between bytes that are written as numbers, in lower case. */
const BETWEEN_HEX = /[ :,-]{1,9}(?:0x)?/g;
const BETWEEN_NUMBERS = /(?:[\s,]|\\{1,9}[nrt])+/g;

/**
 * Whether a text may contain one of these secrets as the patterns of `redact.ts` find it, in characters or in bytes. Only if so
 * the patterns are needed: those of one key take up a megabyte once they are compiled, and nearly no text contains it.
 */
export function mayContain(secrets: readonly string[]): (text: string) => boolean {
  const plain = leastOf(secrets.map(longestPlain));
  const decoded = leastOf(plain.map((each) => each.replace(END_OF_ESCAPE, '')));
  const bytes = secrets
    .flatMap(bytesOf)
    .filter(({ length }) => length >= MIN_ALONE)
    .map((each) => [...each].slice(0, PRINTED));
  const hex = leastOf(bytes.map((each) => Buffer.from(each).toString('hex')));
  const numbers = leastOf(bytes.map((each) => each.join(',')));
  return (text) => {
    if (text.length > MAX_LENGTH) return true;
    const lower = text.toLowerCase();
    return (
      hasAny(lower, plain) ||
      (ANY_ESCAPE.test(lower) && hasAny(withoutEscapes(lower), decoded)) ||
      hasAny(lower, hex, BETWEEN_HEX, '') ||
      hasAny(lower, numbers, BETWEEN_NUMBERS, ',')
    );
  };
}

/** Whether a text is long enough in one place to contain one of these secrets in base64. */
export function mayContainBase64(secrets: readonly string[]): (text: string) => boolean {
  const lengths = secrets.flatMap(bytesOf).flatMap(({ length }) => (length >= MIN_ALONE ? [length] : []));
  if (lengths.length === 0) return () => false;
  // Of the characters of base64, up to one depends on what comes before or after.
  const shortest = Math.floor((Math.min(...lengths) * 4) / 3) - 1;
  const run = new RegExp(`[\\w+/%\\\\-]{${shortest}}`);
  return (text) => run.test(text);
}

/** The longest part of a secret that is written plain or in escapes, in lower case. */
function longestPlain(secret: string): string {
  const parts = secret.toLowerCase().match(PLAIN) ?? [];
  return parts.reduce((longest, each) => (each.length > longest.length ? each : longest), '');
}

/** Parts without those that contain another one. */
function leastOf(parts: readonly string[]): string[] {
  const all = [...new Set(parts)];
  return all.filter((part) => !all.some((other) => other !== part && part.includes(other)));
}

/** Whether a text has one of these parts, once what is between them is written in one way. */
function hasAny(text: string, parts: readonly string[], between?: RegExp, as = ''): boolean {
  const long = parts.filter(({ length }) => length <= text.length);
  if (long.length === 0) return false;
  const written = between ? text.replace(between, as) : text;
  return long.some((each) => written.includes(each));
}

/** A text in lower case with the characters that its escapes stand for. */
function withoutEscapes(text: string): string {
  const signs = text
    .replace(ENCODED_SIGN, (_found, hex: string) => charOf(hex))
    .replace(ESCAPED_AMPERSAND, '&');
  return signs.replace(ESCAPE, (_found, hex?: string, braced?: string, entity?: string, decimal?: string) => {
    const digits = hex ?? braced ?? entity;
    if (digits === undefined && decimal === undefined) return '';
    return (digits === undefined ? String.fromCharCode(Number(decimal)) : charOf(digits)).toLowerCase();
  });
}

function charOf(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}
