import type { Sought } from './long-secret.ts';

/** Separators of bytes that are written as numbers, also over several lines, plain or escaped as in JSON. */
const BETWEEN_NUMBERS = '(?:[\\s,]|\\\\{1,9}[nrt]){1,40}';
const BETWEEN_HEX = '(?:[ :,-]{1,9}(?:0x)?)?';

/** Shorter sequences of bytes, and of base64 characters, occur by chance. */
const MIN_BYTES = 4;
const MIN_BASE64 = 6;

/** Node prints the first fifty bytes of a Buffer: after `Bearer ` so many are left. */
export const PRINTED = 43;

/** A text this short is only found if its bytes stand alone. */
export const MIN_ALONE = 3;

/** So many characters at either end of base64 may depend on what comes before and after: patterns leave them out. */
export const UNCERTAIN = 5;

/**
 * Case-insensitive patterns for the bytes of a text: in hexadecimal, with or without separators (`70:65`,
 * `<Buffer 70 65>`, `0x70, 0x65`), and as a list of numbers (`[112,101]`).
 */
export function inBytes({ text, rest }: Pick<Sought, 'text' | 'rest'>): string[] {
  return bytesOf(text).flatMap((bytes) => {
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
    if (bytes.length < MIN_BYTES) return bytes.length < MIN_ALONE ? [] : [alone(hex.join(''))];
    const more = Math.max(0, bytes.length - PRINTED) + rest;
    const numbers = [...bytes.subarray(0, PRINTED)].join(BETWEEN_NUMBERS);
    return [
      `${hex.slice(0, PRINTED).join(BETWEEN_HEX)}(?:${BETWEEN_HEX}[\\da-f]{2}){0,${more}}`,
      `(?<!\\d)${numbers}(?!\\d)(?:${BETWEEN_NUMBERS}\\d{1,3}(?!\\d)){0,${more}}`,
    ];
  });
}

/** Patterns for texts that are encoded in base64 once or twice, with anything before and after them. */
export function inBase64(sought: readonly Sought[]): string[] {
  const all = sought
    .flatMap(({ text, rest }) => bytesOf(text).map((bytes) => ({ bytes, rest })))
    .filter(({ bytes }) => bytes.length >= MIN_ALONE);
  const once = all.flatMap(aligned);
  const twice = once.flatMap(({ text, rest }) =>
    alphabets(text).flatMap((each) => aligned({ bytes: Buffer.from(each), rest })),
  );
  const long = [...once, ...twice].filter(({ text }) => text.length >= MIN_BASE64);
  const short = all
    .map(({ bytes }) => bytes.toString('base64url'))
    .filter(({ length }) => length <= MIN_BASE64);
  return [...byFirst(long), ...short.map((each) => alone(inAnyAlphabet(each)))];
}

/** Base64 with so many characters at most, its signs plain or escaped as in JSON and URLs. */
function upTo(length: number): string {
  return length === 0 ? '' : `(?:[\\w+/-]|\\\\{1,9}(?:/|u002[bfBF])|%(?:25){0,9}2[bfBF]){0,${length}}`;
}

/** Groups alternatives by their first character, which makes the pattern ten times as fast. */
function byFirst(all: readonly InBase64[]): string[] {
  return [...new Set(all.map(({ text }) => text.charAt(0)))].map((first) => {
    const rest = all
      .filter(({ text }) => text.startsWith(first))
      .map((each) => inAnyAlphabet(each.text.slice(1)) + upTo(each.rest));
    // Leaves out backslashes before the first character: to try each number of them at each place is slow.
    return `${inAnyAlphabet(first).replace('\\\\{0,9}', '')}(?:${rest.join('|')})`;
  });
}

/**
 * The bytes of a text, in UTF-8 and in latin1: a header is sent as latin1, but may be echoed as UTF-8. A text that is too
 * short to be found inside others is also found after `Bearer `.
 */
export function bytesOf(text: string): Buffer[] {
  const utf8 = Buffer.from(text);
  const others = [
    ...(utf8.length === text.length ? [] : [Buffer.from(text, 'latin1')]),
    ...(utf8.length > MIN_BYTES ? [] : [Buffer.from(`Bearer ${text}`)]),
  ];
  return [utf8, ...others];
}

/** What base64 has for sure, and how many characters of a longer secret may come after it. */
interface InBase64 {
  text: string;
  rest: number;
}

/** Base64 turns three bytes into four characters, so what comes before shifts a text by no, one or two bytes. */
function aligned({ bytes, rest }: { bytes: Buffer; rest: number }): InBase64[] {
  return [0, 1, 2].map((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const text = shifted.toString('base64');
    return {
      text: text.slice(Math.ceil((shift * 4) / 3), Math.floor((shifted.length * 4) / 3)),
      rest: rest === 0 ? 0 : Math.ceil((rest * 4) / 3) + UNCERTAIN,
    };
  });
}

/** Base64 in both of its alphabets (RFC 4648 sections 4 and 5). */
function alphabets(text: string): string[] {
  return [...new Set([text, text.replaceAll('+', '-').replaceAll('/', '_')])];
}

/** A pattern for base64 in either alphabet, its signs plain or escaped as in JSON and URLs. */
function inAnyAlphabet(text: string): string {
  return text
    .replace(/[/_]/g, '(?:\\\\{0,9}[/_]|%(?:25){0,9}2[fF]|\\\\{1,9}u002[fF])')
    .replace(/[+-]/g, '(?:[+-]|%(?:25){0,9}2[bB]|\\\\{1,9}u002[bB])');
}

function alone(pattern: string): string {
  return `${pattern}(?![\\w+/])(?<=(?:^|[^\\w+/])${pattern})`;
}
