import { expect, test } from 'vitest';
import { schemaErrors } from '../../../src/contract/validation/schema-validator.ts';
import { documentOf, read } from '../document.ts';

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

test('the names of its files may have any characters, percent-encoded in references or not', async () => {
  const properties = {
    a: { $ref: 'types/%C3%9Cber%20100%25.json' },
    b: { $ref: 'types/Maß & mehr.json' },
    c: { $ref: 'types/no%23.json#/One' },
  };
  const { operations, gaps } = await read({
    'my api #1/50%/ünï/openapi.json': documentOf({ type: 'object', properties }),
    'my api #1/50%/ünï/types/Über 100%.json': { type: 'string' },
    'my api #1/50%/ünï/types/Maß & mehr.json': { type: 'integer' },
    'my api #1/50%/ünï/types/no#.json': { One: { type: 'boolean' } },
  });
  expect(gaps).toEqual([]);
  expect(operations[0]?.responses[0]?.schema?.properties).toMatchObject({
    a: { type: 'string' },
    b: { type: 'integer' },
    c: { type: 'boolean' },
  });
});

test('an operation may be a reference; what leads nowhere is named', async () => {
  const paths = {
    '/things': { get: { $ref: 'list.json' } },
    '/others': { get: { $ref: 'missing.json' } },
  };
  const content = { 'application/json': { schema: { type: 'integer' } } };
  const { operations, gaps } = await read({
    'openapi.json': { ...documentOf({}), paths },
    'list.json': { operationId: 'listThings', responses: { 200: { description: 'x', content } } },
  });
  expect(operations.map(({ id, responses }) => [id, responses[0]?.schema])).toEqual([
    ['listThings', { type: 'integer' }],
  ]);
  expect(gaps).toEqual([
    { operation: 'GET /others', isWhole: true, reason: expect.stringContaining('leads to nothing') },
  ]);
});

test('an example may be a reference', async () => {
  const parameters = [
    {
      name: 'q',
      in: 'query',
      schema: { type: 'string' },
      examples: { one: { $ref: '#/components/examples/Word' } },
    },
  ];
  const document = documentOf({});
  const get = { ...document.paths['/things'].get, parameters };
  const components = { examples: { Word: { value: 'meadow' } } };
  const { operations } = await read({
    'openapi.json': { ...document, paths: { '/things': { get } }, components },
  });
  expect(operations[0]?.parameters[0]?.example).toBe('meadow');
});

test('an example of a list is a whole list', async () => {
  const schema = { type: 'array', items: { type: 'string' } };
  const parameters = [{ name: 'tags', in: 'query', schema, examples: { two: { value: ['red', 'blue'] } } }];
  const document = documentOf({});
  const get = { ...document.paths['/things'].get, parameters };
  const { operations } = await read({ 'openapi.json': { ...document, paths: { '/things': { get } } } });
  expect(operations[0]?.parameters[0]).toMatchObject({ example: ['red', 'blue'], examples: [] });
});

test("an extension that has the name of one of petspec's, and another meaning, says nothing", async () => {
  const document = documentOf({
    type: 'object',
    properties: { a: { type: 'string', 'x-since': 'v2', 'x-reference': true } },
  });
  const get = {
    ...document.paths['/things'].get,
    'x-since': '2024-05',
    'x-section': 'a',
    'x-removal': '2024-05',
  };
  const { operations, gaps, set } = await read({
    'openapi.json': { ...document, paths: { '/things': { get } } },
  });
  expect([gaps, set]).toEqual([[], '0.1.0']);
  expect(operations[0]).toMatchObject({ id: 'list', section: 'GET /things' });
  expect(operations[0]?.removal).toBeUndefined();
  expect(operations[0]?.responses[0]?.schema?.properties).toEqual({ a: { type: 'string' } });
});

test('what YAML merges into a mapping counts', async () => {
  const { operations } = await read({
    'openapi.yaml': `openapi: 3.0
info: { title: Things, version: '1' }
x-base: &base { type: object, required: [id] }
paths:
  /things:
    get:
      responses: { 200: { description: x, content: { application/json: { schema: { <<: *base, title: a } } } } }
`,
  });
  const schema = operations[0]?.responses[0]?.schema ?? {};
  expect(schemaErrors(schema, { id: 1 })).toEqual([]);
  expect(schemaErrors(schema, {})).not.toEqual([]);
});

test.each([
  ['a file outside its folder', '../../../etc/hosts'],
  ['an address', 'http://127.0.0.1:9/schema.json'],
  ['an address that is none', 'http://['],
  ['the file of another host', 'file://host/schema.json'],
  ['a name that no file can have', 'a%00.yaml'],
  ['a file that does not exist', 'missing.yaml'],
  ['a place that does not exist', '#/components/schemas/Missing'],
])('%s is not read: the operation that refers to it is named, and the others are judged', async (_, $ref) => {
  const document = documentOf({ $ref });
  const other = documentOf({ $ref: 'text.yaml' }).paths['/things'].get;
  const paths = { ...document.paths, '/other': { get: { ...other, operationId: 'other' } } };
  const files = { 'openapi.json': { ...document, paths }, 'text.yaml': 'type: string' };
  const { operations, gaps } = await read(files);
  expect(operations.map(({ id, responses }) => [id, responses[0]?.schema?.type])).toEqual([
    ['other', 'string'],
  ]);
  expect(gaps).toEqual([
    { operation: 'GET /things', isWhole: true, reason: expect.stringContaining('leads to nothing') },
  ]);
});

const WRONG: [what: string, text: string, place: string, words: string][] = [
  ['an alias without an anchor', 'openapi: *none\n', ':', 'an alias has no anchor'],
  ['a merged value that is no mapping', 'openapi: 3.0.3\ninfo: { <<: 7 }\npaths: {}\n', ':', 'Merge'],
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
  ['what is not YAML', 'openapi: 3.0.0\npaths: [\n', ':3:1:', 'Flow sequence'],
];

test.each(WRONG)('%s is refused with its place', async (_, text, place, words) => {
  const failed = read({ 'openapi.yaml': text });
  await expect(failed).rejects.toThrow(place);
  await expect(failed).rejects.toThrow(words);
});

const GAPS: [what: string, operation: object, reason: string][] = [
  ['a parameter of the path that nothing describes', { parameters: [] }, 'no parameter describes it'],
  ['a key that is a certificate', { security: [{ mutual: [] }] }, "the key 'mutual'"],
  ['a key beside a certificate', { security: [{ query: [], mutual: [] }] }, 'mutual'],
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

test('a format that petspec does not know is named, and an optional key is not needed', async () => {
  const document = documentOf({ type: 'object', properties: { a: { type: 'string', format: 'zip-code' } } });
  const { gaps, operations } = await read({ 'openapi.json': { ...document, security: [{}, { token: [] }] } });
  expect(gaps).toEqual([
    { operation: 'GET /things', isWhole: false, reason: "the format 'zip-code' is not judged" },
  ]);
  expect(operations[0]?.secured).toBe(false);
});
