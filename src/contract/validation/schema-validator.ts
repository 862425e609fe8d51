import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { ajvWith } from '../../model/ajv.ts';
import type { Schema } from '../../model/contract.ts';
import { parseHttpDate } from '../../model/http-date.ts';
import { isMultiple } from '../../model/json/is-multiple.ts';
import { segmentsOf } from '../../model/json/json-pointer.ts';
import { type Json, sameJson } from '../../model/json.ts';
import { regularExpression } from '../document/keywords.ts';
import { isObject } from '../schema.ts';
import { forAjv } from './schema-for-ajv.ts';

/** Calendar, ordinal and week dates with a time, basic or extended, with or without a zone (ISO 8601). */
const ISO_8601 =
  /^(?:\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])|W(?:0[1-9]|[1-4]\d|5[0-3])-[1-7]|(?:00[1-9]|0[1-9]\d|[12]\d\d|3[0-5]\d|36[0-6]))T(?:[01]\d|2[0-4])(?::[0-5]\d(?::(?:[0-5]\d|60))?)?(?:[.,]\d+)?(?:Z|[+-][01]\d(?::[0-5]\d)?)?|\d{4}(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|W(?:0[1-9]|[1-4]\d|5[0-3])[1-7]|(?:00[1-9]|0[1-9]\d|[12]\d\d|3[0-5]\d|36[0-6]))T(?:[01]\d|2[0-4])(?:[0-5]\d(?:[0-5]\d|60)?)?(?:[.,]\d+)?(?:Z|[+-][01]\d(?:[0-5]\d)?)?)$/i;

const INTEGER_RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
};

/**
 * The keywords of numbers, and the types beside them. ajv applies them only to doubles, so they are judged here, for bigints
 * as well.
 */
interface NumberRule {
  /** Undefined if a value may have any type. */
  types?: readonly string[];
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
}

let loaded: Ajv2020 | undefined;

/** Made when the first value is judged: a dry run judges none. */
function ajv(): Ajv2020 {
  if (loaded) return loaded;
  loaded = ajvWith({
    allErrors: true,
    strict: false,
    validateFormats: true,
    verbose: true,
    // Without it every object has a property `constructor`.
    ownProperties: true,
    code: { optimize: false, regExp: Object.assign(matcherOf, { code: 'matcherOf' }) },
  })
    .addFormat('http-date', (text: string) => parseHttpDate(text, 0) !== undefined)
    .addFormat('iso-8601-timestamp', (text: string) => ISO_8601.test(text) && isRealDay(text))
    .addKeyword({ keyword: 'x-number', schemaType: 'object', validate: fits, errors: false })
    .addKeyword({ keyword: 'x-members', schemaType: 'array', validate: isMember, errors: false });
  // Only keywords that are not judged need to know which properties others looked at, and keeping count of them fails for
  // some valid schemas.
  loaded.opts.unevaluated = false;
  return loaded;
}

/** A regular expression as ajv wants it. */
function matcherOf(pattern: string): RegExp {
  const found = regularExpression(pattern);
  if (!found) throw new Error(`${pattern} is not a regular expression`);
  return found;
}

/** Whether a calendar or ordinal date exists: no 30 February, no day 366 outside leap years. */
function isRealDay(text: string): boolean {
  const [date = ''] = text.split(/t/i);
  const digits = date.replaceAll('-', '');
  const year = Number(digits.slice(0, 4));
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (digits.length === 7 && !/w/i.test(digits)) return Number(digits.slice(4)) <= (isLeap ? 366 : 365);
  if (/w/i.test(digits)) return true;
  const [month, day] = [Number(digits.slice(4, 6)), Number(digits.slice(6, 8))];
  return day <= new Date(Date.UTC(2000 + (isLeap ? 0 : 1), month, 0)).getUTCDate();
}

function fits(rule: NumberRule, value: unknown): boolean {
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

/** Documents are read with doubles, so a number of theirs beyond 2^53 may be rounded. */
function isExact(stated: unknown): boolean {
  return typeof stated !== 'number' || Math.abs(stated) <= Number.MAX_SAFE_INTEGER;
}

/** A value as a document would have it beside a stated number. */
function asRead(value: number | bigint, stated: number): number | bigint {
  return isExact(stated) ? value : Number(value);
}

/** Whether a value is one of several, some of which may be rounded. */
function isMember(members: readonly Json[], value: unknown): boolean {
  return members.some(
    (each) =>
      sameJson(each, value as Json) ||
      (typeof value === 'bigint' && !isExact(each) && Number(value) === each),
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

const compiled = new WeakMap<Schema, ValidateFunction>();
/** By its content: each operation has its own copy of what a document states once. */
const compiledContents = new Map<string, ValidateFunction>();

function validatorOf(schema: Schema): ValidateFunction {
  const content = forAjv(schema);
  const key = JSON.stringify(content);
  const validate = compiledContents.get(key) ?? ajv().compile(content);
  compiledContents.set(key, validate);
  compiled.set(schema, validate);
  return validate;
}

/** A place in a value that violates its schema. */
export interface SchemaError {
  /** Segments of the JSON Pointer to the place, including the name of a field that is missing. */
  pointer: string[];
  missing: boolean;
  /** The keyword of the schema that the value violates. */
  keyword: string;
}

/** Longer arrays are judged entry by entry: the errors of a hundred thousand entries would fill the memory. */
const MANY = 1_000;

/**
 * Where a value violates its schema. In a very long array, entries that are wrong in the same way as an earlier one are
 * left out.
 */
export function schemaErrors(schema: Schema, value: Json): SchemaError[] {
  const { items } = schema;
  if (!items || !Array.isArray(value) || value.length <= MANY) return validated(schema, value);
  const found = validated(withoutItems(schema), value);
  const ways = new Set<string>();
  for (const [index, entry] of value.entries()) {
    const errors = validated(items, entry);
    const way = JSON.stringify(errors);
    if (errors.length === 0 || ways.has(way)) continue;
    ways.add(way);
    found.push(...errors.map((error) => ({ ...error, pointer: [String(index), ...error.pointer] })));
  }
  return found;
}

const itemless = new WeakMap<Schema, Schema>();

function withoutItems(schema: Schema): Schema {
  const known = itemless.get(schema);
  if (known) return known;
  const { items: _, ...rest } = schema;
  itemless.set(schema, rest);
  return rest;
}

function validated(schema: Schema, value: Json): SchemaError[] {
  const validate = compiled.get(schema) ?? validatorOf(schema);
  if (validate(value)) return [];
  return withoutMembers(validate.errors ?? []).map(errorOf);
}

/** Without what single members of `anyOf` and `oneOf` say: that none or several fit is one error. */
function withoutMembers(errors: readonly ErrorObject[]): ErrorObject[] {
  const choices = errors.filter(isChoice);
  const isInside = (error: ErrorObject, choice: ErrorObject) => {
    const isAtPlace =
      error.instancePath === choice.instancePath || error.instancePath.startsWith(`${choice.instancePath}/`);
    if (error === choice || !isAtPlace) return false;
    // A member may be a choice itself. In a component its path does not say what refers to the component, but ajv tells the
    // errors of members before that of their choice.
    if (!isChoice(error)) return true;
    return error.schemaPath.startsWith('#/$defs/')
      ? errors.indexOf(error) < errors.indexOf(choice)
      : error.schemaPath.startsWith(choice.schemaPath);
  };
  return errors.filter((error) => !choices.some((choice) => isInside(error, choice)));
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf';
}

/** The first of a number's rules that a value violates; its type comes first. */
function brokenRule(rule: NumberRule, value: unknown): string {
  const { types, format, ...bounds } = rule;
  if (!fits(types ? { types } : {}, value)) return 'type';
  const broken = Object.entries(bounds).find(([name, bound]) => !fits({ [name]: bound }, value));
  return broken?.[0] ?? 'format';
}

function errorOf(error: ErrorObject): SchemaError {
  const segments = segmentsOf(error.instancePath);
  const missing = error.keyword === 'required';
  return {
    pointer: missing ? [...segments, String(error.params.missingProperty)] : segments,
    missing,
    keyword:
      error.keyword === 'x-number'
        ? brokenRule(error.schema as NumberRule, error.data)
        : error.keyword.replace('x-members', 'enum'),
  };
}
