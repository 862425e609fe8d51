import type { Schema } from '../model/contract.ts';
import { rawNumber } from '../model/json.ts';
import { type Late, OWN_LENGTH } from '../model/probe.ts';

/** Ends of int64, and the first integer that a double cannot hold. */
const INT64_MAX = 9223372036854775807n;
const INT64_MIN = -9223372036854775808n;
const BEYOND_DOUBLE = 9007199254740993n;
export const INT64: Readonly<Record<string, bigint>> = {
  maximum: INT64_MAX,
  minimum: INT64_MIN,
  'beyond 2^53': BEYOND_DOUBLE,
};

/** One text carries what one body may: scripts, quotes, markup, escapes, characters outside the basic plane. */
const TEXTS = [
  'Zoë "Łatka" O\'Neil <b>Tom & Jerry</b> &amp; 50% \\ / 🐈',
  'Мурка 猫咪 ネコ คน 고양이 +1 {x} $HOME',
  'قطة חתול Γάτα कुत्ता 🦊👩‍🚀 <script>alert(1)</script>',
];
const PLAIN_TEXT = 'Rex';
const LONG_TEXT = 'Ab'.repeat(500);

/** What every text ends with: a body has characters of its own there, as a service may want names to be unique. */
const ROOM = `-${'x'.repeat(OWN_LENGTH)}`;

/** A plainly valid value of a schema: `variety` picks the text and the enumeration's member. */
export function sample(name: string, schema: Schema, variety?: number): unknown {
  if (schema.enum) return schema.enum[(variety ?? 0) % schema.enum.length];
  if (schema['x-reference']) return { late: 'reference', name, as: 'value' } satisfies Late;
  switch (schema.type) {
    case 'string':
      return fitted(
        variety === undefined ? PLAIN_TEXT : (TEXTS[variety % TEXTS.length] ?? PLAIN_TEXT),
        schema,
      );
    case 'integer':
    case 'number':
      return schema.minimum ?? schema.maximum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return schema.items ? [sample(name, schema.items, variety)] : [];
    case 'null':
      return null;
    default:
      return fullBody(schema, variety);
  }
}

/** Every field of an object schema, each with a valid value. */
export function fullBody(schema: Schema, variety?: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [name, sample(name, field, variety)]),
  );
}

/** The required fields of an object schema alone. */
export function minimalBody(schema: Schema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fullBody(schema)).filter(([name]) => schema.required?.includes(name)),
  );
}

/** Values at the bounds that the schema states itself: they have to be accepted. */
export function atBound(schema: Schema, bound: 'least' | 'greatest'): unknown {
  const [number, length] =
    bound === 'least' ? [schema.minimum, schema.minLength] : [schema.maximum, schema.maxLength];
  if (number !== undefined) return number;
  return length === undefined ? undefined : 'x'.repeat(length);
}

/** Values that no sentence forbids, but that a service may have reason to refuse. */
export function extreme(schema: Schema, kind: string): unknown {
  if (kind === 'long')
    return schema.type === 'string' && !schema.enum && schema.maxLength === undefined ? LONG_TEXT : undefined;
  return schema.format === 'int64' ? INT64[kind] : undefined;
}

export interface Wrong {
  /** Stable part of the probe's id. */
  id: string;
  title: string;
  value: unknown;
  /** The facet of the schema that the value breaks. */
  facet: 'type' | 'format' | 'bound' | 'enum';
  /** The bound, where it breaks one. */
  keyword?: string;
}

/** JSON types that only a careless parser would take, rotated over the fields so that each occurs somewhere. */
const ROTATED: readonly Wrong[] = [
  { id: 'object', title: 'an object', value: { value: 1 }, facet: 'type' },
  { id: 'array', title: 'an array', value: ['a'], facet: 'type' },
];

/** Wrong values of a field, each wrong in one way. `index` is the field's place, by which types are rotated. */
export function wrongValues(name: string, schema: Schema, index: number): Wrong[] {
  const wrong: Wrong[] = [coercible(name, schema), { id: 'null', title: 'null', value: null, facet: 'type' }];
  const rotated = ROTATED[index];
  if (rotated && rotated.id !== schema.type) wrong.push(rotated);
  if (schema.type === 'integer' || schema.type === 'number')
    wrong.push({ id: 'boolean', title: 'a boolean', value: true, facet: 'type' });
  if (schema.type === 'integer') {
    const value = schema['x-reference']
      ? ({ late: 'reference', name, as: 'fraction' } satisfies Late)
      : rawNumber('1.5');
    wrong.push({ id: 'fraction', title: 'a fraction', value, facet: 'type' });
  }
  if (schema.format === 'int64') {
    wrong.push({ id: 'beyond-int64', title: 'one beyond int64', value: INT64_MAX + 1n, facet: 'format' });
  }
  if (schema.enum) {
    const member = String(schema.enum[0]);
    const value = member === member.toUpperCase() ? `${member}-none` : member.toUpperCase();
    wrong.push({ id: 'non-member', title: `${value}, no member`, value, facet: 'enum' });
  }
  return [...wrong, ...beyondBounds(schema)];
}

/** One beyond each bound that the schema states. */
export function beyondBounds(schema: Schema): Wrong[] {
  const wrong: Wrong[] = [];
  const { minimum, maximum, minLength, maxLength } = schema;
  const add = (keyword: string, id: string, title: string, value: unknown) =>
    wrong.push({ id, title, value, facet: 'bound', keyword });
  if (minimum !== undefined) add('minimum', 'below', 'one below the minimum', minimum - 1);
  if (maximum !== undefined) add('maximum', 'above', 'one above the maximum', maximum + 1);
  if (minLength) add('minLength', 'too-short', 'one shorter than allowed', 'x'.repeat(minLength - 1));
  if (maxLength !== undefined)
    add('maxLength', 'too-long', 'one longer than allowed', 'x'.repeat(maxLength + 1));
  return wrong;
}

/** The wrong type that a lax parser turns into the right one. */
function coercible(name: string, schema: Schema): Wrong {
  // Many a library takes a number for the place of a member.
  if (schema.enum?.every((each) => typeof each === 'string'))
    return { id: 'number', title: 'a number', value: 0, facet: 'type' };
  if (schema.enum) return { id: 'boolean', title: 'a boolean', value: true, facet: 'type' };
  if (schema.type === 'string') return { id: 'number', title: 'a number', value: 12, facet: 'type' };
  if (schema['x-reference']) {
    return {
      id: 'string',
      title: 'a string',
      value: { late: 'reference', name, as: 'string' } satisfies Late,
      facet: 'type',
    };
  }
  return { id: 'string', title: 'a string', value: String(schema.minimum ?? 1), facet: 'type' };
}

/**
 * A text with room at its end, as long as its schema allows: lengths are counted in characters (JSON Schema Validation
 * section 6.3).
 */
function fitted(text: string, schema: Schema): string {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const characters = [...text];
  const missing = minLength - characters.length - ROOM.length;
  const padded = missing > 0 ? [...characters, ...'x'.repeat(missing)] : characters;
  const kept = padded.slice(0, Math.max(0, maxLength - ROOM.length));
  return [...kept, ...ROOM].slice(0, maxLength).join('');
}
