import { expect, test } from 'vitest';
import { schemaErrors } from '../../../src/contract/validation/schema-validator.ts';
import type { Json } from '../../../src/model/json.ts';
import { documentOf, read, schemaOf } from '../document.ts';

const NODE = {
  Node: {
    type: 'object',
    properties: { next: { $ref: '#/components/schemas/Node' }, n: { type: 'integer' } },
  },
};

const KEYWORDS: [keyword: string, openapi: string, schema: object, fits: Json, fails: Json][] = [
  ['nullable', '3.0.3', { type: 'string', nullable: true }, null, 7],
  ['nullable of a number', '3.0.3', { type: 'integer', nullable: true, minimum: 1 }, null, 0],
  ['nullable beside an enumeration', '3.0.3', { type: 'string', nullable: true, enum: ['a'] }, null, 'b'],
  [
    'nullable beside a reference',
    '3.0.3',
    { allOf: [{ $ref: '#/components/schemas/Node' }], nullable: true },
    null,
    { n: 'x' },
  ],
  [
    'nullable beside a choice',
    '3.0.3',
    { oneOf: [{ type: 'string' }, { type: 'integer' }], nullable: true },
    null,
    true,
  ],
  ['a schema that is not nullable', '3.0.3', { type: 'string' }, '', null],
  ['exclusiveMinimum: true', '3.0.3', { type: 'number', minimum: 3, exclusiveMinimum: true }, 4, 3],
  ['exclusiveMaximum: true', '3.0.3', { type: 'number', maximum: 3, exclusiveMaximum: true }, 2, 3],
  ['exclusiveMinimum', '3.1.0', { type: 'number', exclusiveMinimum: 3 }, 4, 3],
  ['minimum', '3.0.3', { type: 'number', minimum: 3 }, 3, 2],
  ['multipleOf', '3.0.3', { type: 'integer', multipleOf: 3 }, 6, 7],
  ['multipleOf a cent', '3.0.3', { type: 'number', multipleOf: 0.01 }, 19.99, 19.995],
  [
    'multipleOf beyond 2^53',
    '3.0.3',
    { type: 'integer', multipleOf: 5 },
    9_007_199_254_740_995n,
    9_007_199_254_740_993n,
  ],
  ['bounds without a type', '3.1.0', { minimum: 0, maximum: 10 }, 'x', -5],
  ['bounds in not', '3.1.0', { type: 'integer', not: { minimum: 100 } }, 5, 100],
  ['bounds in oneOf', '3.1.0', { oneOf: [{ maximum: 0 }, { minimum: 10 }] }, 15, 5],
  ['bounds of one of several types', '3.1.0', { type: ['integer', 'string'], minimum: 0 }, 'x', -5],
  [
    'int64 among several types',
    '3.1.0',
    { type: ['integer', 'string'], format: 'int64' },
    9_007_199_254_740_993n,
    9_223_372_036_854_775_808n,
  ],
  [
    'a number or an integer of 64 bits',
    '3.1.0',
    { type: ['number', 'integer'], format: 'int64' },
    1.5,
    9_223_372_036_854_775_808n,
  ],
  ['several types, 1.5', '3.1.0', { type: ['integer', 'array', 'object', 'boolean'] }, [], 1.5],
  ['null alone', '3.0.3', { enum: [null] }, null, 'a'],
  ['null as const', '3.1.0', { const: null }, null, 'a'],
  [
    'null as the only member of a nullable text',
    '3.0.3',
    { type: 'string', nullable: true, enum: [null] },
    null,
    'a',
  ],
  ['null among members without a type', '3.1.0', { enum: ['red', null] }, null, 'blue'],
  [
    'a member or null, as drf-spectacular writes it',
    '3.0.3',
    { nullable: true, oneOf: [{ type: 'string', enum: ['open'] }, { enum: [null] }] },
    'open',
    'shut',
  ],
  ['several types', '3.1.0', { type: ['string', 'integer'] }, 7, true],
  ['null among the types', '3.1.0', { type: ['string', 'null'] }, null, 7],
  ['const', '3.1.0', { const: 'a' }, 'a', 'b'],
  ['enum', '3.1.0', { enum: ['a', 1] }, 1, 'b'],
  ['oneOf', '3.1.0', { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 5 }] }, 3, 7],
  ['anyOf', '3.1.0', { anyOf: [{ type: 'integer' }, { type: 'string' }] }, 'a', true],
  [
    'oneOf in anyOf',
    '3.1.0',
    { anyOf: [{ oneOf: [{ type: 'integer' }, { type: 'string' }] }, { type: 'null' }] },
    'a',
    true,
  ],
  [
    'anyOf in oneOf',
    '3.1.0',
    { oneOf: [{ type: 'null' }, { anyOf: [{ type: 'integer' }, { type: 'string' }] }] },
    7,
    [],
  ],
  ['anyOf beside oneOf', '3.1.0', { anyOf: [{ type: 'string' }], oneOf: [{ maxLength: 1 }] }, 'a', 7],
  ['not', '3.1.0', { not: { type: 'string' } }, 1, 'a'],
  [
    'allOf',
    '3.1.0',
    { allOf: [{ type: 'object', required: ['a'] }, { properties: { a: { type: 'string' } } }] },
    { a: 'x' },
    { a: 1 },
  ],
  [
    'allOf of one closed schema',
    '3.0.3',
    { nullable: true, allOf: [{ type: 'object', properties: { a: {} }, additionalProperties: false }] },
    { a: 1 },
    { b: 1 },
  ],
  [
    'allOf of two closed schemas',
    '3.0.3',
    {
      allOf: [
        { type: 'object', properties: { a: {} }, additionalProperties: false },
        { properties: { b: { type: 'string' } }, additionalProperties: false },
      ],
    },
    { a: 1, b: 'x' },
    { a: 1, b: 1 },
  ],
  [
    'allOf of two conditions',
    '3.1.0',
    {
      allOf: [
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        { if: { properties: { a: { const: 1 } }, required: ['a'] }, then: { required: ['b'] } },
        {
          if: { properties: { c: { const: 1 } }, required: ['c'] },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: { required: ['d'] },
          else: { required: ['e'] },
        },
      ],
    },
    { e: 1 },
    { a: 1, e: 1 },
  ],
  [
    'allOf of two that count what they contain',
    '3.1.0',
    { allOf: [{ contains: { const: 1 } }, { contains: { const: 2 }, minContains: 2 }] },
    [1, 2, 2],
    [1, 1, 2],
  ],
  [
    'allOf of a first entry and of all entries',
    '3.1.0',
    { allOf: [{ prefixItems: [{ type: 'string' }] }, { items: { minLength: 2 } }] },
    ['ab', 'cd'],
    ['a'],
  ],
  [
    'allOf of what cannot be merged',
    '3.1.0',
    {
      allOf: [
        { minimum: 3, type: 'integer' },
        { minimum: 5, type: 'integer' },
      ],
    },
    6,
    4,
  ],
  ['allOf of an integer and a number', '3.1.0', { allOf: [{ type: 'number' }, { type: 'integer' }] }, 3, 3.5],
  [
    'allOf of two that describe one field',
    '3.1.0',
    { allOf: [{ properties: { a: { type: 'string' } } }, { properties: { a: { maxLength: 1 } } }] },
    { a: 'x' },
    { a: 'xy' },
  ],
  [
    'additionalProperties: false',
    '3.1.0',
    { type: 'object', properties: { a: {} }, additionalProperties: false },
    { a: 1 },
    { b: 1 },
  ],
  [
    'additionalProperties',
    '3.1.0',
    { type: 'object', additionalProperties: { type: 'string' } },
    { b: 'x' },
    { b: 1 },
  ],
  [
    'patternProperties',
    '3.1.0',
    { type: 'object', patternProperties: { '^x': { type: 'string' } } },
    { y: 1 },
    { x: 1 },
  ],
  ['minProperties', '3.0.3', { type: 'object', minProperties: 1 }, { a: 1 }, {}],
  ['items', '3.0.3', { type: 'array', items: { type: 'string' } }, ['a'], [1]],
  ['prefixItems', '3.1.0', { type: 'array', prefixItems: [{ type: 'string' }] }, ['a', 1], [1]],
  ['uniqueItems', '3.0.3', { type: 'array', uniqueItems: true }, [1, 2], [1, 1]],
  ['maxItems', '3.0.3', { type: 'array', maxItems: 1 }, [1], [1, 2]],
  ['pattern', '3.0.3', { type: 'string', pattern: '^a' }, 'ab', 'b'],
  ['maxLength', '3.0.3', { type: 'string', maxLength: 1 }, 'a', 'ab'],
  ['dependentRequired', '3.1.0', { type: 'object', dependentRequired: { a: ['b'] } }, { b: 1 }, { a: 1 }],
  ['if and then', '3.1.0', JSON.parse('{ "if": { "type": "string" }, "then": { "minLength": 2 } }'), 1, 'a'],
  ['contains', '3.1.0', { type: 'array', contains: { type: 'string' } }, [1, 'a'], [1]],
  ['a schema that is false', '3.1.0', { type: 'object', properties: { a: false } }, {}, { a: 1 }],
  [
    'what stands beside a reference',
    '3.1.0',
    { $ref: '#/components/schemas/Node', required: ['n'] },
    { n: 1 },
    {},
  ],
  [
    'a schema inside itself',
    '3.1.0',
    { $ref: '#/components/schemas/Node' },
    { next: { next: { n: 1 } } },
    { next: { next: { n: 'x' } } },
  ],
];

test.each(KEYWORDS)('%s (OpenAPI %s) is judged', async (_, openapi, source, fits, fails) => {
  const schema = await schemaOf(source, NODE, openapi);
  expect(schemaErrors(schema, fits)).toEqual([]);
  expect(schemaErrors(schema, fails)).not.toEqual([]);
});

test('a choice that fits no member is one error, at the choice', async () => {
  const schema = await schemaOf({
    type: 'object',
    properties: {
      a: {
        oneOf: [
          { type: 'object', required: ['x', 'y'] },
          { type: 'string', minLength: 2 },
        ],
      },
    },
  });
  expect(schemaErrors(schema, { a: {} })).toMatchObject([
    { pointer: ['a'], missing: false, keyword: 'oneOf' },
  ]);
});

test('with a discriminator it does not matter that two members fit', async () => {
  const members = [{ type: 'object' }, { type: 'object', properties: { kind: { type: 'string' } } }];
  const schema = await schemaOf({ oneOf: members, discriminator: { propertyName: 'kind' } });
  expect(schemaErrors(schema, { kind: 'a' })).toEqual([]);
});

test('what is write-only need not come back, and what is read-only is not sent', async () => {
  const thing = {
    type: 'object',
    required: ['id', 'secret'],
    properties: { id: { type: 'integer', readOnly: true }, secret: { type: 'string', writeOnly: true } },
  };
  const document = documentOf(thing);
  const requestBody = { content: { 'application/json': { schema: thing } } };
  const post = { operationId: 'add', requestBody, responses: { 201: { description: 'x' } } };
  const paths = { '/things': { ...document.paths['/things'], post } };
  const { operations } = await read({ 'openapi.json': { ...document, paths } });
  expect(operations[0]?.responses[0]?.schema?.required).toEqual(['id']);
  expect(operations[1]?.body?.schema.required).toEqual(['secret']);
  expect(Object.keys(operations[1]?.body?.schema.properties ?? {})).toEqual(['secret']);
});

test('what one part of allOf says is write-only need not come back if another requires it, and may', async () => {
  const schema = await schemaOf({
    allOf: [
      {
        type: 'object',
        properties: { name: { type: 'string' }, password: { type: 'string', writeOnly: true } },
      },
      { required: ['name', 'password'] },
    ],
    additionalProperties: { type: 'integer' },
  });
  expect(schemaErrors(schema, { name: 'a' })).toEqual([]);
  expect(schemaErrors(schema, { name: 'a', password: 'b' })).toEqual([]);
  expect(schemaErrors(schema, { password: 'b' })).not.toEqual([]);
});

test('a closed schema allows what is write-only to come back, which is only discouraged', async () => {
  const properties = { secret: { type: 'string', writeOnly: true } };
  const schema = await schemaOf({ type: 'object', properties, additionalProperties: false });
  expect(schemaErrors(schema, { secret: 'b' })).toEqual([]);
  expect(schemaErrors(schema, { other: 'b' })).not.toEqual([]);
});

const CARELESS: object[] = [
  ...[
    { minLength: -1 },
    { minLength: 'x' },
    { multipleOf: 0 },
    { multipleOf: 'a' },
    { minItems: 'x' },
    { uniqueItems: 'x' },
    { type: { toString: null } },
    { format: { toString: null } },
  ],
  ...[
    { required: ['a', 'a'] },
    { required: 'a' },
    { enum: [] },
    { enum: [1, 1] },
    { enum: 'x' },
    { pattern: '(' },
  ],
  ...[
    { dependentRequired: 5 },
    { dependentRequired: { a: 'b' } },
    { patternProperties: { '(': { type: 'string' } } },
  ],
  ...[
    { properties: { a: 5 } },
    { properties: [] },
    { additionalProperties: 'x' },
    { items: 5 },
    { items: [] },
  ],
  ...[
    { anyOf: [] },
    { oneOf: 'x' },
    { allOf: {} },
    { not: 5 },
    { type: 'date' },
    { type: [] },
    { minimum: '3' },
  ],
  ...[
    { contains: true },
    { prefixItems: [] },
    { propertyNames: false },
    { format: 7 },
    { 'x-unspecified': 5 },
  ],
];

// A document may be careless: what is written wrong restricts nothing, and judging goes on.
test.each(CARELESS)('%j is a schema that values can be judged by', async (source) => {
  const schema = await schemaOf(source);
  for (const value of [1, 'a', null, [], {}, [1], { a: 1 }, true])
    expect(Array.isArray(schemaErrors(schema, value))).toBe(true);
});

test('a number that no double holds restricts nothing by its multiples', async () => {
  const text = JSON.stringify(documentOf({ multipleOf: 'beyond' })).replace('"beyond"', '1e999');
  const { operations, gaps } = await read({ 'openapi.json': text });
  expect(schemaErrors(operations[0]?.responses[0]?.schema ?? {}, 7)).toEqual([]);
  expect(gaps.map(({ reason }) => reason)).toEqual([
    'the value of multipleOf is not valid, so it is not judged',
  ]);
});
