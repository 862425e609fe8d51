import { expect, test } from 'vitest';
import type { Parameter, Schema } from '../../model/contract.ts';
import { places } from './places.ts';
import {
  countUndocumented,
  undocumentedFields,
  undocumentedParameters,
  unlistedName,
} from './undocumented.ts';

const query = (name: string, schema: Schema, more: Partial<Parameter> = {}): Parameter => ({
  ...{ name, in: 'query', required: false, schema },
  ...more,
});

test.each<[what: string, parameters: Parameter[], search: string, found: string[]]>([
  ['a name that is listed', [query('limit', { type: 'integer' })], 'limit=1', []],
  ['a name that is not', [query('limit', { type: 'integer' })], 'limit=1&sort=a&sort=b', ['sort']],
  [
    'the fields of an object',
    [query('page', { type: 'object', properties: { size: { type: 'integer' } } })],
    'size=1&page[size]=2&other=3',
    ['other'],
  ],
  [
    'an object that may have any field',
    [query('filter', { type: 'object', properties: {}, additionalProperties: { type: 'string' } })],
    'color=red',
    [],
  ],
  [
    'members of an enumeration without a type',
    [query('state', { enum: ['open', null] })],
    'other=3',
    ['other'],
  ],
  ['a constant without a type', [query('kind', { const: 'book' })], 'other=3', ['other']],
  ['one of several types', [query('page', { 'x-types': ['integer', 'string'] })], 'other=3', ['other']],
  ['objects among the members', [query('at', { enum: [{ x: 1 }] })], 'other=3', []],
  ['an object among several types', [query('at', { 'x-types': ['object', 'null'] })], 'other=3', []],
  ['anything', [query('at', {})], 'other=3', []],
])('in a query: %s', (_what, parameters, search, found) => {
  expect(undocumentedParameters({ parameters }, `http://a.example/things?${search}`)).toEqual(found);
});

const BOOK: Schema = {
  type: 'object',
  'x-component': 'Book',
  properties: {
    title: { type: 'string' },
    tags: { type: 'array', items: { type: 'object', properties: {} } },
  },
};

test.each<[what: string, schema: Schema, value: object, found: string[]]>([
  ['a field that is listed', BOOK, { title: 'Faust' }, []],
  ['a field that is not', BOOK, { title: 'Faust', color: 'red' }, ['Book.color']],
  ['an object that lists no fields', BOOK, { tags: [{ anything: 1 }] }, []],
  ['further fields that are allowed', { ...BOOK, additionalProperties: true }, { color: 'red' }, []],
  ['alternatives, which may list more', { ...BOOK, anyOf: [{ type: 'object' }] }, { color: 'red' }, []],
  ['an entry of a list', { type: 'array', items: BOOK }, [{}, { size: 1 }], ['Book.size']],
])('in a response: %s', (_what, schema, value, found) => {
  const all = places();
  const place = all.of(schema, 'getBook.200');
  expect([...undocumentedFields(all, place, JSON.parse(JSON.stringify(value)))]).toEqual(found);
});

test('an operation that is not listed has no ids in its name', () => {
  const token = 'c2VjcmV0LXRva2Vu1';
  expect(unlistedName('GET', `http://a.example/v1/pets/4711/${token}/notes.json?key=x`)).toBe(
    'GET /v1/pets/{}/{}/notes.json',
  );
});

test.each([
  ...['pets', 'findByStatus', 'store-orders', 'store_orders.json', 'v12'].map((each) => [each, each]),
  ...['xKJhGtRqWzPlMnBv', 'REALSECRET', 'aBcDeF', 'c2VjcmV0', 'Ferdinand', 'v123'].map((each) => [
    each,
    '{}',
  ]),
  ['correcthorsebatterystaplecorrecthorse', '{}'],
])('a part of such a path is kept only if it is a word: %s', (part, shown) => {
  expect(unlistedName('GET', `http://a.example/${part}`)).toBe(`GET /${shown}`);
});

test('however many names come, few are kept, and those that are known still count', () => {
  const counter = countUndocumented();
  for (let each = 0; each < 5_000; each += 1)
    counter.count({ kind: 'field', name: `Book.f${each}`, example: 'GET /books -> 200' });
  counter.count({ kind: 'field', name: 'Book.f0', example: 'GET /books -> 200' });
  const result = counter.result();
  expect(result).toHaveLength(100);
  expect(result[0]).toMatchObject({ name: 'Book.f0', count: 2 });
});

test('keys in the query are documented, each of several that go together', () => {
  const key = (name: string) => ({ in: 'query', name, key: name }) as const;
  const operation = { parameters: [], credential: key('code'), furtherCredentials: [key('sid')] };
  expect(undocumentedParameters(operation, 'http://a.example/things?code=1&sid=2&other=3')).toEqual([
    'other',
  ]);
});
