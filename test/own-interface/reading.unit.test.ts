import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readInterface } from '../../src/contract/read-interface.ts';
import { schemaErrors } from '../../src/judge/exchange/schema-validator.ts';
import type { Schema } from '../../src/model/contract.ts';
import type { Json } from '../../src/model/json.ts';

/** Writes files into a folder of their own, and reads the first of them. */
function read(files: Readonly<Record<string, string | object>>) {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-interface-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return readInterface(join(folder, Object.keys(files)[0] ?? ''));
}

/** A document whose only operation answers with this schema. */
function documentOf(schema: object, components: object = {}, openapi = '3.1.0') {
  const content = { 'application/json': { schema } };
  return {
    openapi,
    info: { title: 'Things', version: '1' },
    paths: { '/things': { get: { operationId: 'list', responses: { 200: { description: 'x', content } } } } },
    components: { schemas: components },
  };
}

async function schemaOf(schema: object, components: object = {}, openapi = '3.1.0'): Promise<Schema> {
  const { operations } = await read({ 'openapi.json': documentOf(schema, components, openapi) });
  return operations[0]?.responses[0]?.schema ?? {};
}

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
  ['a schema that is not nullable', '3.0.3', { type: 'string' }, '', null],
  ['exclusiveMinimum: true', '3.0.3', { type: 'number', minimum: 3, exclusiveMinimum: true }, 4, 3],
  ['exclusiveMaximum: true', '3.0.3', { type: 'number', maximum: 3, exclusiveMaximum: true }, 2, 3],
  ['exclusiveMinimum', '3.1.0', { type: 'number', exclusiveMinimum: 3 }, 4, 3],
  ['minimum', '3.0.3', { type: 'number', minimum: 3 }, 3, 2],
  ['multipleOf', '3.0.3', { type: 'integer', multipleOf: 3 }, 6, 7],
  ['several types', '3.1.0', { type: ['string', 'integer'] }, 7, true],
  ['null among the types', '3.1.0', { type: ['string', 'null'] }, null, 7],
  ['const', '3.1.0', { const: 'a' }, 'a', 'b'],
  ['enum', '3.1.0', { enum: ['a', 1] }, 1, 'b'],
  ['oneOf', '3.1.0', { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 5 }] }, 3, 7],
  ['anyOf', '3.1.0', { anyOf: [{ type: 'integer' }, { type: 'string' }] }, 'a', true],
  ['not', '3.1.0', { not: { type: 'string' } }, 1, 'a'],
  [
    'allOf',
    '3.1.0',
    { allOf: [{ type: 'object', required: ['a'] }, { properties: { a: { type: 'string' } } }] },
    { a: 'x' },
    { a: 1 },
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
  expect(schemaErrors(schema, { a: {} })).toEqual([{ pointer: ['a'], missing: false, keyword: 'oneOf' }]);
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

test('a document may consist of several files, whose references lead back and forth', async () => {
  const { operations, gaps } = await read({
    'openapi.yaml': `openapi: 3.0.3
info: { title: Books, version: '1' }
paths: { /books: { $ref: paths/books.yaml } }
components: { schemas: { Title: { type: string, minLength: 1 } } }
`,
    'paths/books.yaml': `get:
  operationId: getBooks
  parameters: [{ $ref: '../common.json#/limit' }]
  responses: { 200: { description: Books., content: { application/json: { schema: { $ref: ../Book.yaml } } } } }
`,
    'common.json': { limit: { name: 'limit', in: 'query', schema: { type: 'integer' } } },
    'Book.yaml': `type: object
properties: { sequel: { $ref: Book.yaml }, title: { $ref: 'openapi.yaml#/components/schemas/Title' } }
`,
  });
  expect(gaps).toEqual([]);
  const [books] = operations;
  expect(books?.parameters.map(({ name }) => name)).toEqual(['limit']);
  const schema = books?.responses[0]?.schema ?? {};
  expect(schema['x-component']).toBe('Book');
  expect(schemaErrors(schema, { sequel: { title: 'a' } })).toEqual([]);
  expect(schemaErrors(schema, { sequel: { title: '' } })).not.toEqual([]);
});

test.each([
  ['a file outside its folder', '../../../etc/hosts'],
  ['an address', 'http://127.0.0.1:9/schema.json'],
  ['a file that does not exist', 'missing.yaml'],
  ['a place that does not exist', '#/components/schemas/Missing'],
])('%s is not read: the operation that refers to it is named, and the others are judged', async (_, $ref) => {
  const document = documentOf({ $ref });
  const paths = { ...document.paths, '/other': { get: { responses: { 200: { description: 'x' } } } } };
  const { operations, gaps } = await read({ 'openapi.json': { ...document, paths } });
  expect(operations.map(({ id }) => id)).toEqual(['GET /other']);
  expect(gaps).toEqual([
    { operation: 'GET /things', isWhole: true, reason: expect.stringContaining('leads to nothing') },
  ]);
});

const WRONG: [what: string, text: string, place: string, words: string][] = [
  ['an empty file', '', ':1:1:', 'not a mapping'],
  ['no version', 'info: {}\n', ':1:1:', "'openapi' is missing"],
  ['Swagger 2.0', 'info: {}\nswagger: "2.0"\n', ':2:10:', 'Swagger 2.0 is not supported'],
  ['another version', 'openapi: 4.0.0\npaths: {}\n', ':1:10:', "unknown OpenAPI version '4.0.0'"],
  ['no paths', 'openapi: 3.0.0\n', ':1:1:', "'paths' is missing"],
  [
    'a path without a slash',
    'openapi: 3.0.0\npaths:\n  books: {}\n',
    ':3:10:',
    'does not begin with a slash',
  ],
  [
    'an operation that is a list',
    'openapi: 3.0.0\npaths:\n  /a:\n    get: []\n',
    ':4:10:',
    "'get' is not a mapping",
  ],
  ['what is not YAML', 'openapi: 3.0.0\npaths: [\n', ' at line 3, column 1', 'Flow sequence'],
];

test.each(WRONG)('%s is refused with its place', async (_, text, place, words) => {
  const failed = read({ 'openapi.yaml': text });
  await expect(failed).rejects.toThrow(place);
  await expect(failed).rejects.toThrow(words);
});

const GAPS: [what: string, operation: object, reason: string][] = [
  ['a parameter of the path that nothing describes', { parameters: [] }, 'no parameter describes it'],
  ['a key that is a certificate', { security: [{ mutual: [] }] }, "the key 'mutual'"],
  ['two keys together', { security: [{ query: [], token: [] }] }, 'query and token together'],
];

test.each(GAPS)('%s: nothing of the operation is judged, and why', async (what, operation, reason) => {
  const path = what.includes('path') ? '/a/{id}' : '/a';
  const { operations, gaps } = await read({
    'openapi.json': {
      openapi: '3.0.3',
      paths: { [path]: { get: { responses: { 200: { description: 'x' } }, ...operation } } },
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer' },
          query: { type: 'apiKey', in: 'query', name: 'key' },
          mutual: { type: 'mutualTLS' },
        },
      },
    },
  });
  expect(operations).toEqual([]);
  expect(gaps).toEqual([
    { operation: `GET ${path}`, isWhole: true, reason: expect.stringContaining(reason) },
  ]);
});

test('a format that petspec does not know is named, and a key that is optional is none', async () => {
  const document = documentOf({ type: 'object', properties: { a: { type: 'string', format: 'zip-code' } } });
  const { gaps, operations } = await read({ 'openapi.json': { ...document, security: [{}, { token: [] }] } });
  expect(gaps).toEqual([
    { operation: 'GET /things', isWhole: false, reason: "the format 'zip-code' is not judged" },
  ]);
  expect(operations[0]?.secured).toBe(false);
});

const CARELESS: object[] = [
  ...[
    { minLength: -1 },
    { minLength: 'x' },
    { multipleOf: 0 },
    { multipleOf: 'a' },
    { minItems: 'x' },
    { uniqueItems: 'x' },
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
