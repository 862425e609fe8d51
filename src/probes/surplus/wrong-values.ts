import type { Schema } from '../../model/contract.ts';
import { rawNumber } from '../../model/json.ts';
import type { Late } from '../../model/probe.ts';
import { INT64_MAX, INT64_MIN } from '../../requests/plain-values.ts';
import type { Wrong } from '../values.ts';

/** A value that careless code may take for one of another JSON type. */
interface MistakableValue {
  id: string;
  title: string;
  value: unknown;
}

/** Levels of a nested array: too many for some parsers, but not for most. */
const DEPTH = 100;

const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)]);
const raw = (id: string, digits: string): MistakableValue => ({
  id,
  title: digits,
  value: rawNumber(digits),
});

/** Values that are not a text; the likeliest mistakes first. */
const NO_TEXTS: readonly MistakableValue[] = [
  { id: 'false', title: 'false', value: false },
  { id: 'empty-array', title: 'an empty array', value: [] },
  { id: 'empty-object', title: 'an empty object', value: {} },
  raw('zero', '0'),
  { id: 'true', title: 'true', value: true },
  raw('fraction', '1.5'),
  { id: 'array-of-text', title: 'an array with a text', value: ['Rex'] },
  raw('negative', '-1'),
  { id: 'array-of-numbers', title: 'an array with a number', value: [1] },
  { id: 'deep', title: `an array ${DEPTH} levels deep`, value: nested(DEPTH) },
  { id: 'object', title: 'an object', value: { value: 'Rex' } },
  raw('exponent', '1e400'),
  { id: 'array-of-null', title: 'an array with null', value: [null] },
  raw('huge', '1'.repeat(60)),
];

/** Values that are not an integer of 64 bits; the likeliest mistakes first. */
const NO_INTEGERS: readonly MistakableValue[] = [
  { id: 'empty-text', title: 'an empty text', value: '' },
  { id: 'empty-object', title: 'an empty object', value: {} },
  { id: 'false', title: 'false', value: false },
  { id: 'word', title: 'a word', value: 'abc' },
  { id: 'beneath-int64', title: 'one beneath int64', value: INT64_MIN - 1n },
  { id: 'empty-array', title: 'an empty array', value: [] },
  { id: 'text-fraction', title: 'a fraction in a text', value: '1.5' },
  raw('half', '0.5'),
  raw('negative-fraction', '-1.5'),
  { id: 'blanks', title: 'a text of blanks', value: '  ' },
  { id: 'text-hexadecimal', title: 'hexadecimal digits in a text', value: '0x1' },
  { id: 'text-exponent', title: 'an exponent in a text', value: '1e0' },
  raw('small', '1e-7'),
  raw('two-to-64', String((INT64_MAX + 1n) * 2n)),
  raw('far', `1${'0'.repeat(40)}`),
  raw('exponent', '1e400'),
  { id: 'text-sign', title: 'a sign and a digit in a text', value: '+1' },
  { id: 'text-zeros', title: 'leading zeros in a text', value: '001' },
  { id: 'text-blank-before', title: 'a blank before a digit in a text', value: ' 1' },
  { id: 'text-blank-after', title: 'a blank after a digit in a text', value: '1 ' },
  { id: 'text-null', title: 'the text null', value: 'null' },
  { id: 'text-true', title: 'the text true', value: 'true' },
  { id: 'array-of-text', title: 'an array with a text', value: ['1'] },
  { id: 'deep', title: `an array ${DEPTH} levels deep`, value: nested(DEPTH) },
  { id: 'object', title: 'an object', value: { id: 1 } },
  { id: 'array-of-null', title: 'an array with null', value: [null] },
];

/** An array with a valid reference, which some languages convert to the reference. */
const inArray = (name: string): MistakableValue => ({
  id: 'in-array',
  title: 'an array with the right value',
  value: [{ late: 'reference', name, as: 'value' } satisfies Late],
});

/** Values that careless code takes for members of an enumeration of texts. */
function noMembers(members: readonly string[]): MistakableValue[] {
  const [first = '', last = ''] = [members[0], members.at(-1)];
  const text = (id: string, title: string, value: string): MistakableValue => ({ id, title, value });
  return [
    text('empty-text', 'an empty text', ''),
    text('blank-after', 'a member and a blank', `${last} `),
    { id: 'false', title: 'false', value: false },
    text('capital', 'a member with a capital letter', `${last.charAt(0).toUpperCase()}${last.slice(1)}`),
    { id: 'in-array', title: 'an array with a member', value: [first] },
    text('blank-before', 'a blank and a member', ` ${first}`),
    { id: 'empty-object', title: 'an empty object', value: {} },
    text('prefix', 'the beginning of a member', first.slice(0, -1)),
    text('two', 'two members', members.slice(0, 2).join(',')),
    { id: 'true', title: 'true', value: true },
    text('longer', 'a member and more letters', `${first}x`),
    text('line-end', 'a member and a line end', `${last}\n`),
    { id: 'empty-array', title: 'an empty array', value: [] },
    text('text-index', 'the index of a member in a text', '0'),
    { id: 'one', title: '1', value: 1 },
    text('text-null', 'the text null', 'null'),
    { id: 'negative', title: '-1', value: -1 },
    text('word', 'a word', 'unknown'),
    text('upper', 'the last member in capitals', last.toUpperCase()),
    { id: 'object', title: 'an object', value: { value: first } },
    text('blank', 'a blank', ' '),
    raw('fraction', '0.5'),
    text('long', 'a text of 2,000 characters', 'x'.repeat(2_000)),
  ].filter(({ value }) => typeof value !== 'string' || !members.includes(value));
}

/**
 * Values of a field that are certainly wrong; the likeliest mistakes first. A value that some service may accept, such as an empty
 * text for a field without a bound, is not among them.
 */
export function furtherWrongValues(name: string, schema: Schema): Wrong[] {
  const { type, enum: members } = schema;
  const wrong = (values: readonly MistakableValue[], facet: Wrong['facet'] = 'type') =>
    values.map((mistake): Wrong => ({ ...mistake, id: `further-${mistake.id}`, facet }));
  if (members) {
    const texts = members.filter((member) => typeof member === 'string');
    if (texts.length < members.length) return [];
    return noMembers(texts).map(
      (mistake): Wrong => ({
        ...mistake,
        id: `further-${mistake.id}`,
        facet: typeof mistake.value === 'string' ? 'enum' : 'type',
      }),
    );
  }
  if (type === 'string') return wrong(NO_TEXTS);
  if (type === 'integer' && schema.format === 'int64')
    return [...wrong(schema['x-reference'] ? [inArray(name)] : []), ...wrong(NO_INTEGERS)];
  return [];
}
