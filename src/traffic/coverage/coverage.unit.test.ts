import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract, readInterface } from '../../contract/load.ts';
import type { Contract, Operation, Parameter, Schema } from '../../model/contract.ts';
import type { Coverage } from '../../model/report/coverage.ts';
import { classify } from '../classify.ts';
import { countCoverage, countTrafficCoverage } from './coverage.ts';

const BASE = 'https://api.example.com/v1';
const BOOKSHOP = join(import.meta.dirname, '..', '..', '..', 'examples', 'bookshop', 'openapi.yaml');

interface Said {
  method?: string;
  path: string;
  body?: unknown;
  headers?: readonly (readonly [string, string])[];
  /** The media type of what is sent. */
  sentAs?: string;
  status: number;
  answer?: unknown;
  type?: string;
}

/** What exchanges cover of an interface. */
function covered(contract: Contract, ...all: Said[]): Coverage {
  const coverage = countCoverage(contract);
  for (const said of all) {
    const { method = 'GET', path, body, headers = [], sentAs = 'application/json', status, answer } = said;
    const url = BASE + path;
    const requestHeaders = [...headers, ['Content-Type', sentAs] as const];
    const sent = body === undefined ? '' : JSON.stringify(body);
    const classified = classify(
      contract,
      { baseUrl: BASE },
      { method, url, headers: requestHeaders, body: sent },
    );
    const response = {
      status,
      headers: [['Content-Type', said.type ?? 'application/json'] as const],
      body: answer === undefined ? '' : JSON.stringify(answer),
    };
    coverage.add({ operation: classified.operation?.id ?? 'unknown', requestHeaders, response }, classified);
  }
  return coverage.result();
}

/** The keywords of a place that were put to the test, or the ones that were not. */
function keywordsOf({ byKeyword }: Coverage, place: string) {
  return Object.fromEntries(
    byKeyword
      .filter((each) => each.place === place)
      .map(({ keyword, applied, violated }) => [
        keyword,
        violated === undefined ? applied : [applied, violated],
      ]),
  );
}

const store = loadContract();
const REX = { id: 1, name: 'Rex', categoryId: 7 };

test('two exchanges cover exactly their cells', () => {
  const { operations, responses, parameters, byOperation, byKeyword } = covered(
    store,
    { path: '/pets?limit=5', status: 200, answer: [REX] },
    { path: '/pets?limit=0', status: 400 },
  );
  expect({ operations, responses, parameters }).toEqual({
    operations: { covered: 1, of: 5 },
    responses: { covered: 1, of: 17 },
    parameters: { covered: 1, of: 5 },
  });
  expect(byOperation.map(({ operation, requests }) => [operation, requests])).toEqual([
    ['listPets', 2],
    ['createPet', 0],
    ['getPet', 0],
    ['getStoreOrders', 0],
    ['sendMessage', 0],
  ]);
  expect(byOperation[0]).toEqual({
    operation: 'listPets',
    requests: 2,
    responses: [
      { status: '200', documented: true, exchanges: 1 },
      { status: '401', documented: true, exchanges: 0 },
      { status: '429', documented: true, exchanges: 0 },
      { status: '400', documented: false, exchanges: 1 },
    ],
    parameters: [
      { name: 'limit', in: 'query', valid: 1, invalid: 1, byStatus: { 200: 1, 400: 1 } },
      { name: 'status', in: 'query', valid: 0, invalid: 0, byStatus: {} },
    ],
  });
  const applied = byKeyword.filter((each) => each.applied).map((each) => `${each.place} ${each.keyword}`);
  expect(applied.sort()).toEqual([
    'Pet type',
    'Pet.categoryId format',
    'Pet.categoryId required',
    'Pet.categoryId type',
    'Pet.id format',
    'Pet.id required',
    'Pet.id type',
    'Pet.name required',
    'Pet.name type',
    // That they are missing is seen, too.
    'X-RateLimit-Limit required',
    'X-RateLimit-Remaining required',
    'X-RateLimit-Reset required',
    'listPets.200.body type',
    'listPets.limit maximum',
    'listPets.limit minimum',
    'listPets.limit type',
  ]);
});

test('a keyword of a request needs a valid and an invalid value', () => {
  const valid = { path: '/pets?limit=5', status: 200, answer: [] };
  const low = { path: '/pets?limit=0', status: 400 };
  const { keywords } = covered(store, valid);
  expect(keywordsOf(covered(store, valid), 'listPets.limit').minimum).toEqual([true, false]);
  expect(keywordsOf(covered(store, low), 'listPets.limit').minimum).toEqual([false, true]);
  const both = covered(store, valid, low);
  expect(keywordsOf(both, 'listPets.limit')).toEqual({
    type: [true, false],
    minimum: [true, true],
    maximum: [true, false],
  });
  expect(both.keywords).toEqual({ covered: keywords.covered + 1, of: keywords.of });
});

test('a field that is missing, one that is wrong, and what is no body', () => {
  const added = (body: unknown): Said => ({ method: 'POST', path: '/pets', body, status: 400 });
  const wrong = covered(store, added({ categoryId: 'one', status: 'sold' }));
  expect(keywordsOf(wrong, 'NewPet.name')).toEqual({ required: [false, true], type: [false, false] });
  expect(keywordsOf(wrong, 'NewPet.categoryId').type).toEqual([false, true]);
  expect(keywordsOf(wrong, 'NewPet.status')).toEqual({ type: [true, false], enum: [true, false] });
  const none = covered(store, added(undefined));
  expect(keywordsOf(none, 'createPet.body')).toEqual({ required: [false, true], type: [false, false] });
  expect(none.byOperation[1]?.parameters).toEqual([
    { name: 'body', in: 'body', valid: 0, invalid: 1, byStatus: {} },
  ]);
});

test('a response of another media type shows no keyword', () => {
  const { byKeyword, responses } = covered(store, {
    path: '/pets',
    status: 200,
    answer: [REX],
    type: 'text/html',
  });
  expect(byKeyword.filter(({ applied, place }) => applied && !place.startsWith('X-'))).toEqual([]);
  expect(responses.covered).toBe(1);
});

test('any interface: nested components, lists, null, and responses by their own media type', async () => {
  const bookshop = await readInterface(BOOKSHOP);
  const author = { name: 'Ada' };
  const book = { id: 'b1', title: 'Notes', author, price: null };
  const coverage = covered(
    bookshop,
    { path: '/books?limit=50', status: 200, answer: { items: [book], next: null } },
    {
      method: 'PATCH',
      path: '/books/b1',
      body: { title: '' },
      sentAs: 'application/merge-patch+json',
      status: 422,
    },
    {
      path: '/books/b2',
      status: 404,
      answer: { title: 'no', status: 404 },
      type: 'application/problem+json',
    },
  );
  expect(coverage.operations).toEqual({ covered: 3, of: 7 });
  expect(coverage.responses.covered).toBe(3);
  expect(keywordsOf(coverage, 'Book.price')).toEqual({ type: true, minimum: false, maximum: false });
  expect(keywordsOf(coverage, 'Book.author')).toEqual({ required: true, oneOf: true });
  expect(keywordsOf(coverage, 'Page.next')).toEqual({ required: true, type: true });
  expect(keywordsOf(coverage, 'BookChange.title')).toEqual({
    type: [false, false],
    minLength: [false, true],
    maxLength: [false, false],
  });
  // Every text of a path is a string, so no value could violate the type.
  expect(keywordsOf(coverage, 'getBook.bookId')).toEqual({ maxLength: [true, false] });
  expect(keywordsOf(coverage, 'Problem.detail')).toEqual({ type: false });
});

test('headers, lists and JSON are read as the interface writes them', () => {
  const own = (name: string, place: 'header' | 'query', schema: Schema, more: Partial<Parameter> = {}) => ({
    ...{ name, in: place, required: false, schema },
    ...more,
  });
  const list = { type: 'array', items: { type: 'integer', minimum: 1 } };
  const operation: Operation = {
    id: 'find',
    method: 'GET',
    path: '/things',
    address: 'baseUrl',
    section: 'Things',
    secured: false,
    deprecated: false,
    responses: [],
    parameters: [
      own('X-Tenant', 'header', { type: 'string', maxLength: 3 }),
      own('ids', 'query', list, { explode: false }),
      own('where', 'query', { type: 'object', properties: { id: { type: 'integer' } } }, { isJson: true }),
    ],
  };
  const contract = { ...store, operations: [operation] };
  const good = {
    path: '/things?ids=1,2&where={"id":1}',
    headers: [['x-tenant', 'abc']],
    status: 200,
  } as const;
  const bad = {
    path: '/things?ids=1,0&where={"id":"1"}',
    headers: [['x-tenant', 'abcd']],
    status: 200,
  } as const;
  const { parameters } = covered(contract, good, good, bad).byOperation[0] ?? {};
  expect(parameters?.map(({ name, valid, invalid }) => [name, valid, invalid])).toEqual([
    ['X-Tenant', 2, 1],
    ['ids', 2, 1],
    ['where', 2, 1],
  ]);
  const coverage = covered(contract, good, bad);
  expect(keywordsOf(coverage, 'find.ids[]').minimum).toEqual([true, true]);
  expect(keywordsOf(coverage, 'find.where.id').type).toEqual([true, true]);
});

test('of a very large interface the lists are cut, and the counts are not', () => {
  const [list] = store.operations;
  if (!list) throw new Error('the store has no operation');
  const operations = Array.from({ length: 1_500 }, (_, index) => ({
    ...list,
    id: `list${index}`,
    path: `/pets${index}`,
  }));
  const coverage = covered({ ...store, operations }, { path: '/pets1499', status: 200, answer: [] });
  expect(coverage.operations).toEqual({ covered: 1, of: 1_500 });
  expect(coverage.byOperation).toHaveLength(1_000);
  expect(coverage.byOperation.at(-1)).toMatchObject({ operation: 'list1499', requests: 1 });
  expect(coverage.byKeyword.length).toBe(2_000);
  expect(coverage.leftOut?.operations).toBe(500);
  expect(coverage.keywords.of).toBe(2_000 + (coverage.leftOut?.keywords ?? 0));
});

test.each([
  ['traffic', ['listPets.petspecUnknown', 'listPets 418', 'Pet.color']],
  ['run', ['Pet.color']],
] as const)(
  'of what no document describes, what a service adds is named in any case (%s)',
  (recorded, expected) => {
    const coverage = countTrafficCoverage(store);
    const said = { method: 'GET', url: `${BASE}/pets?petspecUnknown=1`, headers: [], body: '' };
    const classified = classify(store, { baseUrl: BASE }, said);
    const exchange = { operation: 'listPets', recorded, requestHeaders: [], method: 'GET', url: said.url };
    const headers = [['Content-Type', 'application/json'] as const];
    for (const [status, body] of [
      [200, JSON.stringify([{ ...REX, color: 'red' }])],
      [418, ''],
    ] as const)
      coverage.add({ ...exchange, response: { status, headers, body } }, classified);
    expect(new Set(coverage.result().undocumented?.map(({ name }) => name))).toEqual(new Set(expected));
  },
);
