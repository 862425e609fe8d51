import { createHmac } from 'node:crypto';
import type { Exchange } from '../model/exchange.ts';
import { PLACEHOLDER } from './placeholder.ts';

/** An escape of JSON, of an address, of HTML or of quoted-printable, with the number of its character. */
const ESCAPE =
  /(?<sign>\\u|%(?:25)*|=|&#x)(?<hex>(?<=u)[\da-f]{4}|(?<=[%5=])[\da-f]{2}|(?<=x)[\da-f]{1,6}(?=\W))|(?<entity>&#)(?<decimal>\d{1,7})(?=\D)|\\[^u]/gi;

/** Fewer letters and digits than these would not disguise anything. */
const MIN_LETTERS = 3;

/**
 * What is judged in place of a secret that a text has: as long, and a number, a UUID or an escape where the secret is one. Nothing of
 * the secret is left but its punctuation.
 * @param isEscaped whether the first character is the end of an escape
 */
export function standInFor(found: string, isEscaped: boolean, secret: Buffer): string {
  if (isEscaped) return found.charAt(0) + standInFor(found.slice(1), false, secret);
  if (found.replace(/[^\p{L}\p{N}]/gu, '').length < MIN_LETTERS) return 'x'.repeat(found.length);
  let done = 0;
  let standIn = '';
  for (const { 0: written, index, groups = {} } of found.matchAll(ESCAPE)) {
    standIn += disguised(found.slice(done, index), secret) + withoutLetter(written, groups);
    done = index + written.length;
  }
  return standIn + disguised(found.slice(done), secret);
}

/** An escape, with an x in place of a letter or a digit. */
function withoutLetter(
  written: string,
  { sign, hex, entity, decimal }: Readonly<Record<string, string>>,
): string {
  const digits = hex ?? decimal;
  if (digits === undefined) return written;
  const code = Number.parseInt(digits, hex === undefined ? 10 : 16);
  if (!/[\p{L}\p{N}]/u.test(String.fromCodePoint(Math.min(code, 0x10ffff)))) return written;
  return hex === undefined ? `${entity}120` : `${sign}${'78'.padStart(hex.length, '0')}`;
}

/** Characters that replace each other. Hexadecimal digits stay such, so that what replaces a UUID is one. */
const KINDS = ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ'];

/** So many characters one digest decides about. */
const DIGEST = 32;

/**
 * A text with other letters and digits, which fits most of what a schema says of the text. Equal texts get equal ones.
 * @param secret makes it impossible to find the text by trying
 */
export function disguised(text: string, secret: Buffer): string {
  const seed = createHmac('sha256', secret).update(text).digest();
  let digest = seed;
  let count = 0;
  return text.replace(/[\p{L}\p{N}]/gu, (character) => {
    if (count % DIGEST === 0) digest = createHmac('sha256', seed).update(String(count)).digest();
    const choice = digest[count % DIGEST] ?? 0;
    count += 1;
    const kind = KINDS.find((each) => each.includes(character));
    return kind === undefined ? 'x'.repeat(character.length) : (kind[choice % kind.length] ?? 'x');
  });
}

/** Shorter ones may be parts of words. */
const MIN_LENGTH = 5;

/**
 * A copy of plain data with the placeholders of the exchanges in place of what was judged instead. Exchanges in it stay as they are.
 * @param exchanges hidden
 */
export function shownStandIns<T extends { exchanges: readonly Exchange[] }>(
  data: T,
  exchanges: readonly Exchange[],
): T {
  const standIns = standInsOf(exchanges);
  if (standIns.length === 0) return data;
  const shown = (text: string) =>
    standIns.reduce(
      (result, each) => (result.includes(each) ? result.replaceAll(each, PLACEHOLDER) : result),
      text,
    );
  const show = (value: unknown): unknown => {
    if (typeof value === 'string') return shown(value);
    if (value === data.exchanges) return value;
    if (Array.isArray(value)) return value.map(show);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, show(each)]));
  };
  return show(data) as T;
}

/** The stand-ins in each form in which a finding may quote them, the longest first. */
function standInsOf(exchanges: readonly Exchange[]): string[] {
  const standIns = new Set(exchanges.flatMap(({ hidden = [] }) => hidden.map((part) => part.as)));
  const forms = [...standIns].flatMap((each) => [each, unescaped(each)]);
  // What a violation is recognized by has no numbers.
  const all = forms.flatMap((each) => [each, each.replace(/\d+/g, '#')]);
  return [...new Set(all)]
    .filter(({ length }) => length >= MIN_LENGTH)
    .sort((left, right) => right.length - left.length);
}

/** What a text says inside JSON. */
function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
