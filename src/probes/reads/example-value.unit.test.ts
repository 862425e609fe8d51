import { describe, expect, test } from 'vitest';
import { parameter } from '../../../test/operations/operations.ts';
import { mayBeObject } from '../../contract/schema.ts';
import type { Schema } from '../../model/contract.ts';
import { OF_FORMAT } from '../../requests/plain-values.ts';
import { exampleValue, fitsSchema, fittingValue, isGuessed } from './example-value.ts';

test.each<[schema: Schema, fitting: unknown[], others: unknown[]]>([
  [{}, ['a', 1, 1.5, true, ['a'], { a: 1 }], ['', [], null, Number.NaN, Number.POSITIVE_INFINITY]],
  [{ type: 'string' }, ['a'], ['', 1, true, ['a'], { a: 1 }, null]],
  [{ type: 'string', minLength: 2, maxLength: 3 }, ['ab', 'abc', '🐈🐈'], ['a', 'abcd', '🐈']],
  [{ type: 'string', pattern: '^[a-c]+$' }, ['abc'], ['d', 'abcd']],
  [{ type: 'string', pattern: '^.$' }, ['🐈'], ['ab']],
  [{ enum: ['a', 2] }, ['a', 2], ['b', 3, true]],
  [{ type: 'boolean' }, [true, false], ['true', 1]],
  [{ type: 'integer' }, [0, -3], [1.5, '1', true]],
  [{ type: 'number' }, [0, 1.5], ['1', true, Number.NaN]],
  [{ type: 'integer', minimum: 2, maximum: 4 }, [2, 4], [1, 5]],
  [{ type: 'integer', exclusiveMinimum: 2, exclusiveMaximum: 5 }, [3, 4], [2, 5]],
  [{ type: 'number', multipleOf: 0.5 }, [1, 1.5], [0.7]],
  [{ type: 'integer', multipleOf: 0 }, [7], []],
  // In OpenAPI 3.0 they are booleans beside the bound.
  [{ type: 'integer', exclusiveMinimum: true, exclusiveMaximum: false }, [0, 1, -1], []],
  [{ type: 'array' }, [['a']], [[], 'a', { a: 1 }]],
  [{ type: 'object' }, [{ a: 1 }, {}], [['a'], 'a', null]],
])('what fits %j', (schema, fitting, others) => {
  for (const value of fitting) expect(fitsSchema(value, schema), String(value)).toBe(true);
  for (const value of others) expect(fitsSchema(value, schema), String(value)).toBe(false);
});

test.each<[schema: Schema, value: unknown]>([
  [{ type: 'boolean' }, true],
  [{ type: 'integer' }, 1],
  [{ type: 'integer', minimum: 0 }, 1],
  [{ type: 'integer', maximum: 0 }, 0],
  [{ type: 'integer', minimum: 5, maximum: 9 }, 5],
  [{ type: 'integer', exclusiveMinimum: 1 }, 2],
  [{ type: 'integer', exclusiveMaximum: 1 }, 0],
  [{ type: 'integer', minimum: 1, maximum: 20, multipleOf: 7 }, 7],
  [{ type: 'integer', maximum: 6, multipleOf: 7 }, 0],
  [{ type: 'integer', minimum: 15, multipleOf: 7 }, 21],
  [{ type: 'integer', maximum: -3, multipleOf: 5 }, -5],
  [{ type: 'integer', minimum: 1, maximum: 6, multipleOf: 7 }, undefined],
  [{ type: 'number', exclusiveMinimum: 3, multipleOf: -1 }, 4],
  [{ type: 'string' }, 'petspec'],
  [{ type: 'string', minLength: 8, maxLength: 8 }, 'petspecx'],
  [{ type: 'string', format: 'color' }, 'petspec'],
  [{ anyOf: [{ type: 'string', 'x-unjudged': true }, { type: 'integer' }] }, 1],
  [{ anyOf: [{ type: 'string', 'x-unjudged': true }, { type: 'null' }] }, 'petspec'],
  [{ anyOf: [{ type: 'string', format: 'date' }, { type: 'integer' }] }, '2024-01-31'],
  [{ type: 'string', format: 'date', maxLength: 5 }, undefined],
  [{ type: 'string', example: 'own' }, 'own'],
  [{ type: 'string', example: 7 }, 'petspec'],
  [{ enum: ['a', 'b'], example: 'b' }, 'b'],
  [{ enum: ['a', 'b'], example: 'c' }, 'a'],
  [{ type: 'array' }, undefined],
  [{ type: 'array', items: { type: 'integer' } }, [1]],
  [{ type: 'array', items: { type: 'string', pattern: '^(?!)$' } }, undefined],
  [{ type: 'object', properties: { a: { type: 'integer' }, b: {} } }, { a: 1 }],
  [{ type: 'object', properties: { a: { type: 'integer' }, b: {} }, required: ['a'] }, { a: 1 }],
  [{ type: 'object', properties: { a: { type: 'integer' }, b: {} }, required: ['a', 'b'] }, undefined],
  [{ type: 'object', properties: { b: {} } }, undefined],
  [{}, undefined],
])('a value that fits %j is %j', (schema, value) => {
  expect(fittingValue(schema)).toEqual(value);
});

test('an example comes before the default, and the default before any other value, if they fit', () => {
  const exampleOf = (schema: Schema, example?: unknown) =>
    exampleValue(parameter('size', schema, example === undefined ? {} : { example }));
  expect(exampleOf({ type: 'string', default: 'small', enum: ['large', 'small'] })).toBe('small');
  expect(exampleOf({ type: 'string', default: 'small' }, 'large')).toBe('large');
  expect(exampleOf({ type: 'integer', default: 'small' }, 'large')).toBe(1);
});

/** As RFC 3339, RFC 4648, RFC 5322, RFC 1123, RFC 3986 and RFC 4122 have them. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  duration: /^P\d+[DWMY]$/,
  email: /^[a-z]+@example\.com$/,
  hostname: /^(?:[a-z0-9-]+\.)+[a-z]+$/,
  ipv4: /^192\.0\.2\.\d+$/,
  ipv6: /^2001:db8::[0-9a-f]+$/,
  time: /^\d\d:\d\d:\d\dZ$/,
  uri: /^https:\/\/example\.com\//,
  'uri-reference': /^\/[a-z]+$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
};

test.each(Object.entries(FORMATS))('a text of the format %s has that format', (format, form) => {
  expect(fittingValue({ type: 'string', format })).toMatch(form);
  expect(Object.keys(OF_FORMAT).sort()).toEqual(Object.keys(FORMATS).sort());
});

test('an example for which its pattern would take years is taken as it is', () => {
  const example = `${'a'.repeat(60)}!`;
  const slow = parameter('name', { type: 'string', pattern: '^(a+)+$' }, { example });
  expect(exampleValue(slow)).toBe(example);
  expect(fitsSchema(example, slow.schema)).toBe(true);
});

describe('schemas that have the next one twice, forty times over,', () => {
  const doubled = (twice: (next: Schema) => Schema, last: Schema) => {
    let schema = last;
    for (let level = 0; level < 40; level += 1) schema = twice(schema);
    return schema;
  };
  const object = (next: Schema): Schema => ({
    type: 'object',
    required: ['a', 'b'],
    properties: { a: next, b: next },
  });
  const either = (next: Schema): Schema => ({ anyOf: [next, next] });
  const list = (next: Schema): Schema => ({ type: 'array', minItems: 2, items: next });

  test.each<[what: string, schema: Schema]>([
    ['objects', doubled(object, { type: 'string' })],
    ['alternatives', doubled(either, { type: 'null' })],
    ['lists', doubled(list, { type: 'integer' })],
  ])('have no value that is found: %s', (_what, schema) => {
    expect(fittingValue(schema)).toBeUndefined();
  });

  test('say soon whether they have a text, or an object', () => {
    expect(isGuessed(parameter('filter', doubled(object, { type: 'integer' })))).toBe(false);
    expect(isGuessed(parameter('filter', doubled(object, { type: 'string' })))).toBe(true);
    expect(mayBeObject(doubled(either, { type: 'integer' }))).toBe(false);
    expect(mayBeObject(doubled(either, { type: 'object' }))).toBe(true);
  });
});

test.each<[schema: Schema, value: unknown]>([
  [{ type: 'integer', minimum: 10 }, 10],
  [{ type: 'integer', exclusiveMinimum: 10 }, 11],
  [{ type: 'number', maximum: -3 }, -3],
  [{ type: 'integer', minimum: 10, multipleOf: 4 }, 12],
  [{ type: 'string', enum: ['a', 'b'] }, 'a'],
  [{ type: 'string', default: 'c' }, 'c'],
  [{ type: 'string', format: 'date' }, '2024-01-31'],
  [{ type: 'string', minLength: 9 }, 'petspecxx'],
  [{ type: 'string', maxLength: 3 }, 'pet'],
  [{ type: 'string', pattern: '^[A-Z]{3}$' }, expect.stringMatching(/^[A-Z]{3}$/)],
  [{ type: 'string', pattern: '^(?=A)[A-Z]{3}$' }, undefined],
  [{ type: 'string', pattern: '^[A-Z]{3}$', example: 'USD' }, 'USD'],
  [{ type: 'array', items: { type: 'boolean' } }, [true]],
  [{ type: 'object' }, undefined],
])('a value that fits %j', (schema, value) => {
  expect(exampleValue(parameter('color', schema))).toEqual(value);
});

test('an example of the document comes first, unless it contradicts the schema', () => {
  expect(exampleValue(parameter('color', { type: 'integer', default: 2 }, { example: 3 }))).toBe(3);
  expect(exampleValue(parameter('color', { type: 'integer', default: 2 }, { example: 'x' }))).toBe(2);
});
