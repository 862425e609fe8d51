import { parse, stringify } from 'lossless-json';

/**
 * A JSON value without loss: every number with an integer value is a `bigint` (also `1.0` and `1e3`, as in JSON
 * Schema), every other number a `number`.
 */
export type BigIntJson = null | boolean | number | bigint | string | BigIntJson[] | BigIntJsonObject;
export type BigIntJsonObject = { [name: string]: BigIntJson };

/** int64, the format of ids (interface: Resources and their fields). */
export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

export function isInt64(value: BigIntJson | undefined): value is bigint {
  return typeof value === 'bigint' && value >= INT64_MIN && value <= INT64_MAX;
}

export function isObject(value: unknown): value is BigIntJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** More digits than this are far beyond int64, and writing out `1e999999999` would fill the memory. */
const MOST_DIGITS = 40;

/** One JSON number: a bigint if its value is whole, else a number. */
function readNumber(text: string): bigint | number {
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  const significant = fraction.replace(/0+$/, '');
  const zeros = Number(exponent) - significant.length;
  const digits = whole + significant;
  if (/^0*$/.test(digits)) return 0n;
  if (zeros < 0) {
    // 120e-1 is whole: the exponent removes only zeros.
    const kept = digits.slice(0, zeros) || '0';
    if (!/^0*$/.test(digits.slice(zeros)) || -zeros > digits.length) return Number(text);
    return BigInt(sign + kept);
  }
  if (digits.length + zeros > MOST_DIGITS) return Number(text);
  return BigInt(sign + digits + '0'.repeat(zeros));
}

/**
 * Reads JSON text (RFC 8259). Two members with the same name and different values are an error.
 * @throws SyntaxError, or RangeError if the nesting is too deep
 */
export function readJson(text: string): BigIntJson {
  return parse(text, null, readNumber) as BigIntJson;
}

/** JSON text; bigints as digits. A lone surrogate is written as an escape, so the text is always valid UTF-8. */
export function writeJson(value: BigIntJson): string {
  return Array.isArray(value) ? `[${value.map(writeEntry).join(',')}]` : (stringify(value) ?? 'null');
}

/** Lists have the same entries again and again, which nobody changes. */
const written = new WeakMap<object, string>();

function writeEntry(value: BigIntJson): string {
  if (!isObject(value)) return writeJson(value);
  const text = written.get(value) ?? stringify(value) ?? 'null';
  written.set(value, text);
  return text;
}
