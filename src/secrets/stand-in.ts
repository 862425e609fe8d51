import { createHmac } from 'node:crypto';
import type { Exchange } from '../model/exchange.ts';
import { remembering, rememberingEach } from '../model/remembering.ts';
import { PLACEHOLDER } from './placeholder.ts';

/** An escape of JSON, of an address, of HTML or of quoted-printable, with the number of its character. */
const ESCAPE =
  /(?<sign>\\u|%(?:25)*|=|&#x)(?<hex>(?<=u)[\da-f]{4}|(?<=[%5=])[\da-f]{2}|(?<=x)[\da-f]{1,6}(?=\W))|(?<entity>&#)(?<decimal>\d{1,7})(?=\D)|\\[^u]/gi;

/** Fewer letters and digits than these are replaced by x: another choice would disguise nothing. */
const MIN_LETTERS = 3;

/**
 * The text that is judged in place of a secret: of the same length, and a number, a UUID or an escape where the secret is one.
 * Only the punctuation of the secret stays.
 * @param isEscaped whether the first character is the end of an escape
 */
export function standInFor(text: string, isEscaped: boolean, secret: Buffer): string {
  if (isEscaped) return text.charAt(0) + standInFor(text.slice(1), false, secret);
  if (text.replace(/[^\p{L}\p{N}]/gu, '').length < MIN_LETTERS) return 'x'.repeat(text.length);
  let done = 0;
  let standIn = '';
  for (const { 0: written, index, groups = {} } of text.matchAll(ESCAPE)) {
    standIn += disguised(text.slice(done, index), secret) + withoutLetter(written, groups);
    done = index + written.length;
  }
  return standIn + disguised(text.slice(done), secret);
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

/** Characters that replace each other. Hexadecimal digits stay hexadecimal, so that a UUID is replaced by a UUID. */
const KINDS = ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ'];

/** Characters that one digest suffices for. */
const DIGEST = 32;

/**
 * A text with other letters and digits, which fits most of what a schema says of the text. Equal texts get equal ones.
 * @param secret makes it impossible to find the text by trying
 */
export function disguised(text: string, secret: Buffer): string {
  return disguisingWith(secret)(text);
}

/** A service that echoes a secret writes the same text again and again (cache in characters). */
const disguisingWith = rememberingEach((secret: Buffer) =>
  remembering((text) => disguise(text, secret), 100_000),
);

function disguise(text: string, secret: Buffer): string {
  const seed = createHmac('sha256', secret).update(text).digest();
  let digest = seed;
  let count = 0;
  return text.replace(/[\p{L}\p{N}]/gu, (character) => {
    if (count % DIGEST === 0) digest = createHmac('sha256', seed).update(String(count)).digest();
    const choice = digest[count % DIGEST] ?? 0;
    count += 1;
    const kind = KINDS.find((characters) => characters.includes(character));
    return kind === undefined ? 'x'.repeat(character.length) : (kind[choice % kind.length] ?? 'x');
  });
}

/** Shorter ones may be parts of words. */
const MIN_LENGTH = 5;

/**
 * A copy of plain data with placeholders for the stand-ins that were judged. Exchanges in it stay as they are.
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
      (result, standIn) => (result.includes(standIn) ? result.replaceAll(standIn, PLACEHOLDER) : result),
      text,
    );
  const show = (value: unknown): unknown => {
    if (typeof value === 'string') return shown(value);
    if (value === data.exchanges) return value;
    if (Array.isArray(value)) return value.map(show);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, show(member)]));
  };
  return show(data) as T;
}

/** The stand-ins in each form in which a finding may quote them, the longest first. */
function standInsOf(exchanges: readonly Exchange[]): string[] {
  const standIns = new Set(exchanges.flatMap(({ hidden = [] }) => hidden.map((part) => part.as)));
  const forms = [...standIns].flatMap((standIn) => [standIn, unescaped(standIn)]);
  // The text that recognizes a violation has # for numbers.
  const quotes = forms.flatMap((form) => [form, form.replace(/\d+/g, '#')]);
  return [...new Set(quotes)]
    .filter(({ length }) => length >= MIN_LENGTH)
    .sort((left, right) => right.length - left.length);
}

/** The text that a JSON string with these characters stands for. */
function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
