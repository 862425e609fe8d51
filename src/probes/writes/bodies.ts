import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../contract/schema.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { isLate, type Late } from '../../model/probe.ts';
import { LONG, surestFirst } from '../../requests/plain-values.ts';
import { fitsSchema, fittingValue, MAX_VALUES, type Room } from '../reads/example-value.ts';
import { isUsable } from '../reads/usable-examples.ts';
import { isSentValid, wrongPlace } from '../validity.ts';
import { mixedText } from '../variations/texts.ts';
import { completions } from './completions.ts';
import { isFreeText, ownText, textOf } from './texts.ts';

/** A kind of valid body: the example, all fields, other values, the largest values, or texts of several kinds of characters. */
export type Variety = 'first' | 'second' | 'other' | 'largest' | 'texts';

/** More levels than most bodies have. */
const MAX_DEPTH = 8;

/**
 * A valid body of an operation: the user's, an example of the document, or a generated one. Texts differ by request and by
 * run, as a service may require unique ones. Undefined if petspec finds none.
 * @param probeId the probe that sends it
 */
export function validBody({ body, method }: Operation, variety: Variety, probeId: string): unknown {
  if (!body) return undefined;
  if (body.isStated) return body.example;
  const { schema } = body;
  const whole = wholeBody(schema, variety, probeId);
  const example = [body.example, schema.example].find((stated) => isUsable(schema, stated));
  // The entries of a list such as JSON Patch mean something that its schema does not say.
  const isExampleFirst = variety === 'first' || Array.isArray(example);
  const candidates = [
    ...(isExampleFirst ? [example] : []),
    ...(method === 'PATCH' && isObject(whole) ? [partOf(whole, schema)] : []),
    whole,
    // With another member of an enumeration, a condition of the schema may not apply.
    wholeBody(schema, 'other', probeId),
  ];
  return candidates.find((candidate) => isSentValid(schema, candidate));
}

/** Whether a valid body of this kind differs from the usual one, as its schema states an upper bound, or has free texts. */
export function differsFromUsual(operation: Operation, variety: Variety): boolean {
  const [other, usual] = ([variety, 'second'] as const).map((each) => validBody(operation, each, ''));
  return !isDeepStrictEqual(other, usual);
}

/**
 * The JSON Pointer to the place where the body that petspec would send violates its schema, or to a field without a value, so that
 * the user has to give an example. Undefined if the body is valid.
 */
export function wrongField({ body }: Operation): string | undefined {
  if (!body || body.isStated) return undefined;
  const { schema } = body;
  const generatedBody = wholeBody(schema, 'first', '');
  return generatedBody === undefined ? fieldWithoutValue(schema) : wrongPlace(schema, generatedBody);
}

/** The first required field for which petspec finds no value. */
function fieldWithoutValue({ properties = {}, required = [] }: Schema, depth = 0): string | undefined {
  for (const name of depth > MAX_DEPTH ? [] : required) {
    const field = properties[name];
    if (field && wholeBody(field, 'first', '') === undefined)
      return `/${name}${fieldWithoutValue(field, depth + 1) ?? ''}`;
  }
  return undefined;
}

/** The most values that petspec generates for a body, if its schema requires more; otherwise undefined. */
export function exceededValues({ body }: Operation): number | undefined {
  if (!body || body.isStated) return undefined;
  const room = { left: MAX_VALUES };
  generated(body.schema, { variety: 'first', of: '', depth: 0, room });
  return room.left < 0 ? MAX_VALUES : undefined;
}

function wholeBody(schema: Schema, variety: Variety, probeId: string): unknown {
  const room = { left: MAX_VALUES };
  const body = generated(schema, { variety, of: probeId, depth: 0, room });
  // Optional fields take too many values: leave them out.
  return room.left < 0 && variety !== 'first' ? wholeBody(schema, 'first', probeId) : body;
}

/** The fields of a PATCH: the required ones, and one that it changes. The id in the address and the version are no change. */
function partOf(body: Record<string, unknown>, { required = [] }: Schema): Record<string, unknown> {
  const changing = Object.keys(body).filter((name) => !isKept(body[name]));
  const names = changing.some((name) => required.includes(name))
    ? required
    : [...required, ...changing.slice(0, 1)];
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

function isKept(value: unknown): boolean {
  if (!isLate(value)) return false;
  return value.late === 'response' || (value.late === 'created' && value.isAddressed === true);
}

interface BodyPlace {
  variety: Variety;
  of: string;
  depth: number;
  room: Room;
  /** The name of the field, and its place among the fields of its object. */
  field?: { name: string; index: number };
}

/** A value that fits a schema; undefined if petspec finds none. */
function generated(schema: Schema, place: BodyPlace): unknown {
  place.room.left -= 1;
  if (place.room.left < 0) return undefined;
  const { 'x-created-id': id, 'x-current': sources, ...plain } = schema;
  const isExample = place.variety === 'first' && schema.example !== undefined;
  if (sources)
    return { late: 'response', sources, as: 'value', otherwise: plainValue(plain, place) } satisfies Late;
  if (!id || isExample) return plainValue(plain, place);
  const otherwise = plainValue(plain, place);
  if (otherwise === undefined) return undefined;
  // The second thing refers to the second things of other resources, so that the first ones can be removed.
  const isReversed = place.variety !== 'first' && place.variety !== 'other' && !id.isAddressed;
  const probes = isReversed ? id.probes.toReversed() : id.probes;
  return { late: 'created', ...id, probes, otherwise } satisfies Late;
}

function plainValue(schema: Schema, place: BodyPlace): unknown {
  if (place.depth > MAX_DEPTH || schema['x-circular']) return undefined;
  const { variety } = place;
  if (schema.enum) return schema.enum[variety === 'other' ? schema.enum.length - 1 : 0];
  const isTaken =
    variety === 'first' && isUsable(schema, schema.example) && fitsSchema(schema.example, schema);
  if (isTaken) return schema.example;
  const alternatives = schema.oneOf ?? schema.anyOf;
  const isChosen = schema['x-discriminator'] !== undefined || (!schema.type && !schema.properties);
  if (Array.isArray(alternatives) && isChosen) {
    const inner = { ...place, depth: place.depth + 1 };
    const discriminator = schema['x-discriminator'];
    for (const schema of surestFirst(alternatives as Schema[])) {
      const value = named(generated(schema, inner), schema, discriminator);
      if (value !== undefined) return value;
    }
    return undefined;
  }
  const type = schema.type ?? schema['x-types']?.[0] ?? (schema.properties ? 'object' : undefined);
  if (type === 'object') return withOwnName(objectOf(schema, place), schema);
  if (type === 'array') return listOf(schema, place);
  if (type === 'boolean') return variety !== 'other';
  if (type === 'integer' || type === 'number') return numberOf({ ...schema, type }, variety);
  if (type === 'string') return stringOf({ ...schema, type }, place);
  if (type === 'null') return null;
  return place.depth === 0 ? {} : undefined;
}

/** Adds the name of a component to its value, where a discriminator requires it. */
function named(
  value: unknown,
  { 'x-component': component }: Schema,
  discriminator: Schema['x-discriminator'],
): unknown {
  if (!isObject(value) || component === undefined || typeof discriminator?.propertyName !== 'string')
    return value;
  const mapping = Object.entries(isObject(discriminator.mapping) ? discriminator.mapping : {});
  const [name = component] = mapping.find(([, to]) => String(to).split('/').at(-1) === component) ?? [];
  return { ...value, [discriminator.propertyName]: name };
}

/** Adds the name of a component that has a base class in `allOf`, where the discriminator of that class requires it. */
function withOwnName(value: unknown, schema: Schema): unknown {
  const withName = named(value, schema, schema['x-named-by']);
  return isSentValid(schema, withName) ? withName : value;
}

function objectOf(schema: Schema, place: BodyPlace): unknown {
  const { properties = {}, required = [] } = schema;
  const inner = { ...place, depth: place.depth + 1 };
  const generate = (field: Schema) => generated(field, inner);
  const values = Object.entries(properties)
    // The first body has only the required fields.
    .filter(([name]) => required.includes(name) || (place.variety !== 'first' && place.depth < 2))
    .map(([name, field], index) => [name, generated(field, { ...inner, field: { name, index } })] as const)
    .filter(([, value]) => value !== undefined);
  const isWhole = required.every((name) => !properties[name] || values.some(([field]) => field === name));
  if (!isWhole) return undefined;
  const object = Object.fromEntries(values);
  if (isSentValid(schema, object)) return object;
  for (const candidate of completions(object, schema, generate))
    if (isSentValid(schema, candidate)) return candidate;
  return object;
}

const MAX_ENTRIES = 100;

function listOf(schema: Schema, place: BodyPlace): unknown {
  const { minItems = 0, prefixItems, items } = schema;
  const least = Number(minItems);
  if (least > MAX_ENTRIES) return undefined;
  const tuple = (prefixItems ?? []) as readonly Schema[];
  // Generators write tuples without `minItems`, and mean all entries.
  const tupleLength = Math.min(tuple.length, Number(schema.maxItems ?? tuple.length), MAX_ENTRIES);
  const entries = Array.from({ length: Math.max(least, tupleLength, 1) }, (_, index) => {
    const entry = tuple[index] ?? items;
    return entry && distinct(entry, schema.uniqueItems === true ? index : 0, place);
  });
  const complete = entries.includes(undefined) ? entries.slice(0, entries.indexOf(undefined)) : entries;
  return complete.length >= least ? complete : undefined;
}

/** A value of an entry that differs from the entries before it, if possible. */
function distinct(schema: Schema, index: number, place: BodyPlace): unknown {
  const inner = { ...place, depth: place.depth + 1 };
  if (index === 0) return generated(schema, inner);
  if (schema.enum) return schema.enum[index];
  const value = generated(schema, { ...inner, of: `${place.of} ${index}` });
  if (typeof value === 'number') return value + index * Number(schema.multipleOf ?? 1);
  // The schema is checked before late values are filled in, so their examples have to differ.
  const isText = isLate(value) && value.late === 'own' && value.as === 'text';
  return isText ? { ...value, like: `${String(index).padStart(4, '0')}${value.like.slice(4)}` } : value;
}

function stringOf(schema: Schema, { variety, of: probeId, field }: BodyPlace): unknown {
  const { maxLength = Number.POSITIVE_INFINITY } = schema;
  const isMixed = variety === 'texts' && field && isFreeText(schema, field.name);
  const mixed = isMixed ? mixedText(schema, field.index) : undefined;
  if (mixed !== undefined) return { late: 'own', as: 'text', like: mixed, of: probeId } satisfies Late;
  const isLargest = variety === 'largest' && maxLength <= LONG;
  const largest = isLargest ? ownText({ ...schema, minLength: maxLength }, probeId) : undefined;
  return largest ?? textOf(schema, probeId, variety === 'other');
}

function numberOf(schema: Schema, variety: Variety): unknown {
  const value = fittingValue(schema);
  const { maximum } = schema;
  if (variety === 'largest' && maximum !== undefined && fitsSchema(maximum, schema)) return maximum;
  if (variety !== 'other' || typeof value !== 'number') return value;
  return [value + 1, value - 1].find((candidate) => fitsSchema(candidate, schema)) ?? value;
}
