import { alternativesOf } from '../contract/schema.ts';
import { isFitting } from '../contract/validation/parameter-bounds.ts';
import type { Schema } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import { fittingValue, type Room } from '../probes/reads/example-value.ts';
import { completions } from '../probes/writes/completions.ts';
import type { ThingKind } from './kinds.ts';

/** A thing: an object of JSON. */
export type Thing = { [name: string]: Json };

/** Whether a value is an object. */
export function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An example of a schema: from the document, or made by petspec. @param room bounds what is made field by field */
export function madeValue(schema: Schema, room: Room = { left: MOST_MADE }): Json {
  const whole = schema['x-circular'] ?? schema;
  const example = fittingValue(whole) as Json | undefined;
  if (example !== undefined && (!isThing(example) || isFitting(whole, example)))
    return structuredClone(example);
  if (isThing(example)) return madeThing(whole, example, room);
  if (schema['x-nullable'] || schema.type === 'null') return null;
  if (whole.type === 'array') return madeList(whole, room);
  const [first] = whole.type === undefined && !whole.properties ? alternativesOf(whole) : [];
  return first && room.left > 0 ? madeValue(first, { left: room.left - 1 }) : madeThing(whole, {}, room);
}

/** The most objects and lists in a value that petspec makes field by field. */
const MOST_MADE = 200;

/** A list with one entry if it must have entries, and if one is enough; otherwise an empty list. */
function madeList(schema: Schema, room: Room): Json[] {
  room.left -= 1;
  if (room.left < 0 || !schema.items || isFitting(schema, [])) return [];
  const list = [madeValue(schema.items, room)];
  return isFitting(schema, list) ? list : [];
}

/** An object whose schema asks for more than its fields have, such as keys of its own (`minProperties`). */
function madeThing(schema: Schema, given: Thing, room: Room): Thing {
  room.left -= 1;
  if (room.left < 0) return structuredClone(given);
  const { properties = {}, required = [] } = schema;
  const missing = required.filter((name) => !Object.hasOwn(given, name));
  const fields = missing.map((name) => [name, madeValue(properties[name] ?? {}, room)] as const);
  const completed = { ...structuredClone(given), ...Object.fromEntries(fields) };
  if (isFitting(schema, completed)) return completed;
  for (const candidate of completions(completed, schema, (field) => madeValue(field, room)))
    if (isFitting(schema, candidate)) return candidate as Thing;
  return completed;
}

/**
 * A thing that a client creates or replaces: what it sent, and an example of what the service adds. A field that it may send and
 * did not send is left out, unless the thing needs it.
 * @param sentSchema the schema of what is sent; without it the whole thing is an example
 */
export function thingOf({ schema }: ThingKind, sent: Thing = {}, sentSchema?: Schema): Thing {
  const example = madeValue(schema);
  const base: Thing = isThing(example) ? example : {};
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(properties).filter((name) => {
    const isAsked = sentSchema?.properties?.[name] !== undefined;
    return Object.hasOwn(sent, name) || !isAsked || required.includes(name);
  });
  return Object.fromEntries(
    names.flatMap((name) => {
      const field = properties[name] ?? {};
      const sentValue = Object.hasOwn(sent, name) ? sent[name] : undefined;
      const value = sentValue !== undefined && isFitting(field, sentValue) ? sentValue : base[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** A thing after a partial change (RFC 7396): null removes an optional field, and an object changes the existing object. */
export function merged(schema: Schema, thing: Thing, sent: Thing): Thing {
  const { properties = {}, required = [] } = schema['x-circular'] ?? schema;
  const changed = Object.entries(sent).flatMap(([name, value]) => {
    const field = properties[name];
    const old = thing[name];
    const whole = field && isThing(old) && isThing(value) ? merged(field, old, value) : value;
    return field && isFitting(field, whole) ? [[name, whole] as const] : [];
  });
  const removed = Object.entries(sent).filter(
    ([name, value]) =>
      value === null && !required.includes(name) && !(properties[name] && isFitting(properties[name], null)),
  );
  const kept = Object.entries(thing).filter(
    ([name]) => !removed.some(([removedName]) => removedName === name),
  );
  return Object.fromEntries([...kept, ...changed]);
}

/** A thing as a response shows it: the fields that the response has, and examples of the fields that it requires. */
export function shownThing(thing: Thing, schema: Schema): Json {
  const whole = schema['x-circular'] ?? schema;
  const { properties, required = [] } = whole;
  if (!properties) return whole.type === undefined || whole.type === 'object' ? thing : madeValue(whole);
  const fitting = Object.entries(thing).filter(([name, value]) => {
    const field = properties[name];
    return field && isFitting(field, value);
  });
  const names = new Set(fitting.map(([name]) => name));
  const added = required
    .filter((name) => !names.has(name))
    .map((name) => [name, madeValue(properties[name] ?? {})] as const);
  return Object.fromEntries([...fitting, ...added]);
}

/** A value with another value at a place in it. */
export function withValueAt(value: Json, place: readonly string[], inner: Json): Json {
  const [name, ...rest] = place;
  if (name === undefined) return inner;
  const outer = isThing(value) ? value : {};
  return { ...outer, [name]: withValueAt(outer[name] ?? {}, rest, inner) };
}

/** The next id, as the document writes ids. @param number counts things of all kinds, from 1 @param first where int64s begin */
export function nextId(
  { schema, idField, idSchema }: ThingKind,
  number: number,
  uuid: string,
  first = 0n,
): Json {
  const field = schema.properties?.[idField];
  // isFitting does not check formats.
  if ((field?.format ?? idSchema.format) === 'uuid') return uuid;
  if (first > 0n && (field?.format ?? idSchema.format) === 'int64') return first + BigInt(number) * 4_096n;
  const fits = (id: Json) =>
    (field === undefined || isFitting(field, id)) &&
    [id, String(id), ...(/^\d+$/.test(String(id)) ? [Number(id)] : [])].some((form) =>
      isFitting(idSchema, form),
    );
  const least = Number(field?.minimum ?? idSchema.minimum ?? 0);
  const example = madeValue(field ?? idSchema);
  const candidates: Json[] = [1_000 + number, least + number, String(1_000 + number), uuid];
  return [...candidates, ...ending(String(example), number)].find(fits) ?? example;
}

/** Texts like an example that end with a number, in digits or in letters, as long as the example: a pattern may want that. */
function ending(example: string, number: number): string[] {
  const digits = String(number)
    .padStart(4, '0')
    .slice(-Math.max(1, Math.min(4, example.length)));
  const letters = [...digits].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  const start = example.slice(0, -digits.length);
  return [digits, letters, letters.toUpperCase()].map((end) => start + end);
}
