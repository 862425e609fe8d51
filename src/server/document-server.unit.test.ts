import { expect, onTestFinished, test } from 'vitest';
import { documentWith } from '../../test/own-interface/small-service.ts';
import { realClock } from '../model/clock.ts';
import { interfaceOf } from '../run/contract-of.ts';
import { type DocumentServerSettings, startDocumentServer } from './document-server.ts';
import { documentScenarios } from './scenarios.ts';

const PROBLEM = {
  description: 'x',
  content: {
    'application/problem+json': {
      schema: {
        type: 'object',
        required: ['title', 'status'],
        properties: { title: { type: 'string' }, status: { type: 'integer' } },
      },
    },
  },
};

const SUCCESS = { description: 'x' };

/** Paths of a document with a list. @param success what it says of it */
const listing = (success: object = SUCCESS) => ({
  '/books': { get: { operationId: 'list', responses: { 200: success, '5XX': PROBLEM } } },
});

/** Asks a served document for its list. @param scenario what a client meets */
async function ask(
  settings: Partial<DocumentServerSettings> = {},
  scenario = 'plain',
  { paths = listing(), path = '/books' }: { paths?: object; path?: string } = {},
) {
  const document = documentWith(paths);
  const { contract } = await interfaceOf({ interface: document });
  const surroundings = { waits: { short: 1_000, long: 1_000 }, foreignOrigin: '' };
  const changes =
    documentScenarios(contract)
      .find(({ id }) => id === scenario)
      ?.changes(surroundings) ?? [];
  const options = { clock: realClock, apiKey: 'a-key-4711', changes, ...settings };
  const server = await startDocumentServer(contract, options);
  onTestFinished(() => server.close());
  const response = await fetch(server.baseUrl + path, {
    headers: { authorization: 'Bearer a-key-4711' },
  });
  return { response, header: (name: string) => response.headers.get(name), text: await response.text() };
}

test.each<[what: string, limits: NonNullable<DocumentServerSettings['limits']>, policy: string]>([
  ['the minute', { minute: 30, day: 5_000 }, '"default";q=30;w=7'],
  ['the day, which has less left', { minute: 30, day: 10 }, '"default";q=10;w=86400'],
  ['the day alone', { day: 10 }, '"default";q=10;w=86400'],
])('RateLimit-Policy has the window that it is about: %s', async (_what, limits, policy) => {
  const { header } = await ask({ limits, minute: 7_000, dialect: 'ratelimit' });
  expect(header('ratelimit-policy')).toBe(policy);
});

test('a response without a body has no chunks', async () => {
  const { header } = await ask({}, 'other-form');
  expect(header('transfer-encoding')).toBeNull();
});

test('a service that is not available for now says so as the document has it, and when to come back', async () => {
  const { response, header, text } = await ask({}, 'unavailable');
  expect([response.status, header('content-type')]).toEqual([503, 'application/problem+json']);
  expect(JSON.parse(text)).toEqual({ title: 'the service is not available for now', status: 503 });
  expect(Number(header('retry-after'))).toBeGreaterThanOrEqual(1);
});

test('an error of the server is as the document has it', async () => {
  const { response, header, text } = await ask({ limits: { minute: 30 } }, 'server-error');
  expect([response.status, header('content-type')]).toEqual([500, 'application/problem+json']);
  expect(JSON.parse(text)).toEqual({ title: 'something went wrong', status: 500 });
  expect(header('x-ratelimit-limit')).toBe('30');
});

const VERSION = {
  type: 'object',
  required: ['info'],
  properties: { info: { type: 'object', minProperties: 2 } },
};
const untyped = { required: ['title'], properties: { title: { type: 'string' } } };

test.each<[what: string, field: object, value: unknown]>([
  [
    'an object with as many keys as it needs',
    { type: 'object', minProperties: 1, additionalProperties: VERSION },
    { petspec1: { info: { petspec1: 'petspec', petspec2: 'petspec' } } },
  ],
  ['a list with an entry', { type: 'array', minItems: 1, items: untyped }, [{ title: 'petspec' }]],
  ['one of the alternatives', { oneOf: [VERSION] }, { info: { petspec1: 'petspec', petspec2: 'petspec' } }],
])('what the document has no example of is made: %s', async (_what, field, value) => {
  const schema = { type: 'object', required: ['own'], properties: { own: field } };
  const paths = listing({ ...SUCCESS, content: { 'application/json': { schema } } });
  const { text } = await ask({}, 'plain', { paths });
  expect(JSON.parse(text)).toEqual({ own: value });
});

const shop = (schema: object) => ({ name: 'shop', in: 'path', required: true, schema });

/** A list of books below what has no path of its own. */
function ofShop(schema: object) {
  const book = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const json = (of: object) => ({ ...SUCCESS, content: { 'application/json': { schema: of } } });
  const bookId = { name: 'bookId', in: 'path', required: true, schema: { type: 'integer' } };
  const responses = (of: object) => ({ 200: json(of), 404: PROBLEM });
  return {
    '/shops/{shop}/books': {
      parameters: [shop(schema)],
      get: { operationId: 'list', responses: responses({ type: 'array', items: book }) },
    },
    '/shops/{shop}/books/{bookId}': {
      parameters: [shop(schema), bookId],
      get: { operationId: 'read', responses: responses(book) },
    },
  };
}

test.each<[schema: object, path: string, status: number]>([
  [{ type: 'string', example: 'north' }, '/shops/north/books', 200],
  [{ type: 'string', example: 'north' }, '/shops/south/books', 404],
  [{ type: 'string', enum: ['north', 'south'] }, '/shops/south/books', 200],
  [{ type: 'string' }, '/shops/anything/books', 200],
])('a list below ids that the document names (%j): %s gets %i', async (schema, path, status) => {
  const { response } = await ask({}, 'plain', { paths: ofShop(schema), path });
  expect(response.status).toBe(status);
});

test('the list of a success is not the one of its errors', async () => {
  const entry = (name: string) => ({
    type: 'object',
    required: [name],
    properties: { [name]: { type: 'string' } },
  });
  const list = (name: string) => ({ type: 'array', items: entry(name) });
  const schema = {
    type: 'object',
    required: ['data'],
    properties: { errors: list('reason'), data: list('title') },
  };
  const paths = {
    ...listing({ ...SUCCESS, content: { 'application/json': { schema } } }),
    '/books/{title}': {
      get: {
        operationId: 'read',
        parameters: [{ name: 'title', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { ...SUCCESS, content: { 'application/json': { schema: entry('title') } } } },
      },
    },
  };
  const { text } = await ask({}, 'plain', { paths });
  const { data } = JSON.parse(text);
  expect(data.length).toBe(3);
  expect(new Set(data.map(({ title }: { title: string }) => title)).size).toBe(3);
});

test.each<[path: string, id: string, idSchema: object]>([
  ['/districts', 'districtID', { type: 'string' }],
  ['/books', 'id', { type: 'number' }],
])('each thing of %s has a text of its own in %s, where the path has %j', async (path, id, schema) => {
  const thing = { type: 'object', properties: { name: { type: 'string' }, [id]: { type: 'string' } } };
  const json = (of: object) => ({ ...SUCCESS, content: { 'application/json': { schema: of } } });
  const parameters = [{ name: 'id', in: 'path', required: true, schema }];
  const paths = {
    [path]: { get: { operationId: 'list', responses: { 200: json({ type: 'array', items: thing }) } } },
    [`${path}/{id}`]: { get: { operationId: 'read', parameters, responses: { 200: json(thing) } } },
  };
  const { text } = await ask({}, 'plain', { paths, path });
  const ids = JSON.parse(text).map((each: Record<string, unknown>) => each[id]);
  expect(ids).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
  expect(new Set(ids).size).toBe(3);
});
