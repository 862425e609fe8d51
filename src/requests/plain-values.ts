import type { Schema } from '../model/contract.ts';
import { type Late, OWN_LENGTH } from '../model/probe.ts';

/** The bounds of int64. */
export const INT64_MIN = -9223372036854775808n;
export const INT64_MAX = 9223372036854775807n;

const PLAIN_TEXT = 'Rex';
/** A text of so many characters. */
export const longText = (length: number) => 'Ab'.repeat(Math.ceil(length / 2)).slice(0, length);

/** Signs of one, two, three and four bytes: a service that reads a body in parts finds one of several bytes at the end of a part. */
const SIGNS = ['A', 'é', '猫', '🐈'];

/** A text of so many signs, with about two and a half times as many bytes. It ends in letters, which are replaced. */
export const longTextOfSigns = (length: number) =>
  Array.from({ length: length - OWN_LENGTH }, (_, index) => SIGNS[index % SIGNS.length]).join('') +
  longText(OWN_LENGTH);

/** Longer texts are not sent, whatever a document allows: generators write 2147483647 where they mean no bound. */
export const LONGEST = 100_000;

/** Longer than any interface needs, and still short enough for most services. */
export const LONG = 1_000;

/** The end of every text. Each body replaces it with its own characters, because a service may require unique names. */
const ROOM = `-${'x'.repeat(OWN_LENGTH)}`;
/** The end of a text of digits, which keeps it a text of digits. */
const ROOM_OF_DIGITS = '0'.repeat(OWN_LENGTH);

/** A plain valid value of a schema; `variety` picks the member of an enumeration. */
export function sample(name: string, schema: Schema, variety?: number): unknown {
  if (schema.enum) return schema.enum[(variety ?? 0) % schema.enum.length];
  if (schema['x-reference']) return { late: 'reference', name, as: 'value' } satisfies Late;
  switch (schema.type) {
    case 'string':
      return fitted(PLAIN_TEXT, schema);
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

/** Only the required fields of an object schema. */
export function minimalBody(schema: Schema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fullBody(schema)).filter(([name]) => schema.required?.includes(name)),
  );
}

const isDigits = (text: string) => /^\d+$/.test(text);

/**
 * A text that ends with room for a body's own characters and has an allowed length, counted in characters (JSON Schema
 * Validation section 6.3).
 */
export function fitted(text: string, schema: Schema): string {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const room = isDigits(text) ? ROOM_OF_DIGITS : ROOM;
  const characters = [...text];
  const missing = Math.min(minLength, LONGEST) - characters.length - room.length;
  const padded = missing > 0 ? [...characters, ...(isDigits(text) ? '0' : 'x').repeat(missing)] : characters;
  const kept = padded.slice(0, Math.max(0, maxLength - room.length));
  return [...kept, ...room].slice(0, maxLength).join('');
}

/** A value at a bound of the schema, which has to be accepted; undefined if no bound is stated or the text is too long. */
export function atBound(schema: Schema, bound: 'least' | 'greatest'): unknown {
  const [number, length] =
    bound === 'least' ? [schema.minimum, schema.minLength] : [schema.maximum, schema.maxLength];
  if (number !== undefined) return number;
  return length === undefined || length > LONGEST ? undefined : 'x'.repeat(length);
}

/** Valid texts of the formats that petspec knows. The addresses are reserved for examples. */
export const OF_FORMAT: Readonly<Record<string, string>> = {
  byte: 'cGV0c3BlYw==',
  date: '2024-01-31',
  'date-time': '2024-01-31T12:00:00Z',
  duration: 'P1D',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  time: '12:00:00Z',
  uri: 'https://example.com/',
  'uri-reference': '/example',
  uuid: '6f0c5a0e-3a53-4f6e-9a77-0b8d1c2e3f40',
};

/**
 * The alternatives of a schema, in the order in which petspec tries them. A text comes last if it has a format that petspec does not
 * know, as what petspec makes up may be refused. It still comes before null, which says less.
 */
export function surestFirst(alternatives: readonly Schema[]): readonly Schema[] {
  const isGuess = ({ type, enum: members, ...keywords }: Schema) =>
    type === 'string' && members === undefined && keywords['x-unjudged'] === true;
  const sure = alternatives.filter((schema) => !isGuess(schema));
  return sure.some(({ type }) => type !== 'null') ? [...sure, ...alternatives.filter(isGuess)] : alternatives;
}
