import { expect, test } from 'vitest';
import { read } from '../document.ts';

const HEAD = "openapi: 3.0.3\ninfo: { title: t, version: '1' }\n";
const GET = "{ get: { responses: { '200': { description: ok } } } }";

const MISTAKES: [what: string, text: string, error: RegExp][] = [
  [
    'a tab',
    `${HEAD}paths:\n\t/rooms: {}\n`,
    /openapi\.yaml:4:1: a tab stands before '\/rooms'; YAML wants spaces there$/,
  ],
  [
    'a tab in an operation',
    `${HEAD}paths:\n  /rooms:\n\t  get: {}\n`,
    /openapi\.yaml:5:1: a tab stands before 'get'; YAML wants spaces there$/,
  ],
  [
    'a path that is there twice',
    `${HEAD}paths:\n  /rooms: ${GET}\n  /halls: ${GET}\n  /rooms: ${GET}\n`,
    /openapi\.yaml:6:3: the key '\/rooms' is there twice; keep one of the two$/,
  ],
  [
    'a quoted key that is there twice',
    `${HEAD}paths: {}\n'info': {}\n`,
    /openapi\.yaml:4:1: the key 'info' is there twice; keep one of the two$/,
  ],
  [
    'a version that does not exist',
    'openapi: 3.3.0\npaths: {}\n',
    /openapi\.yaml:1:10: unknown OpenAPI version '3\.3\.0'; expected 3\.0, 3\.1 or 3\.2$/,
  ],
  [
    'a method with a letter more',
    `${HEAD}paths:\n  /rooms: { postt: { responses: {} } }\n`,
    /openapi\.yaml:4:20: 'postt' is not a method of OpenAPI; did you mean 'post'\?$/,
  ],
  [
    'a method in capitals',
    `${HEAD}paths:\n  /rooms: { GET: { responses: {} } }\n`,
    /openapi\.yaml:4:18: 'GET' is not a method of OpenAPI; did you mean 'get'\?$/,
  ],
  [
    'a method with two letters that changed places',
    `${HEAD}paths:\n  /rooms: { dleete: { responses: {} } }\n`,
    /'dleete' is not a method of OpenAPI; did you mean 'delete'\?$/,
  ],
  [
    'a Postman collection',
    '{ "info": { "_postman_id": "x" }, "item": [] }',
    /openapi\.yaml:1:1: a Postman collection is not an OpenAPI document; expected OpenAPI 3\.0, 3\.1 or 3\.2, as YAML or JSON$/,
  ],
  [
    'an AsyncAPI document',
    'asyncapi: 2.6.0\nchannels: {}\n',
    /:1:1: an AsyncAPI document is not an OpenAPI document; /,
  ],
  ['a web page', '<!DOCTYPE html><html></html>', /:1:1: a web page is not an OpenAPI document; /],
  ['a HAR', '{"log": {"entries": []}}', /:1:1: a HAR is not an OpenAPI document; /],
];

test.each(MISTAKES)('%s is refused in one line, with its place and what to do', async (_, text, error) => {
  await expect(async () => read({ 'openapi.yaml': text })).rejects.toThrow(error);
  const message = await read({ 'openapi.yaml': text }).catch(({ message: words }: Error) => words);
  expect(message).not.toContain('\n');
});

test.each<[what: string, reference: string, why: string]>([
  [
    'outside the folder',
    '../common/things.yaml#/Thing',
    'it is outside the folder of the document; copy it into that folder',
  ],
  ['an address', 'https://things.test/a.yaml#/Thing', 'petspec fetches nothing; save it beside the document'],
  [
    'an address without a scheme',
    '//things.test/a.yaml',
    'petspec fetches nothing; save it beside the document',
  ],
  ['missing', './nothing.yaml', 'there is no such file'],
])('a reference to what is %s names the place and what to do', async (_, reference, why) => {
  const content = `{ application/json: { schema: { $ref: '${reference}' } } }`;
  const path = `{ get: { responses: { '200': { description: ok, content: ${content} } } } }`;
  const text = `${HEAD}paths:\n  /a: ${GET}\n  /b: ${path}\n`;
  const { gaps } = await read({
    'api/openapi.yaml': text,
    'common/things.yaml': 'Thing: { type: object }\n',
  });
  expect(gaps).toMatchObject([{ operation: 'GET /b', isWhole: true }]);
  expect(gaps[0]?.reason).toContain(
    `the reference ${reference} leads to nothing that petspec can read: ${why}`,
  );
  expect(gaps[0]?.reason).toMatch(/\(openapi\.yaml:5:\d+\)$/);
});

test.each(['query', 'link', 'copy'])(
  'the method %s, which OpenAPI 3.1 does not have, is named',
  async (method) => {
    const text = `${HEAD}paths:\n  /a: { get: { responses: {} }, ${method}: { responses: {} } }\n`;
    const { gaps, operations } = await read({ 'openapi.yaml': text });
    expect(operations).toHaveLength(1);
    expect(gaps).toMatchObject([{ operation: `${method.toUpperCase()} /a`, isWhole: true }]);
  },
);
