import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../contract/schema.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { isLate, type Late } from '../../model/probe.ts';
import { LONG, surestFirst } from '../../requests/plain-values.ts';
import { fitsSchema, fittingValue, MAX_VALUES, type Room } from '../reads/example-value.ts';
import { isUsable } from '../reads/usable-examples.ts';
import { isSentValid, wrongPlace } from '../validity.ts';
import { completions } from './completions.ts';
import { ownText, textOf } from './texts.ts';

/** Which of the valid bodies of an operation: its example, one with all fields, with other values, or with the largest ones. */
export type Variety = 'first' | 'second' | 'other' | 'largest';

/** Deeper than most bodies. */
const MAX_DEPTH = 8;

/**
 * A valid body of an operation: what the user stated, an example of the document, or a generated one. Texts differ by request
 * and by run, as a service may want them unique. Undefined if petspec finds none.
 * @param of the probe that sends it
 */
export function validBody({ body, method }: Operation, variety: Variety, of: string): unknown {
  if (!body) return undefined;
  if (body.isStated) return body.example;
  const { schema } = body;
  const made = wholeBody(schema, variety, of);
  const example = [body.example, schema.example].find((each) => isUsable(schema, each));
  // A list such as JSON Patch says what to do, which its schema does not tell.
  const isExampleFirst = variety === 'first' || Array.isArray(example);
  const candidates = [
    ...(isExampleFirst ? [example] : []),
    ...(method === 'PATCH' && isObject(made) ? [partOf(made, schema)] : []),
    made,
    // Another member of an enumeration may avoid what a condition asks for.
    wholeBody(schema, 'other', of),
  ];
  return candidates.find((each) => isSentValid(schema, each));
}

/** Whether the schema of a body states an upper bound that a valid body reaches. */
export function isBounded(operation: Operation): boolean {
  const [largest, usual] = (['largest', 'second'] as const).map((each) => validBody(operation, each, ''));
  return !isDeepStrictEqual(largest, usual);
}

/**
 * Where the body that petspec would send violates its schema, or has no value, so that it needs an example: a JSON Pointer.
 * Undefined if it is valid.
 */
export function wrongField({ body }: Operation): string | undefined {
  if (!body || body.isStated) return undefined;
  const { schema } = body;
  const made = wholeBody(schema, 'first', '');
  return made === undefined ? fieldWithoutValue(schema) : wrongPlace(schema, made);
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

/** How many values a body may have, if its schema asks for more, so that it needs an example; undefined otherwise. */
export function exceededValues({ body }: Operation): number | undefined {
  if (!body || body.isStated) return undefined;
  const room = { left: MAX_VALUES };
  generated(body.schema, { variety: 'first', of: '', depth: 0, room });
  return room.left < 0 ? MAX_VALUES : undefined;
}

function wholeBody(schema: Schema, variety: Variety, of: string): unknown {
  const room = { left: MAX_VALUES };
  const made = generated(schema, { variety, of, depth: 0, room });
  // There is no room for what is optional.
  return room.left < 0 && variety !== 'first' ? wholeBody(schema, 'first', of) : made;
}

/** A change of one field: the required ones, or else the first. The id that the address has, and the version, are no change. */
function partOf(whole: Record<string, unknown>, { required = [] }: Schema): Record<string, unknown> {
  const changing = Object.keys(whole).filter((name) => !isKept(whole[name]));
  const names = changing.some((name) => required.includes(name))
    ? required
    : [...required, ...changing.slice(0, 1)];
  return Object.fromEntries(Object.entries(whole).filter(([name]) => names.includes(name)));
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
}

/** A value that fits a schema; undefined if petspec finds none. */
function generated(schema: Schema, place: BodyPlace): unknown {
  place.room.left -= 1;
  if (place.room.left < 0) return undefined;
  const { 'x-created-id': id, 'x-current': sources, ...own } = schema;
  const isExample = place.variety === 'first' && schema.example !== undefined;
  if (sources)
    return { late: 'response', sources, as: 'value', otherwise: plainValue(own, place) } satisfies Late;
  if (!id || isExample) return plainValue(own, place);
  const otherwise = plainValue(own, place);
  if (otherwise === undefined) return undefined;
  // What is created second refers to what was created second, so that the first things can be removed one after the other.
  const isReversed = (place.variety === 'second' || place.variety === 'largest') && !id.isAddressed;
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
    const by = schema['x-discriminator'];
    for (const each of surestFirst(alternatives as Schema[])) {
      const value = named(generated(each, inner), each, by);
      if (value !== undefined) return value;
    }
    return undefined;
  }
  const type = schema.type ?? schema['x-types']?.[0] ?? (schema.properties ? 'object' : undefined);
  if (type === 'object') return withOwnName(objectOf(schema, place), schema);
  if (type === 'array') return listOf(schema, place);
  if (type === 'boolean') return variety !== 'other';
  // Of several types, the value has the first.
  if (type === 'integer' || type === 'number') return numberOf({ ...schema, type }, variety);
  if (type === 'string') return stringOf({ ...schema, type }, place);
  if (type === 'null') return null;
  return place.depth === 0 ? {} : undefined;
}

/** A value of a member, with the name of the member where a discriminator asks for it. */
function named(value: unknown, { 'x-component': component }: Schema, by: Schema['x-discriminator']): unknown {
  if (!isObject(value) || component === undefined || typeof by?.propertyName !== 'string') return value;
  const mapping = Object.entries(isObject(by.mapping) ? by.mapping : {});
  const [name = component] = mapping.find(([, to]) => String(to).split('/').at(-1) === component) ?? [];
  return { ...value, [by.propertyName]: name };
}

/** A value of a component that has its base class in `allOf`, with its own name where that class asks for one. */
function withOwnName(value: unknown, schema: Schema): unknown {
  const own = named(value, schema, schema['x-named-by']);
  return isSentValid(schema, own) ? own : value;
}

function objectOf(schema: Schema, place: BodyPlace): unknown {
  const { properties = {}, required = [] } = schema;
  const generate = (field: Schema) => generated(field, { ...place, depth: place.depth + 1 });
  const values = Object.entries(properties)
    // The first body is as plain as it can be.
    .filter(([name]) => required.includes(name) || (place.variety !== 'first' && place.depth < 2))
    .map(([name, field]) => [name, generate(field)] as const)
    .filter(([, value]) => value !== undefined);
  const isWhole = required.every((name) => !properties[name] || values.some(([each]) => each === name));
  if (!isWhole) return undefined;
  const made = Object.fromEntries(values);
  if (isSentValid(schema, made)) return made;
  for (const each of completions(made, schema, generate)) if (isSentValid(schema, each)) return each;
  return made;
}

/** No body needs longer lists. */
const MAX_ENTRIES = 100;

function listOf(schema: Schema, place: BodyPlace): unknown {
  const { minItems = 0, prefixItems, items } = schema;
  const least = Number(minItems);
  if (least > MAX_ENTRIES) return undefined;
  const tuple = (prefixItems ?? []) as readonly Schema[];
  // Generators that write a tuple without `minItems` mean all of its entries.
  const whole = Math.min(tuple.length, Number(schema.maxItems ?? tuple.length), MAX_ENTRIES);
  const entries = Array.from({ length: Math.max(least, whole, 1) }, (_, index) => {
    const entry = tuple[index] ?? items;
    return entry && distinct(entry, schema.uniqueItems === true ? index : 0, place);
  });
  const known = entries.includes(undefined) ? entries.slice(0, entries.indexOf(undefined)) : entries;
  return known.length >= least ? known : undefined;
}

/** The value of an entry that differs from those before it, if it can. */
function distinct(schema: Schema, index: number, place: BodyPlace): unknown {
  const inner = { ...place, depth: place.depth + 1 };
  if (index === 0) return generated(schema, inner);
  if (schema.enum) return schema.enum[index];
  const value = generated(schema, { ...inner, of: `${place.of} ${index}` });
  if (typeof value === 'number') return value + index * Number(schema.multipleOf ?? 1);
  // Whether they differ has to show before they are filled in.
  const isText = isLate(value) && value.late === 'own' && value.as === 'text';
  return isText ? { ...value, like: `${String(index).padStart(4, '0')}${value.like.slice(4)}` } : value;
}

function stringOf(schema: Schema, { variety, of }: BodyPlace): unknown {
  const { maxLength = Number.POSITIVE_INFINITY } = schema;
  const isLargest = variety === 'largest' && maxLength <= LONG;
  const largest = isLargest ? ownText({ ...schema, minLength: maxLength }, of) : undefined;
  return largest ?? textOf(schema, of, variety === 'other');
}

function numberOf(schema: Schema, variety: Variety): unknown {
  const value = fittingValue(schema);
  const { maximum } = schema;
  if (variety === 'largest' && maximum !== undefined && fitsSchema(maximum, schema)) return maximum;
  if (variety !== 'other' || typeof value !== 'number') return value;
  return [value + 1, value - 1].find((each) => fitsSchema(each, schema)) ?? value;
}
