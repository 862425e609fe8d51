import { type Json, sameJson } from '../../model/json.ts';
import { isObject } from '../schema.ts';

const INTEGER_RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
};

/**
 * The keywords for numbers, and the types beside them. ajv applies them to doubles only, so they are judged here, also for
 * bigints.
 */
export interface NumberRule {
  /** Undefined if a value may have any type. */
  types?: readonly string[];
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
}

/** Whether a value fits the rule of a number. */
export function fits(rule: NumberRule, value: unknown): boolean {
  const { types, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rule;
  if (types && !types.some((type) => isOfType(type, value))) return false;
  if (typeof value !== 'number' && typeof value !== 'bigint') return true;
  const range = isWhole(value) && types?.includes('integer') && format ? INTEGER_RANGES[format] : undefined;
  if (range && (BigInt(value) < range[0] || BigInt(value) > range[1])) return false;
  if (minimum !== undefined && asRead(value, minimum) < minimum) return false;
  if (maximum !== undefined && asRead(value, maximum) > maximum) return false;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum && isExact(exclusiveMinimum)) return false;
  if (exclusiveMinimum !== undefined && asRead(value, exclusiveMinimum) < exclusiveMinimum) return false;
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum && isExact(exclusiveMaximum)) return false;
  if (exclusiveMaximum !== undefined && asRead(value, exclusiveMaximum) > exclusiveMaximum) return false;
  return multipleOf === undefined || isMultiple(value, multipleOf);
}

/** Documents are read with doubles, so a stated number beyond 2^53 may be rounded. */
function isExact(stated: unknown): boolean {
  return typeof stated !== 'number' || Math.abs(stated) <= Number.MAX_SAFE_INTEGER;
}

/** A value rounded like a stated number. */
function asRead(value: number | bigint, stated: number): number | bigint {
  return isExact(stated) ? value : Number(value);
}

/** Whether a value is a member of an enumeration. Large members may have been rounded when the document was read. */
export function isMember(members: readonly Json[], value: unknown): boolean {
  return members.some(
    (member) =>
      sameJson(member, value as Json) ||
      (typeof value === 'bigint' && !isExact(member) && Number(value) === member),
  );
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return isWhole(value);
    case 'number':
      return typeof value === 'bigint' || Number.isFinite(value);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === type;
  }
}

function isWhole(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** The first keyword of a number rule that a value violates; type comes first. */
export function brokenRule(rule: NumberRule, value: unknown): string {
  const { types, format, ...bounds } = rule;
  if (!fits(types ? { types } : {}, value)) return 'type';
  const broken = Object.entries(bounds).find(([name, bound]) => !fits({ [name]: bound }, value));
  return broken?.[0] ?? 'format';
}

/**
 * Whether a number is a whole multiple of another one, by their decimals: 19.99 is a multiple of 0.01, although division of doubles
 * says otherwise. A number that was read as infinite counts as a multiple, as its digits are unknown.
 * @param of finite
 */
export function isMultiple(value: number | bigint, of: number): boolean {
  if (typeof value === 'number' && !Number.isFinite(value)) return true;
  const [number, divisor] = [decimal(value), decimal(of)];
  if (divisor.digits === 0n) return false;
  const places = Math.max(number.places, divisor.places);
  return scaled(number, places) % scaled(divisor, places) === 0n;
}

interface Decimal {
  digits: bigint;
  /** How many of the digits are after the decimal point. */
  places: number;
}

function decimal(value: number | bigint): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}

function scaled({ digits, places }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - places);
}
