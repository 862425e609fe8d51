import { expect, test } from 'vitest';
import { read } from '../document.ts';

const responses = { 200: { description: 'x' } };
const get = { responses };
const document = (openapi: string, item: object, more: object = {}) => ({
  openapi,
  info: { title: 'Things', version: '1' },
  paths: { '/plain': { get }, '/things': item },
  ...more,
});
const gapsOf = async (openapi: string, item: object) => {
  const { gaps, operations } = await read({ 'openapi.json': document(openapi, item) });
  expect(operations.map(({ id }) => id)).toContain('GET /plain');
  return gaps.filter(({ isWhole }) => isWhole).map(({ operation, reason }) => [operation, reason]);
};

test('what petspec does not send of OpenAPI 3.2 is named', async () => {
  const whole = {
    name: 'q',
    in: 'querystring',
    required: true,
    content: { 'application/json': { schema: {} } },
  };
  const item = {
    query: get,
    additionalOperations: { COPY: get },
    get: { ...get, parameters: [whole] },
  };
  expect(await gapsOf('3.2.0', item)).toEqual([
    ['QUERY /things', 'petspec does not send QUERY requests'],
    ['COPY /things', 'petspec does not send COPY requests'],
    ['GET /things', "the parameter 'q' is the whole query (in: querystring), which petspec does not write"],
  ]);
});

test.each(['3.0.3', '3.1.1'])('in OpenAPI %s, methods of 3.2 are mistakes', async (version) => {
  const words =
    'OpenAPI 3.0 and 3.1 have no such method, only get, put, post, delete, options, head, patch, trace';
  expect(await gapsOf(version, { query: get, additionalOperations: { COPY: get } })).toEqual([
    ['QUERY /things', words],
    ['COPY /things', words],
  ]);
});

test('a stream is left out if the document does not say what its items are', async () => {
  const stream = (media: object) => ({ 200: { description: 'x', content: { 'application/jsonl': media } } });
  expect(await gapsOf('3.2.0', { get: { responses: stream({}) } })).toEqual([
    ['GET /things', 'it answers with a stream (application/jsonl)'],
  ]);
  expect(await gapsOf('3.2.0', { get: { responses: stream({ itemSchema: {} }) } })).toEqual([]);
});

test('a reference to the address of the document itself leads to a place in it', async () => {
  const $self = 'https://things.test/api';
  const schema = { $ref: `${$self}#/components/schemas/Thing` };
  const item = {
    get: { responses: { 200: { description: 'x', content: { 'application/json': { schema } } } } },
  };
  const components = { schemas: { Thing: { type: 'object', required: ['id'] } } };
  const { operations, gaps } = await read({ 'openapi.json': document('3.2.0', item, { $self, components }) });
  expect(gaps).toEqual([]);
  expect(operations.at(-1)?.responses[0]?.schema).toMatchObject({ 'x-component': 'Thing', required: ['id'] });
});

test('a document may have more than a thousand files', async () => {
  const count = 1_100;
  const paths = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`/p${index}`, { $ref: `paths/p${index}.json` }]),
  );
  const files = Object.keys(paths).map((path) => [`paths${path}.json`, { get }] as const);
  const { operations } = await read({
    'openapi.json': { openapi: '3.1.0', paths },
    ...Object.fromEntries(files),
  });
  expect(operations).toHaveLength(count);
});
