import { isObject } from '../../contract/schema.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { type Late, OWN_LENGTH } from '../../model/probe.ts';
import { fitsSchema, fittingValue, OF_FORMAT } from '../reads/example-value.ts';

/** Which of the valid bodies of an operation: its example, one with all fields, or one with other values. */
export type Variety = 'first' | 'second' | 'other';

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
  const example = body.example ?? body.schema.example;
  if (variety === 'first' && example !== undefined && fitsSchema(example, body.schema)) return example;
  const made = generated(body.schema, { variety, of, depth: 0 });
  return method === 'PATCH' && isObject(made) ? partOf(made, body.schema) : made;
}

/** A change of one field: the required ones, or else the first. */
function partOf(whole: Record<string, unknown>, { required = [] }: Schema): Record<string, unknown> {
  const names = required.length > 0 ? required : Object.keys(whole).slice(0, 1);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => names.includes(name)));
}

interface Place {
  variety: Variety;
  of: string;
  depth: number;
}

/** A value that fits a schema; undefined if petspec finds none. */
function generated(schema: Schema, place: Place): unknown {
  const { 'x-created-id': id, ...own } = schema;
  const isExample = place.variety === 'first' && schema.example !== undefined;
  if (!id || isExample) return plainValue(own, place);
  const otherwise = plainValue(own, place);
  if (otherwise === undefined) return undefined;
  // What is created second refers to what was created second, so that the first things can be removed one after the other.
  const probes = place.variety === 'second' ? id.probes.toReversed() : id.probes;
  return { late: 'created', ...id, probes, otherwise } satisfies Late;
}

function plainValue(schema: Schema, place: Place): unknown {
  if (place.depth > MAX_DEPTH || schema['x-circular']) return undefined;
  const { variety } = place;
  if (schema.enum) return schema.enum[variety === 'other' ? schema.enum.length - 1 : 0];
  const isTaken = variety === 'first' && schema.example !== undefined && fitsSchema(schema.example, schema);
  if (isTaken) return schema.example;
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(alternatives) && !schema.type && !schema.properties) {
    const inner = { ...place, depth: place.depth + 1 };
    const values = (alternatives as Schema[]).map((each) => generated(each, inner));
    return values.find((each) => each !== undefined);
  }
  const type = schema.type ?? schema['x-types']?.[0] ?? (schema.properties ? 'object' : undefined);
  if (type === 'object') return objectOf(schema, place);
  if (type === 'array') return listOf(schema, place);
  if (type === 'boolean') return variety !== 'other';
  // Of several types, the value has the first.
  if (type === 'integer' || type === 'number') return numberOf({ ...schema, type }, variety);
  if (type === 'string') return textOf({ ...schema, type }, place);
  if (type === 'null') return null;
  return place.depth === 0 ? {} : undefined;
}

function objectOf({ properties = {}, required = [] }: Schema, place: Place): unknown {
  const values = Object.entries(properties)
    // The first body is as plain as it can be.
    .filter(([name]) => required.includes(name) || (place.variety !== 'first' && place.depth < 2))
    .map(([name, field]) => [name, generated(field, { ...place, depth: place.depth + 1 })] as const)
    .filter(([, value]) => value !== undefined);
  const isWhole = required.every((name) => !properties[name] || values.some(([each]) => each === name));
  return isWhole ? Object.fromEntries(values) : undefined;
}

function listOf(schema: Schema, place: Place): unknown {
  const least = Number(schema.minItems ?? 0);
  const entries = Array.from({ length: Math.max(least, 1) }, () =>
    schema.items ? generated(schema.items, { ...place, depth: place.depth + 1 }) : undefined,
  );
  if (entries.every((each) => each !== undefined)) return entries;
  return least === 0 ? [] : undefined;
}

function numberOf(schema: Schema, variety: Variety): unknown {
  const value = fittingValue(schema);
  if (variety !== 'other' || typeof value !== 'number') return value;
  return [value + 1, value - 1].find((each) => fitsSchema(each, schema)) ?? value;
}

/** Room for the characters that differ by request. */
const LIKE = `petspec-${'x'.repeat(OWN_LENGTH)}`;

/** `petspec-12345678@example.com` */
const EMAIL_LENGTH = LIKE.length + '@example.com'.length;

function textOf(schema: Schema, { of, variety }: Place): unknown {
  const { format, pattern } = schema;
  const own = ownText(schema, of);
  if (own) return own;
  if (variety === 'other' && pattern === undefined && format === 'date') return '2024-02-29';
  return fittingValue(schema);
}

/**
 * A text that differs by request and by run; undefined if the schema leaves no room for one.
 * @param of the probe that sends it
 */
export function ownText(schema: Schema, of: string): Late | undefined {
  const { type, enum: members, format, pattern, minLength = 0 } = schema;
  const { maxLength = Number.POSITIVE_INFINITY } = schema;
  if (type !== 'string' || members || pattern !== undefined) return undefined;
  const isFree = format === undefined || !Object.hasOwn(OF_FORMAT, format);
  if (isFree && maxLength >= OWN_LENGTH) {
    const like = LIKE.slice(-Math.min(maxLength, LIKE.length)).padStart(minLength, 'x');
    return { late: 'own', as: 'text', like, of };
  }
  if (format === 'email' && maxLength >= EMAIL_LENGTH) return { late: 'own', as: 'email', of };
  return format === 'uuid' ? { late: 'own', as: 'uuid', of } : undefined;
}
