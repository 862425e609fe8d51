import { LosslessNumber, parse, stringify } from 'lossless-json';
import { endOfString, withMarkedNumbers, withNumbers } from './json/json-text.ts';
import { remembering } from './remembering.ts';

/** A JSON value. Integers that a JavaScript number cannot hold are bigints. */
export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json };

/** From this length of a text on (characters), its strings are worth flattening. */
const LONG = 500;

export type Parsed = { ok: true; value: Json } | { ok: false; error: string };

/** Deeper nesting is refused before parsing, as the parser recurses. */
const MAX_DEPTH = 512;

/** Longer integers are far beyond int64, and read as (infinite or rounded) numbers, not as bigints. */
const MAX_DIGITS = 40;

/**
 * Parses a JSON text without loss (RFC 8259). Integers beyond 2^53 become bigints. An object with two different values for a name is an
 * error, as parsers disagree about its meaning. Results are shared, so callers do not change them.
 */
export const parseJson: (text: string) => Parsed = remembering(parseText, 500_000);

function parseText(text: string): Parsed {
  const { depth, members, isPlain } = outlineOf(text);
  if (depth > MAX_DEPTH) return { ok: false, error: `nested more than ${MAX_DEPTH} levels deep` };
  const plain = isPlain ? parsePlain(text, members) : parseMarked(text, members);
  if (plain !== undefined) return { ok: true, value: plain };
  try {
    return { ok: true, value: parse(text, text.length > LONG ? flatten : null, parseNumber) as Json };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}

/** The value by JSON.parse, which is far faster; undefined if it cannot read the text without loss. */
function parsePlain(text: string, members: number): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    // Of two properties with the same name, JSON.parse keeps the last.
    return membersOf(value) === members ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The same for a text with numbers that JSON.parse might round. */
function parseMarked(text: string, members: number): Json | undefined {
  const marked = withMarkedNumbers(text);
  const value = parsePlain(marked.text, members);
  return value === undefined
    ? undefined
    : (withNumbers(value, marked.count, parseNumber) as Json | undefined);
}

/** The number of properties of all objects in a value. */
function membersOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values = Object.values(value);
  const members = Array.isArray(value) ? 0 : values.length;
  return values.reduce<number>((sum, child) => sum + membersOf(child), members);
}

/** Writes a number that was read as infinite: JSON has no word for it, but reads this as infinite. */
const BEYOND = {
  test: (value: unknown) => typeof value === 'number' && !Number.isFinite(value),
  stringify: (value: unknown) => (Number(value) < 0 ? '-1e999' : '1e999'),
};

/** Writes JSON without loss: bigints as integers, and infinite numbers as a number that is read as infinite. */
export function stringifyJson(value: unknown, space?: number): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint' || Number.isFinite(value)) return String(value);
  return stringify(value, null, space, [BEYOND]) ?? 'null';
}

/** A number that is written exactly as given, such as `9223372036854775808` or `1.5`. */
export function rawNumber(digits: string): unknown {
  return new LosslessNumber(digits);
}

export function isRawNumber(value: unknown): boolean {
  return value instanceof LosslessNumber;
}

/**
 * The parser appends character by character, and V8 keeps such a string as a tree of 32 bytes per character until its content is read,
 * which makes it flat.
 */
function flatten(_name: string, value: unknown): unknown {
  if (typeof value === 'string') value.charCodeAt(0);
  return value;
}

function parseNumber(text: string): number | bigint {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  const integer = wholeDigits(text);
  return integer === undefined ? value : BigInt(integer);
}

/** The digits of an integer of at most {@link MAX_DIGITS}, whatever its notation: `9.2E+3` and `920000e-2` are `9200`. */
function wholeDigits(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = withoutTrailingZeros(whole + fraction);
  const shift = Number(exponent) + whole.length - digits.length;
  if (digits === '' || shift < 0 || digits.length + shift > MAX_DIGITS) return undefined;
  return `${sign}${digits}${'0'.repeat(shift)}`;
}

/** Without a regular expression, which would take quadratic time for runs of zeros. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** A double holds every integer with up to so many digits. */
const SAFE_DIGITS = 15;

const [ZERO, NINE, POINT, LOWER_E, UPPER_E] = [0x30, 0x39, 0x2e, 0x65, 0x45];

interface Outline {
  /** The deepest nesting of brackets. */
  depth: number;
  /** Properties of all objects, including those with the same name. */
  members: number;
  /** All numbers are integers that a double holds. */
  isPlain: boolean;
}

/** Scans a JSON text outside of its strings. */
function outlineOf(text: string): Outline {
  const outline: Outline = { depth: 0, members: 0, isPlain: true };
  let depth = 0;
  let digits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= ZERO && code <= NINE) {
      digits += 1;
      if (digits > SAFE_DIGITS) outline.isPlain = false;
      continue;
    }
    if (digits > 0 && (code === POINT || code === LOWER_E || code === UPPER_E)) outline.isPlain = false;
    digits = 0;
    if (code === 0x22) index = endOfString(text, index);
    else if (code === 0x3a) outline.members += 1;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      outline.depth = Math.max(outline.depth, depth);
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return outline;
}

/** Whether a value has more than so many levels of objects and lists, or contains itself. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeper(child, levels - 1));
}

/** The JSON Pointer (RFC 6901) with these segments. */
export function pointerOf(segments: readonly (string | number)[]): string {
  return segments
    .map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** The segments of a JSON Pointer; none for the empty one, which names the whole. */
export function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a JSON Pointer (RFC 6901), or undefined. */
export function at(value: Json | undefined, pointer: string): Json | undefined {
  let here = value;
  for (const segment of segmentsOf(pointer)) {
    if (Array.isArray(here)) here = here[Number(segment)];
    else if (typeof here === 'object' && here !== null && Object.hasOwn(here, segment)) here = here[segment];
    else return undefined;
  }
  return here;
}

/** Whether two values are the same JSON: numbers by value, names in any order. */
export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right);
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
  }
  if (
    typeof left === 'object' &&
    typeof right === 'object' &&
    left &&
    right &&
    !Array.isArray(left) &&
    !Array.isArray(right)
  ) {
    const names = Object.keys(left);
    // An inherited __proto__ looks like an empty object, so check that the property is the object's.
    return (
      names.length === Object.keys(right).length &&
      names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]))
    );
  }
  return left === right;
}

function compareNumbers(left: number | bigint, right: number | bigint): boolean {
  return !(left < right) && !(left > right); // < and > compare a bigint with a number by value
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
