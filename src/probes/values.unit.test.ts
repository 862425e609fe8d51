import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import type { Schema } from '../model/contract.ts';
import { rawNumber } from '../model/json.ts';
import { atBound, fitted, longText, minimalBody, sample } from '../requests/plain-values.ts';
import { pathProbes } from './parameters.ts';
import { beyondBounds, strictKinds, wrongValues } from './values.ts';

const strictValues = (name: string, schema: Schema, index: number) =>
  wrongValues(name, schema, strictKinds(index));

const VARIETIES = [undefined, 0, 1, 2, 3];
const lengthOf = (value: unknown) => [...String(value)].length;

test.each(VARIETIES)(
  'a text is as long as its schema allows, counted in characters: variety %s',
  (variety) => {
    expect(lengthOf(sample('name', { type: 'string', maxLength: 2 }, variety))).toBe(2);
    expect(lengthOf(sample('name', { type: 'string', minLength: 200 }, variety))).toBe(200);
    expect(lengthOf(sample('name', { type: 'string', minLength: 2, maxLength: 2 }, variety))).toBe(2);
    const free = lengthOf(sample('name', { type: 'string' }, variety));
    expect(free).toBeGreaterThan(2);
    expect(lengthOf(sample('name', { type: 'string', minLength: 2, maxLength: 200 }, variety))).toBe(free);
  },
);

test('a boolean is one', () => {
  expect(sample('tame', { type: 'boolean' })).toBe(true);
});

test.each([
  [{ type: 'object' }, 0],
  [{ type: 'array', items: { type: 'string' } }, 1],
] satisfies [Schema, number][])('what is right is no wrong value: %o', (schema, index) => {
  expect(strictValues('field', schema, index).map(({ id }) => id)).not.toContain(schema.type);
  expect(strictValues('field', { type: 'string' }, index).map(({ id }) => id)).toContain(schema.type);
});

test.each([
  [{ type: 'integer' }, 'boolean', true],
  [{ type: 'number' }, 'boolean', true],
  [{ type: 'integer', format: 'int64', 'x-reference': true }, 'boolean', true],
  [{ type: 'string', enum: ['a', 'b'] }, 'number', 0],
] satisfies [Schema, string, unknown][])('%o is also sent as a %s', (schema, id, value) => {
  for (const index of [0, 1, 2, 7])
    expect(strictValues('field', schema, index).filter((each) => each.id === id)).toEqual([
      expect.objectContaining({ value, facet: 'type' }),
    ]);
});

test('a number is no wrong type where numbers are members', () => {
  expect(strictValues('field', { enum: [0, 'a'] }, 0).map(({ id }) => id)).not.toContain('number');
});

test('what is unknown by a text is asked for by one', () => {
  const operation = loadContract().operations.find(({ id }) => id === 'getPet');
  if (!operation) throw new Error('no getPet');
  const asText = operation.parameters.map((each) => ({ ...each, schema: { type: 'string' } }));
  const unknown = (parameters: typeof operation.parameters) =>
    pathProbes({ ...operation, parameters }, []).find(({ id }) => id === 'getPet:unknown')?.path;
  expect(unknown(operation.parameters)).toEqual({ petId: { late: 'random', format: 'int64', like: [] } });
  expect(unknown(asText)).toEqual({ petId: 'none-such' });
});

type Row = [id: string, title: string, value: unknown, facet: string];
const NULL: Row = ['null', 'null', null, 'type'];
const STRING: Row = ['string', 'a string', '1', 'type'];
const BOOLEAN: Row = ['boolean', 'a boolean', true, 'type'];
const FRACTION: Row = ['fraction', 'a fraction', rawNumber('1.5'), 'type'];
const late = (as: string) => ({ late: 'reference', name: 'field', as });

test.each<[schema: Schema, rows: Row[]]>([
  [{ type: 'string' }, [['number', 'a number', 12, 'type'], NULL]],
  [{ type: 'boolean' }, [['string', 'a string', 'true', 'type'], NULL]],
  [{ type: 'number' }, [STRING, NULL, BOOLEAN]],
  [{ type: 'integer' }, [STRING, NULL, BOOLEAN, FRACTION]],
  [
    { type: 'integer', format: 'int64', minimum: 3, maximum: 9 },
    [
      ['string', 'a string', '3', 'type'],
      NULL,
      BOOLEAN,
      FRACTION,
      ['beyond-int64', 'one beyond int64', 9223372036854775808n, 'format'],
      ['below', 'one below the minimum', 2, 'bound'],
      ['above', 'one above the maximum', 10, 'bound'],
    ],
  ],
  [
    { type: 'integer', 'x-reference': true },
    [
      ['string', 'a string', late('string'), 'type'],
      NULL,
      BOOLEAN,
      ['fraction', 'a fraction', late('fraction'), 'type'],
    ],
  ],
  [
    { type: 'string', enum: ['new', 'sold'] },
    [['number', 'a number', 0, 'type'], NULL, ['non-member', 'NEW, which is not a member', 'NEW', 'enum']],
  ],
  [
    { type: 'string', enum: ['A'] },
    [
      ['number', 'a number', 0, 'type'],
      NULL,
      ['non-member', 'A-none, which is not a member', 'A-none', 'enum'],
    ],
  ],
  [{ enum: [1, 'a'] }, [BOOLEAN, NULL, ['non-member', '1-none, which is not a member', '1-none', 'enum']]],
  [
    { type: 'string', minLength: 2, maxLength: 4 },
    [
      ['number', 'a number', 12, 'type'],
      NULL,
      ['too-short', 'one shorter than allowed', 'x', 'bound'],
      ['too-long', 'one longer than allowed', 'xxxxx', 'bound'],
    ],
  ],
])('the wrong values of %j', (schema, rows) => {
  const wrong = strictValues('field', schema, 2);
  expect(wrong.map(({ id, title, value, facet }) => [id, title, value, facet])).toEqual(rows);
});

test('the first field also gets an object, the second one an array', () => {
  const types = (index: number) =>
    strictValues('field', { type: 'string' }, index)
      .slice(2)
      .map(({ id, title, value, facet }) => [id, title, value, facet]);
  expect(types(0)).toEqual([['object', 'an object', { value: 1 }, 'type']]);
  expect(types(1)).toEqual([['array', 'an array', ['a'], 'type']]);
  expect(types(2)).toEqual([]);
});

test('a value beyond a bound names the keyword of that bound', () => {
  const schema = { minimum: 0, maximum: 0, minLength: 1, maxLength: 0 };
  expect(beyondBounds(schema).map(({ keyword, value }) => [keyword, value])).toEqual([
    ['minimum', -1],
    ['maximum', 1],
    ['minLength', ''],
    ['maxLength', 'x'],
  ]);
  expect(beyondBounds({})).toEqual([]);
  // No text is shorter.
  expect(beyondBounds({ minLength: 0 })).toEqual([]);
});

test('a value at a bound is at it', () => {
  const number = { minimum: -4, maximum: 0 };
  expect([atBound(number, 'least'), atBound(number, 'greatest')]).toEqual([-4, 0]);
  const text = { minLength: 0, maxLength: 3 };
  expect([atBound(text, 'least'), atBound(text, 'greatest')]).toEqual(['', 'xxx']);
  expect([atBound({ maximum: 1 }, 'least'), atBound({ minLength: 1 }, 'greatest')]).toEqual([
    undefined,
    undefined,
  ]);
});

test.each<[schema: Schema, value: unknown]>([
  [{ type: 'string' }, 'Rex-xxxxxxxx'],
  [{ type: 'integer' }, 1],
  [{ type: 'number', maximum: 0.5 }, 0.5],
  [{ type: 'integer', minimum: 7, maximum: 9 }, 7],
  [{ type: 'integer', minimum: 0 }, 0],
  [{ type: 'boolean' }, true],
  [{ type: 'null' }, null],
  [{ type: 'array' }, []],
  [{ type: 'array', items: { type: 'integer' } }, [1]],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, ['b']],
  [{ properties: { size: { type: 'integer' }, state: { enum: ['a', 'b'] } } }, { size: 1, state: 'b' }],
  [{ type: 'object' }, {}],
  [{ type: 'integer', 'x-reference': true }, late('value')],
  [{ enum: ['a', 'b', 'c'] }, 'b'],
])('a plain value of %j, of the second variety', (schema, value) => {
  expect(sample('field', schema, 1)).toEqual(value);
});

test('varieties go through the members again and again, and begin with the first', () => {
  const members = { enum: ['a', 'b'] };
  expect([undefined, 0, 1, 2, 3].map((variety) => sample('field', members, variety))).toEqual([
    'a',
    'a',
    'b',
    'a',
    'b',
  ]);
});

test('a minimal body has the required fields alone', () => {
  const properties = { a: { type: 'integer' }, b: { type: 'integer' } };
  expect(minimalBody({ properties, required: ['b'] })).toEqual({ b: 1 });
  expect(minimalBody({ properties })).toEqual({});
});

test('a long text has so many characters', () => {
  expect(longText(5)).toBe('AbAbA');
  expect(longText(4)).toBe('AbAb');
});

test.each<[text: string, schema: Schema, expected: string]>([
  ['Rex', {}, 'Rex-xxxxxxxx'],
  ['Rex', { minLength: 15 }, 'Rexxxx-xxxxxxxx'],
  ['Rex', { maxLength: 11 }, 'Re-xxxxxxxx'],
  ['Rex', { maxLength: 4 }, '-xxx'],
  ['🐈🐈🐈', { maxLength: 11 }, '🐈🐈-xxxxxxxx'],
  // A text of digits stays one: that is what it is there for.
  ['07', {}, '0700000000'],
  ['07', { minLength: 12 }, '070000000000'],
  ['07', { maxLength: 9 }, '000000000'],
  ['7', { minLength: 9 }, '700000000'],
  ['7a', {}, '7a-xxxxxxxx'],
  ['a7', {}, 'a7-xxxxxxxx'],
])('the text %s with room for characters of its own, as %j allows', (text, schema, expected) => {
  expect(fitted(text, schema)).toBe(expected);
});

test('what a generator writes for no bound is no bound: nobody sends such a text', () => {
  const schema = { type: 'string', minLength: 2_147_483_647, maxLength: 2_147_483_647 };
  expect(beyondBounds(schema)).toEqual([]);
  expect([atBound(schema, 'least'), atBound(schema, 'greatest')]).toEqual([undefined, undefined]);
  expect(fitted('Rex', schema).length).toBeLessThan(200_000);
});
