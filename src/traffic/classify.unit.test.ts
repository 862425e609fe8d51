import { expect, test } from 'vitest';
import { tinyContract } from '../../test/tiny-interface/contract.ts';
import { loadContract } from '../contract/load.ts';
import { classify, type IncomingRequest } from './classify.ts';

const contract = loadContract();
const SERVERS = { baseUrl: 'http://a.example/store/v1', apiUrl: 'http://b.example' };
const JSON_TYPE = ['Content-Type', 'application/json'] as const;

function of(method: string, url: string, rest: Partial<IncomingRequest> = {}) {
  return classify(contract, SERVERS, { method, url, headers: [], ...rest });
}

function added(body: string, headers: IncomingRequest['headers'] = [JSON_TYPE]) {
  const { problems } = of('POST', `${SERVERS.baseUrl}/pets`, { headers, body });
  return problems.map(({ kind, rule, keyword, pointer }) => ({ kind, rule, keyword, pointer }));
}

test.each([
  ['GET', '/pets', 'listPets'],
  ['GET', '/pets?limit=5#top', 'listPets'],
  ['POST', '/pets', 'createPet'],
  ['GET', '/pets/1001', 'getPet'],
  ['GET', '/%70ets/1', 'getPet'],
  ['GET', '/store/orders', 'getStoreOrders'],
])('%s %s is %s', (method, path, operation) => {
  const found = of(method, SERVERS.baseUrl + path);
  expect([found.operation?.id, found.isMisplaced]).toEqual([operation, false]);
});

test.each([
  ['GET', 'http://a.example/pets', 'listPets'],
  ['GET', 'http://a.example/v1/v1/pets', 'listPets'],
  ['GET', 'http://b.example/v1/pets', 'listPets'],
  ['POST', 'http://a.example/store/v1/messages', 'sendMessage'],
  ['POST', 'http://a.example/v1/messages', 'sendMessage'],
  ['GET', 'http://c.example/v1/pets', undefined],
  ['GET', 'http://a.example/store/v1/pets/', undefined],
  ['DELETE', 'http://a.example/store/v1/pets/1', undefined],
  ['GET', 'http://a.example/store/v1/animals', undefined],
  ['GET', 'no URL', undefined],
])('%s %s is misplaced or unknown', (method, url, operation) => {
  const found = of(method, url);
  expect([found.operation?.id, found.isMisplaced]).toEqual([operation, operation !== undefined]);
});

test.each([
  ['limit=1', []],
  ['limit=100', []],
  ['limit=0', ['minimum']],
  ['limit=101', ['maximum']],
  ['limit=ten', ['type']],
  ['limit=', ['type']],
  ['limit=1.5', ['type']],
  ['limit=99999999999999999999999999', ['maximum']],
  ['status=sold', []],
  ['status=lost', ['enum']],
  ['status=sold&status=lost', ['enum']],
  ['offset=7', []],
])('the query %s has the problems %j', (query, keywords) => {
  const { problems } = of('GET', `${SERVERS.baseUrl}/pets?${query}`);
  expect(problems.map(({ keyword }) => keyword)).toEqual(keywords);
});

test('an id in a path is an int64', () => {
  const problems = (id: string) =>
    of('GET', `${SERVERS.baseUrl}/pets/${id}`).problems.map(({ rule }) => rule);
  expect(problems('9223372036854775807')).toEqual([]);
  expect(problems('9223372036854775808')).toEqual(['getPet.petId']);
  expect(problems('undefined')).toEqual(['getPet.petId']);
});

test('a body is judged field by field', () => {
  expect(added('{"name":"Rex","categoryId":1,"color":"red"}')).toEqual([]);
  expect(added('{"name":"Rex"}')).toEqual([
    { kind: 'shape', rule: 'NewPet.categoryId', keyword: 'required', pointer: '/categoryId' },
  ]);
  expect(added('{"name":7,"categoryId":"1","status":null}').map(({ rule }) => rule)).toEqual(
    expect.arrayContaining(['NewPet.name', 'NewPet.categoryId', 'NewPet.status']),
  );
  expect(added('[]')).toMatchObject([{ kind: 'shape', rule: 'createPet.body', pointer: '' }]);
});

test('what hides the rest of a body is the only problem', () => {
  expect(added('{"name"')).toMatchObject([{ kind: 'json', rule: 'createPet.body' }]);
  expect(added('name=Rex', [['content-type', 'application/x-www-form-urlencoded']])).toMatchObject([
    { kind: 'media-type' },
  ]);
  expect(added('{"name":7}', [])).toMatchObject([{ kind: 'media-type' }]);
  expect(added('')).toMatchObject([{ kind: 'shape', rule: 'createPet.body' }]);
  expect(added('{"name":7}', [['CONTENT-TYPE', 'Application/JSON; charset=utf-8']])).toMatchObject([
    { rule: 'NewPet.categoryId' },
    { rule: 'NewPet.name' },
  ]);
});

test('a body that was not recorded has no problem', () => {
  expect(of('POST', `${SERVERS.baseUrl}/pets`).problems).toEqual([]);
});

test('the values that a request carries keep every digit', () => {
  const big = '9007199254740993';
  const { values } = of('POST', `${SERVERS.baseUrl}/pets`, {
    headers: [JSON_TYPE],
    body: `{"name":"Rex","categoryId":${big}}`,
  });
  expect(values).toContainEqual(expect.objectContaining({ rule: 'NewPet.categoryId', value: BigInt(big) }));
  expect(of('GET', `${SERVERS.baseUrl}/pets/${big}`).values).toMatchObject([
    { rule: 'getPet.petId', value: BigInt(big) },
  ]);
});

test('another interface is classified by its own document', () => {
  const tiny = tinyContract();
  const [first] = tiny.operations;
  const servers = { baseUrl: 'http://tiny.example' };
  const url = `http://tiny.example${first?.path}`;
  const found = classify(tiny, servers, { method: first?.method ?? '', url, headers: [] });
  expect(found.operation?.id).toBe(first?.id);
});

test('a body carries the fields of objects and lists in it', () => {
  const id = '{ type: object, properties: { id: { type: integer, format: int64 } } }';
  const tiny = tinyContract((text) =>
    text.replace(/shelf: .*/, `shelf: ${id}\n        tags: { type: array, items: ${id} }`),
  );
  const url = `${SERVERS.baseUrl}/books`;
  const body = '{"title":"Emma","shelf":{"id":9007199254740993},"tags":[{"id":1},{"id":2}]}';
  const { values } = classify(tiny, SERVERS, { method: 'POST', url, headers: [JSON_TYPE], body });
  expect(values.filter(({ schema }) => schema.format === 'int64')).toMatchObject([
    { rule: 'NewBook.shelf.id', value: 9007199254740993n, pointer: '/shelf/id' },
    { rule: 'NewBook.tags.id', value: 1, pointer: '/tags/0/id' },
    { rule: 'NewBook.tags.id', value: 2, pointer: '/tags/1/id' },
  ]);
});
