import { describe, expect, test } from 'vitest';
import { json } from '../../../test/exchanges/json.ts';
import type { Schema } from '../../model/contract.ts';
import { schemaErrors } from './schema-validator.ts';

const isValid = (schema: Schema, text: string) => schemaErrors(schema, json(text)).length === 0;

describe('numbers', () => {
  const ID = { type: 'integer', format: 'int64' };

  test.each<[schema: Schema, text: string, valid: boolean]>([
    [ID, '0', true],
    [ID, '1.0', true],
    [ID, '1e3', true],
    [ID, '1.5', false],
    [ID, '9007199254740993', true],
    [ID, '9223372036854775807', true],
    [ID, '9223372036854775808', false],
    [ID, '-9223372036854775808', true],
    [ID, '-9223372036854775809', false],
    [ID, '1e400', false],
    [ID, '"1"', false],
    [ID, 'true', false],
    [ID, 'null', false],
    [{ type: 'integer', format: 'int32' }, '2147483647', true],
    [{ type: 'integer', format: 'int32' }, '2147483648', false],
    [{ type: 'integer', format: 'int32' }, '-2147483648', true],
    [{ type: 'integer', format: 'int32' }, '-2147483649', false],
    [{ type: 'integer' }, '9223372036854775808', true],
    [{ type: 'number', format: 'int32' }, '2147483648', true],
    [{ type: 'integer', format: 'of-another-world' }, '5', true],
    [{ type: 'number' }, '1.5', true],
    [{ type: 'number' }, '"1.5"', false],
    [{ type: 'number' }, '1e400', false],
    [{ multipleOf: 0.5 }, '1.5', true],
    [{ multipleOf: 0.5 }, '1.2', false],
    // No double holds it, so nobody knows whether it is one.
    [{ multipleOf: 0.5 }, '1e400', true],
    [{ multipleOf: 0.5 }, '-1e400', true],
    [{ type: 'integer', minimum: 1, maximum: 100 }, '0', false],
    [{ type: 'integer', minimum: 1, maximum: 100 }, '1', true],
    [{ type: 'integer', minimum: 1, maximum: 100 }, '100', true],
    [{ type: 'integer', minimum: 1, maximum: 100 }, '101', false],
    [{ type: 'integer', minimum: 1, maximum: 100 }, '9007199254740993', false],
    [{ type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 }, '1', false],
    [{ type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 }, '1.5', true],
    [{ type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 }, '2', false],
    [{ type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 }, '0', false],
    [{ type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 }, '3', false],
  ])('%o: %s: %s', (schema, text, valid) => {
    expect(isValid(schema, text)).toBe(valid);
  });
});

describe('other schemas', () => {
  const DATE_OR_SECONDS = {
    oneOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', format: 'http-date' },
    ],
  };

  test.each<[schema: Schema, text: string, valid: boolean]>([
    [DATE_OR_SECONDS, '30', true],
    [DATE_OR_SECONDS, '-1', false],
    [DATE_OR_SECONDS, '"Sat, 21 Nov 2026 12:34:56 GMT"', true],
    [DATE_OR_SECONDS, '"Saturday, 21-Nov-26 12:34:56 GMT"', true],
    [DATE_OR_SECONDS, '"soon"', false],
    [DATE_OR_SECONDS, '"30"', false],
    [{ oneOf: [{ type: 'integer' }, { type: 'string' }] }, '9007199254740993', true],
    [{ type: 'string', enum: ['a', 'b'] }, '"a"', true],
    [{ type: 'string', enum: ['a', 'b'] }, '"A"', false],
    [{ type: 'string' }, '5', false],
    [{ type: 'string', format: 'email' }, '"a@example.com"', true],
    [{ type: 'string', format: 'email' }, '"a"', false],
    [{ format: 'email' }, '"a"', false],
    [{}, '"anything"', true],
    [{ items: { type: 'string' } }, '["a"]', true],
    [{ items: { type: 'string' } }, '["a", 5]', false],
  ])('%o: %s: %s', (schema, text, valid) => {
    expect(isValid(schema, text)).toBe(valid);
  });

  test('says where a value is wrong and what is missing, as segments of a JSON Pointer', () => {
    const schema: Schema = {
      type: 'array',
      items: {
        type: 'object',
        required: ['a/b', 'c'],
        properties: {
          'a/b': { type: 'integer' },
          c: { type: 'object', properties: { '~1': { type: 'string' } } },
        },
      },
    };
    const errors = schemaErrors(
      schema,
      json('[{"a/b": 1, "c": {}}, {"a/b": "1", "c": {"~1": 0}}, {"c": {}}, 5]'),
    );
    expect(errors).toHaveLength(4);
    expect(errors.map(({ words: _, ...each }) => each)).toEqual(
      expect.arrayContaining([
        { pointer: ['1', 'a/b'], missing: false, keyword: 'type' },
        { pointer: ['1', 'c', '~1'], missing: false, keyword: 'type' },
        { pointer: ['2', 'a/b'], missing: true, keyword: 'required' },
        { pointer: ['3'], missing: false, keyword: 'type' },
      ]),
    );
    expect(schemaErrors(schema, json('[{"a/b": 1, "c": {}}]'))).toEqual([]);
  });

  test.each<[broken: string, rule: Schema, value: string]>([
    ['type', { type: 'integer', minimum: 5 }, '"4"'],
    ['type', { type: 'integer', minimum: 5 }, '4.5'],
    ['type', { type: 'number', maximum: 5 }, 'null'],
    ['minimum', { type: 'integer', minimum: 5, maximum: 9 }, '4'],
    ['maximum', { type: 'integer', minimum: 5, maximum: 9 }, '10'],
    ['maximum', { type: 'number', minimum: 0, maximum: 1 }, '1.5'],
    ['exclusiveMinimum', { type: 'number', exclusiveMinimum: 0, maximum: 1 }, '0'],
    ['exclusiveMaximum', { type: 'number', minimum: 0, exclusiveMaximum: 1 }, '1'],
    ['minimum', { type: 'integer', format: 'int64', minimum: 0 }, '-1'],
    ['format', { type: 'integer', format: 'int64', minimum: 0 }, '9223372036854775808'],
    ['format', { type: 'integer', format: 'int32' }, '2147483648'],
    ['maxLength', { type: 'string', maxLength: 1 }, '"ab"'],
    ['enum', { type: 'string', enum: ['a'] }, '"b"'],
    ['format', { type: 'string', format: 'http-date' }, '"today"'],
  ])('names what is broken: %s of %o by %s', (broken, rule, value) => {
    expect(schemaErrors(rule, json(value)).map(({ keyword }) => keyword)).toEqual([broken]);
  });
});

describe('null where it is allowed', () => {
  const nullable = (schema: Schema): Schema => ({ 'x-nullable': true, ...schema });

  test.each<[schema: Schema, text: string, broken: string[]]>([
    [{ type: 'integer' }, 'null', []],
    [{ type: 'integer' }, '"1"', ['type']],
    [{ type: 'integer' }, '1', []],
    [{ type: 'string' }, 'null', []],
    [{ type: 'string' }, '1', ['type']],
    [{ type: 'string', enum: ['a'] }, 'null', []],
    [{ type: 'string', enum: ['a', null] }, 'null', []],
    [{ allOf: [{ type: 'string' }] }, 'null', []],
    [{ anyOf: [{ type: 'string' }] }, 'null', []],
    [{ oneOf: [{ type: 'string' }] }, 'null', []],
    [{ not: { type: 'null' } }, 'null', []],
    [{ if: { type: 'string' }, else: { type: 'boolean' } }, 'null', []],
    [{ anyOf: [{ type: 'string' }] }, '1', ['anyOf']],
  ] as const)('%o: %s', (schema, text, broken) => {
    const errors = schemaErrors(nullable(schema as Schema), json(text));
    expect(errors.map(({ keyword }) => keyword)).toEqual(broken);
  });
});

describe('a value that fits no member is one error', () => {
  const orNull = (schema: Schema, keyword: 'anyOf' | 'oneOf') => ({ [keyword]: [schema, { type: 'null' }] });
  const text = (keyword: 'anyOf' | 'oneOf') => orNull({ type: 'string' }, keyword);
  const objectOf = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });
  const placesOf = (schema: Schema, value: string) =>
    schemaErrors(schema, json(value))
      .map(({ pointer }) => `/${pointer.join('/')}`)
      .sort();

  test.each([
    ['anyOf', 'anyOf'],
    ['anyOf', 'oneOf'],
    ['oneOf', 'anyOf'],
    ['oneOf', 'oneOf'],
  ] as const)('%s inside %s, in a component or not', (within, without) => {
    const owner = objectOf({ email: text(within) });
    for (const member of [owner, { ...owner, 'x-component': 'Owner' }])
      expect(placesOf(objectOf({ owner: orNull(member, without) }), '{"owner":{"email":5}}')).toEqual([
        '/owner',
      ]);
  });

  test.each([1, 2, 5])('also if members are components that are choices, %s of them', (levels) => {
    const leaf: Schema = { ...objectOf({ a: { type: 'string' } }), 'x-component': 'Leaf' };
    const other: Schema = { ...objectOf({ a: { type: 'boolean' } }), 'x-component': 'Other' };
    const choice = Array.from({ length: levels }, (_, level) => `Choice${level}`).reduce(
      (inner, name): Schema => ({ 'x-component': name, anyOf: [inner, other] }),
      leaf,
    );
    expect(placesOf(choice, '{"a":5}')).toEqual(['/']);
    expect(placesOf(objectOf({ x: choice }), '{"x":{"a":5}}')).toEqual(['/x']);
    expect(placesOf(choice, '{"a":"text"}')).toEqual([]);
  });

  test('also if a member is a component with a choice for one of its fields', () => {
    const named: Schema = { ...objectOf({ n: { type: 'string' } }), 'x-component': 'Named' };
    const member: Schema = {
      ...objectOf({ a: { anyOf: [named, { type: 'null' }] }, b: named }),
      'x-component': 'Member',
    };
    expect(placesOf({ anyOf: [member, { type: 'null' }] }, '{"a":5}')).toEqual(['/']);
  });

  test('also if a member contains it again', () => {
    const category: Schema = { ...objectOf({ name: { type: 'string' } }), 'x-component': 'Category' };
    const parent = orNull({ 'x-circular': category }, 'oneOf');
    Object.assign(category.properties ?? {}, { parent });
    const value = '{"parent":{"name":"a","parent":{"name":5}}}';
    expect(placesOf(category, value)).toEqual(['/parent']);
  });

  test.each<[what: string, schema: Schema, value: string, places: string[]]>([
    ['at two places', objectOf({ a: text('anyOf'), b: text('anyOf') }), '{"a":5,"b":5}', ['/a', '/b']],
    [
      'beside another wrong field, whose name begins like its own',
      objectOf({ a: text('anyOf'), ab: { type: 'string' }, b: { type: 'string' } }),
      '{"a":5,"ab":5,"b":5}',
      ['/a', '/ab', '/b'],
    ],
    [
      'in one part of an allOf, and in another',
      { allOf: [objectOf({ a: text('anyOf') }), { anyOf: [{ required: ['b'] }, { required: ['c'] }] }] },
      '{"a":5}',
      ['/', '/a'],
    ],
    [
      'beside a component that is no member',
      {
        anyOf: [{ required: ['b'] }, { required: ['c'] }],
        ...objectOf({ a: { ...text('anyOf'), 'x-component': 'Text' } }),
      },
      '{"a":5}',
      ['/', '/a'],
    ],
  ])('%s', (_what, schema, value, places) => {
    expect(placesOf(schema, value)).toEqual(places);
  });
});
