import type { Schema } from '../model/contract.ts';
import { rawNumber } from '../model/json.ts';
import type { Late, LenientForm, Probe } from '../model/probe.ts';
import { INT64_MAX, INT64_MIN, LONG, LONGEST, longText } from '../requests/plain-values.ts';

/** The first integer that a double cannot hold. */
const BEYOND_DOUBLE = 9007199254740993n;
const UINT32_MAX = 4294967295n;
const INT32_MAX = 2 ** 31 - 1;

/** A value that the interface allows, but that a service may refuse. */
export interface Extreme {
  id: string;
  title: string;
  valueFor(field: Schema): unknown;
  isReadBack?: Pick<Probe, 'isReadBack'>;
}

const int64 = (value: bigint) => (field: Schema) => (field.format === 'int64' ? value : undefined);
const longest = ({ type, enum: members, maxLength }: Schema) =>
  type === 'string' && !members && maxLength === undefined ? longText(LONG) : undefined;

/** Runs without a seed always send it. */
export const MINIMUM: Extreme = { id: 'minimum', title: 'int64 minimum', valueFor: int64(INT64_MIN) };

/** One seed in eight sends it among the creations, the others after the recovery. */
export const ZERO: Extreme = { id: 'zero', title: 'int64 zero', valueFor: int64(0n) };
export const MINUS_ONE: Extreme = { id: 'minus-one', title: 'int64 minus one', valueFor: int64(-1n) };

export const EXTREMES: readonly Extreme[] = [
  { id: 'maximum', title: 'int64 maximum', valueFor: int64(INT64_MAX) },
  {
    id: 'beyond-2-53',
    title: 'int64 beyond 2^53',
    valueFor: int64(BEYOND_DOUBLE),
    isReadBack: { isReadBack: true },
  },
  { id: 'long', title: 'texts of 1,000 characters', valueFor: longest },
];

/** The extreme value of one more request, or its form with plain values: the seed chooses one of these. */
export const FURTHER_EXTREMES: readonly (Extreme | { form: LenientForm })[] = [
  ZERO,
  { form: 'type-charset' },
  MINUS_ONE,
  { form: 'chunked' },
  { id: 'unsigned-32', title: 'int64 beyond 2^31', valueFor: int64(UINT32_MAX) },
  { form: 'type-case' },
  MINIMUM,
  { form: 'spelling' },
];

export interface Wrong {
  /** Part of the probe's id, so it never changes. */
  id: string;
  title: string;
  value: unknown;
  facet: 'type' | 'format' | 'bound' | 'enum';
  /** The keyword of the bound that the value violates. */
  keyword?: string;
}

/** Makes the wrong values of one kind for a field; none if the kind does not fit its schema. */
type WrongMaker = (name: string, schema: Schema) => Wrong[];

/**
 * The kinds of wrong values. Which of them a service has to refuse depends on what its interface leaves open, so whoever sends them
 * names the kinds: a framework may convert `"5"` to 5, or take the only entry of an array, and read null as an absent field.
 */
const WRONG = {
  converted: (name, schema) => [coercible(name, schema)],
  null: () => [{ id: 'null', title: 'null', value: null, facet: 'type' }],
  object: (_, { type }) =>
    type === 'object' ? [] : [{ id: 'object', title: 'an object', value: { value: 1 }, facet: 'type' }],
  array: (_, { type }) =>
    type === 'array' ? [] : [{ id: 'array', title: 'an array', value: ['a'], facet: 'type' }],
  /** No framework takes it for one of its entries. */
  'two entries': (_, { type }) =>
    type === 'array'
      ? []
      : [{ id: 'array', title: 'an array of two entries', value: ['a', 'b'], facet: 'type' }],
  boolean: (_, { type }) =>
    type === 'integer' || type === 'number'
      ? [{ id: 'boolean', title: 'a boolean', value: true, facet: 'type' }]
      : [],
  fraction: (name, schema) => {
    if (schema.type !== 'integer') return [];
    const value = schema['x-reference']
      ? ({ late: 'reference', name, as: 'fraction' } satisfies Late)
      : rawNumber('1.5');
    return [{ id: 'fraction', title: 'a fraction', value, facet: 'type' }];
  },
  int64: (_, { format }) =>
    format === 'int64'
      ? [{ id: 'beyond-int64', title: 'one beyond int64', value: INT64_MAX + 1n, facet: 'format' }]
      : [],
  int32: (_, { format }) =>
    format === 'int32'
      ? [{ id: 'beyond-int32', title: 'one beyond int32', value: INT32_MAX + 1, facet: 'format' }]
      : [],
  /** A member in capitals, or followed by letters if it is in capitals already. */
  'non-member': (_, { enum: members }) => {
    if (!members) return [];
    const member = String(members[0]);
    const value = member === member.toUpperCase() ? `${member}-none` : member.toUpperCase();
    return [{ id: 'non-member', title: `${value}, which is not a member`, value, facet: 'enum' }];
  },
  /** A text that resembles no member. */
  unknown: (_, { enum: members }) =>
    members?.every(isText)
      ? [{ id: 'non-member', title: 'not in its enumeration', value: 'petspec-unknown', facet: 'enum' }]
      : [],
  'other case': (_, { enum: members }) => {
    const value = members?.every(isText) ? inOtherCase(members) : undefined;
    return value === undefined
      ? []
      : [{ id: 'other-case', title: `${value}, which is not a member`, value, facet: 'enum' }];
  },
  bounds: (_, schema) => beyondBounds(schema),
  /** For a form, which has texts alone. */
  text: (_, { type }) =>
    type === 'string' ? [] : [{ id: 'text', title: 'a text', value: 'petspec-none-such', facet: 'type' }],
} satisfies Readonly<Record<string, WrongMaker>>;
export type WrongKind = keyof typeof WRONG;

/** Wrong values of a field, each wrong in one way, in the order of the kinds. */
export function wrongValues(name: string, schema: Schema, kinds: readonly WrongKind[]): Wrong[] {
  return kinds.flatMap((kind) => WRONG[kind](name, schema));
}

/** Kinds that only a careless parser accepts, one for each of the first fields. */
const ROTATED: readonly WrongKind[] = ['object', 'array'];

/**
 * The kinds that an interface rules out that leaves nothing open.
 * @param index of the field: the first two also get an object or an array
 */
export function strictKinds(index: number): WrongKind[] {
  const rotated = ROTATED[index];
  return [
    ...(['converted', 'null'] as const),
    ...(rotated ? [rotated] : []),
    ...(['boolean', 'fraction', 'int64', 'non-member', 'bounds'] as const),
  ];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A member in capitals or in small letters, if that is not a member as well; undefined if there is none. */
function inOtherCase(members: readonly string[]): string | undefined {
  return members
    .flatMap((member) => [member.toUpperCase(), member.toLowerCase()])
    .find((text) => !members.includes(text));
}

/** A value beyond each bound of the schema. */
export function beyondBounds(schema: Schema): Wrong[] {
  const wrong: Wrong[] = [];
  const { minimum, maximum, minLength, maxLength } = schema;
  const add = (keyword: string, id: string, title: string, value: unknown) =>
    wrong.push({ id, title, value, facet: 'bound', keyword });
  if (minimum !== undefined) add('minimum', 'below', 'one below the minimum', minimum - 1);
  if (maximum !== undefined) add('maximum', 'above', 'one above the maximum', maximum + 1);
  if (minLength && minLength <= LONGEST)
    add('minLength', 'too-short', 'one shorter than allowed', 'x'.repeat(minLength - 1));
  if (maxLength !== undefined && maxLength < LONGEST)
    add('maxLength', 'too-long', 'one longer than allowed', 'x'.repeat(maxLength + 1));
  return wrong;
}

/** A value of the wrong type that a lax parser converts. */
function coercible(name: string, schema: Schema): Wrong {
  // Some libraries take a number for the index of a member.
  if (schema.enum?.every((member) => typeof member === 'string'))
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
  const value = schema.type === 'boolean' ? 'true' : String(schema.minimum ?? 1);
  return { id: 'string', title: 'a string', value, facet: 'type' };
}
