/** Between bytes that are written as numbers: as lists have it, also over several lines, and as JSON escapes those. */
const BETWEEN_NUMBERS = '(?:[\\s,]|\\\\{1,9}[nrt]){1,40}';
const BETWEEN_HEX = '(?:[ :,-]{1,9}(?:0x)?)?';

/** Bytes, and characters of base64, from which on nobody writes them by chance. */
const MIN_BYTES = 4;
const MIN_BASE64 = 6;

/** Bytes of which Node shows no more after `Bearer `: it prints the first fifty of a Buffer. */
const SHOWN = 43;

/** Bytes of a short text that are looked for where they stand alone. */
const MIN_ALONE = 3;

/** What of base64 may depend on its neighbors is no part of the patterns for it: so many characters at either end. */
export const UNCERTAIN = 5;

/**
 * Patterns for the bytes of a text: in hexadecimal, with or without something in between (`70:65`, `<Buffer 70 65>`,
 * `0x70, 0x65`), and as a list of numbers (`[112,101]`). To be used without regard to case.
 */
export function inBytes(text: string): string[] {
  return bytesOf(text).flatMap((bytes) => {
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
    if (bytes.length < MIN_BYTES) return bytes.length < MIN_ALONE ? [] : [alone(hex.join(''))];
    const more = `(?:${BETWEEN_HEX}[\\da-f]{2}){0,${Math.max(0, bytes.length - SHOWN)}}`;
    return [
      hex.slice(0, SHOWN).join(BETWEEN_HEX) + more,
      `(?<!\\d)${[...bytes].join(BETWEEN_NUMBERS)}(?!\\d)`,
    ];
  });
}

/** Patterns for texts in base64, once and twice over, whatever stands before and after them there. */
export function inBase64(texts: readonly string[]): string[] {
  const all = texts.flatMap(bytesOf).filter(({ length }) => length >= MIN_ALONE);
  const once = all.flatMap(aligned);
  const twice = once.flatMap(alphabets).flatMap((each) => aligned(Buffer.from(each)));
  const long = [...once, ...twice].filter(({ length }) => length >= MIN_BASE64);
  const short = all.map((bytes) => bytes.toString('base64url')).filter(({ length }) => length <= MIN_BASE64);
  return [...byFirst(long), ...short.map((each) => alone(inAnyAlphabet(each)))];
}

/** Alternatives by their first character, which is ten times as fast as one after the other. */
function byFirst(texts: readonly string[]): string[] {
  return [...new Set(texts.map((each) => each.charAt(0)))].map((first) => {
    const rest = texts.filter((each) => each.startsWith(first)).map((each) => inAnyAlphabet(each.slice(1)));
    // Backslashes before the first sign are left: to try each number of them at each place would take long.
    return `${inAnyAlphabet(first).replace('\\\\{0,9}', '')}(?:${rest.join('|')})`;
  });
}

/**
 * A header is sent as latin1; whoever writes its value somewhere else may write UTF-8. A text that is too short to be
 * looked for inside of others is so with its scheme.
 */
function bytesOf(text: string): Buffer[] {
  const utf8 = Buffer.from(text);
  const others = [
    ...(utf8.length === text.length ? [] : [Buffer.from(text, 'latin1')]),
    ...(utf8.length > MIN_BYTES ? [] : [Buffer.from(`Bearer ${text}`)]),
  ];
  return [utf8, ...others];
}

/** Three bytes are four characters: what comes before shifts it by none, one or two bytes. */
function aligned(bytes: Buffer): string[] {
  return [0, 1, 2].map((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    return shifted.toString('base64').slice(Math.ceil((shift * 4) / 3), Math.floor((shifted.length * 4) / 3));
  });
}

/** A text of base64 as either of its alphabets has it (RFC 4648 sections 4 and 5). */
function alphabets(text: string): string[] {
  return [...new Set([text, text.replaceAll('+', '-').replaceAll('/', '_')])];
}

/** In either alphabet, and as JSON and addresses escape its signs. */
function inAnyAlphabet(text: string): string {
  return text
    .replace(/[/_]/g, '(?:\\\\{0,9}[/_]|%(?:25){0,9}2[fF]|\\\\{1,9}u002[fF])')
    .replace(/[+-]/g, '(?:[+-]|%(?:25){0,9}2[bB]|\\\\{1,9}u002[bB])');
}

function alone(pattern: string): string {
  return `${pattern}(?![\\w+/])(?<=(?:^|[^\\w+/])${pattern})`;
}
