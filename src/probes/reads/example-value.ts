import { alternativesOf } from '../../contract/schema.ts';
import { isMultiple } from '../../contract/validation/number-rule.ts';
import { isFitting, LONGEST_IN_QUERY } from '../../contract/validation/parameter-bounds.ts';
import type { Parameter, Schema } from '../../model/contract.ts';
import { OF_FORMAT, surestFirst } from '../../requests/plain-values.ts';
import { patternTexts } from './pattern-text.ts';
import { isUsable, usableExamples } from './usable-examples.ts';

/** A text that tells the service's operator where it comes from. */
export const TEXT = 'petspec';

/** A valid value of a parameter: an example, its default, or a generated value; undefined if petspec finds none. */
export function exampleValue(parameter: Parameter): unknown {
  const { schema, isJson } = parameter;
  const stated = [...usableExamples(parameter), schema.default].filter(
    (value) => value !== undefined && fitsSchema(value, schema),
  );
  const fitting = fittingValue(isJson ? schema : flat(schema));
  return [...stated, fitting].find((value) => value !== undefined && isFitting(schema, value));
}

/**
 * An object schema without the optional fields that no parameter style can write, and, if other fields remain, without those
 * whose text would be a guess, such as the `sort` of Spring's pageable beside `page` and `size`.
 */
function flat(schema: Schema): Schema {
  const { properties, required = [] } = schema;
  if (schema.type !== 'object' || !properties) return schema;
  const written = Object.entries(properties).filter(
    ([name, schema]) => required.includes(name) || !isNested(schema),
  );
  const sure = written.filter(([name, schema]) => required.includes(name) || !hasFreeText(schema));
  const fields = (sure.length > 0 ? sure : written).map(([name, schema]) => [name, fromZero(schema)]);
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** Makes zero the example of a field that counts from zero: the first page has entries, others may have none. */
function fromZero(field: Schema): Schema {
  return field.minimum === 0 && field.example === undefined ? { ...field, example: 0 } : field;
}

function isNested({ type }: Schema): boolean {
  return type === 'array' || type === 'object';
}

/** Whether the value of a parameter is a guess, because the document does not say which texts are valid, as with a page token. */
export function isGuessed({ example, schema }: Parameter): boolean {
  return example === undefined && hasFreeText(schema);
}

/** @param seen schemas that were visited: a component may be used in very many places */
function hasFreeText(schema: Schema, seen = new Set<Schema>()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const isFree = (schema: Schema) => hasFreeText(schema, seen);
  const { type, format = '', items, properties = {}, ...stated } = schema;
  if ([stated.example, stated.default, stated.enum, stated.const].some((value) => value !== undefined))
    return false;
  if (type === 'array') return items !== undefined && isFree(items);
  if (type === 'object') return Object.values(properties).some(isFree);
  if (type === undefined && alternativesOf(schema).some(isFree)) return true;
  return type === 'string' && !Object.hasOwn(OF_FORMAT, format);
}

/** How many more values may be generated. */
export interface Room {
  left: number;
}

/** The most values in a parameter or a body. Components that each use the next one twice double it at each step. */
export const MAX_VALUES = 10_000;

/** A value that fits a schema; undefined if petspec finds none. */
export function fittingValue(schema: Schema, room: Room = { left: MAX_VALUES }): unknown {
  room.left -= 1;
  if (room.left < 0) return undefined;
  const { type, enum: members, example, format } = schema;
  if (example !== undefined && fitsSchema(example, schema) && isUsable(schema, example)) return example;
  if (members) return members[0];
  switch (type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'string': {
      const text = format === undefined ? padded(schema) : (OF_FORMAT[format] ?? padded(schema));
      return [text, ...patternTexts(schema)].find((candidate) => fitsSchema(candidate, schema));
    }
    case 'array':
      return listOf(schema, room);
    case 'object':
      return objectOf(schema, room);
    default:
      return firstFitting(schema, room);
  }
}

function firstFitting(schema: Schema, room: Room): unknown {
  for (const alternative of surestFirst(alternativesOf(schema))) {
    const value = fittingValue(alternative, room);
    if (value !== undefined && isFitting(schema, value)) return value;
  }
  return undefined;
}

/** Longer lists do not fit into an address. */
const MAX_ENTRIES = 100;

/** The shortest valid list that is not empty. */
function listOf(
  { items, prefixItems, minItems = 1, uniqueItems }: Schema,
  room: Room,
): unknown[] | undefined {
  const least = Math.max(1, Number(minItems));
  if (least > MAX_ENTRIES) return undefined;
  const entries = Array.from({ length: least }, (_, index) => {
    const entry = (prefixItems as readonly Schema[] | undefined)?.[index] ?? items;
    return entry && distinct(entry, uniqueItems === true ? index : 0, room);
  });
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

/** A value of an entry that differs from the entries before it, if possible. */
function distinct(schema: Schema, index: number, room: Room): unknown {
  if (index > 0 && schema.enum) return schema.enum[index];
  const value = fittingValue(schema, room);
  if (index === 0) return value;
  if (typeof value === 'number') return value + index * Number(schema.multipleOf ?? 1);
  return typeof value === 'string' ? `${value}${index}` : value;
}

/** An object with all fields for which there is a value; undefined if a required one has none. */
function objectOf(
  { properties = {}, required = [] }: Schema,
  room: Room,
): Record<string, unknown> | undefined {
  const values = Object.entries(properties).map(
    ([name, field]) => [name, fittingValue(field, room)] as const,
  );
  const present = values.filter(([, value]) => value !== undefined);
  const isWhole = required.every((name) => present.some(([field]) => field === name));
  return isWhole && present.length > 0 ? Object.fromEntries(present) : undefined;
}

/** A small number within the bounds. */
function numberOf(schema: Schema): number | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const least = Math.max(
    minimum ?? Number.NEGATIVE_INFINITY,
    (exclusiveMinimum ?? Number.NEGATIVE_INFINITY) as number,
  );
  const greatest = Math.min(
    maximum ?? Number.POSITIVE_INFINITY,
    (exclusiveMaximum ?? Number.POSITIVE_INFINITY) as number,
  );
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1;
  const near = Math.min(Math.max(1, least), greatest);
  const candidates = [
    1,
    near,
    near + 1,
    near - 1,
    Math.ceil(near / step) * step,
    Math.floor(near / step) * step,
  ];
  return candidates.find((candidate) => fitsSchema(candidate, schema));
}

function padded({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema): string {
  return TEXT.padEnd(Math.min(minLength, LONGEST_IN_QUERY), 'x').slice(0, maxLength);
}

/** Whether a value satisfies the scalar keywords of a schema. A list does if it is not empty. */
export function fitsSchema(value: unknown, schema: Schema): boolean {
  const { type, enum: members, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (members && !members.includes(value)) return false;
  if (Array.isArray(value)) return (type === undefined || type === 'array') && value.length > 0;
  if (typeof value === 'object' && value !== null) return type === undefined || type === 'object';
  if (typeof value === 'string') {
    const { length } = [...value];
    const isLong = length >= minLength && length <= maxLength;
    // `isFitting` limits the time: the document states pattern and text, and some pairs of them take years to match.
    const isMatching = pattern === undefined || isFitting({ pattern }, value);
    return (type === undefined || type === 'string') && value !== '' && isLong && isMatching;
  }
  if (typeof value === 'boolean') return type === undefined || type === 'boolean';
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return (type === undefined || type === 'integer' || type === 'number') && isWithin(value, schema);
}

function isWithin(
  value: number,
  { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Schema,
): boolean {
  if (type === 'integer' && !Number.isInteger(value)) return false;
  if (minimum !== undefined && value < minimum) return false;
  if (maximum !== undefined && value > maximum) return false;
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return false;
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return false;
  return typeof multipleOf !== 'number' || multipleOf <= 0 || isMultiple(value, multipleOf);
}
