import { expect, test } from 'vitest';
import { creation, operation } from '../../../test/operations/operations.ts';
import { type Json, stringifyJson } from '../../model/json.ts';
import type { Resource } from '../resources.ts';
import { createdBy, shownIds } from './creation.ts';

const resource: Resource = {
  create: creation({}),
  item: '/things/{id}',
  parameter: 'id',
  pointers: ['/id', '/data/id'],
  sure: ['/id', '/data/id'],
  field: '/key',
  read: operation({ id: 'getThing' }),
  list: operation({ id: 'listThings' }),
  replace: [],
  parts: [],
  actions: [],
  below: [],
};
const url = 'https://example.com/v1/things/';
const idIn = (body: Json | undefined, location?: string, status = 201) => {
  const headers: [string, string][] = location === undefined ? [] : [['Location', location]];
  const response = { status, headers, body: body === undefined ? '' : stringifyJson(body) };
  return createdBy(resource, { url }, response)?.id;
};

test.each<[body: Json, id: string | undefined]>([
  [{ id: 7 }, '7'],
  [{ id: 'a b' }, 'a b'],
  [{ data: { id: 'deep' } }, 'deep'],
  [{ id: null, data: { id: 8 } }, '8'],
  [{ id: '' }, undefined],
  [{ id: true }, undefined],
  [{ id: { id: 1 } }, undefined],
  // They would lead to the collection, or above it.
  [{ id: '.' }, undefined],
  [{ id: '..' }, undefined],
  // No address can hold half of a character.
  [{ id: 'a\ud800' }, undefined],
  [{ id: '...' }, '...'],
  [{ id: 'a.' }, 'a.'],
  [{ id: '.a' }, '.a'],
])('the id in the body %j is %s', (body, id) => {
  expect(idIn(body)).toBe(id);
});

test.each<[location: string, id: string | undefined]>([
  ['/things/7', '7'],
  ['/v1/things/7/', '7'],
  ['https://example.com/v1/things/7?a=b#c', '7'],
  ['/things/a%2Fb', 'a/b'],
  ['/others/7', undefined],
  ['/things/', undefined],
  ['/things/%2E%2E', undefined],
  ['/things/%', undefined],
  ['http://', undefined],
  ['', undefined],
])('the id in the Location %s is %s', (location, id) => {
  expect(idIn({}, location)).toBe(id);
});

test('only a 201 says that something was created, at a path below that of its collection', () => {
  expect(idIn({ id: 1 }, '/things/1', 200)).toBeUndefined();
  expect(createdBy(resource, { url }, undefined)).toBeUndefined();
  const response = { status: 201, headers: [], body: '{"id":"a b"}' };
  expect(createdBy(resource, { url }, response)).toEqual({
    id: 'a b',
    isSure: true,
    path: '/v1/things/a%20b',
  });
});

test('the body comes before the Location', () => {
  expect(idIn({ id: 9007199254740993n }, '/things/2')).toBe('9007199254740993');
  expect(idIn({ id: 1 }, '/things/2')).toBe('1');
  expect(idIn(undefined, '/things/2')).toBe('2');
  expect(idIn(undefined)).toBeUndefined();
});

test.each<[operationId: string, body: Json | undefined, ids: string[]]>([
  ['getThing', { key: 5, id: 6 }, ['5']],
  ['getThing', { id: 6 }, []],
  ['listThings', [{ key: 5 }, { id: 6 }, { data: { id: 7 } }, {}], ['5', '6', '7']],
  ['listThings', { things: [{ id: 6 }], others: [{ id: 7 }], id: 1 }, ['6', '7']],
  ['listThings', null, []],
  ['listThings', 'text', []],
  ['listThings', undefined, []],
  ['createThing', [{ id: 1 }], []],
])('a response of %s shows in %j the ids %j', (id, body, ids) => {
  expect(shownIds(resource, id, body)).toEqual(ids);
});

test('what can be neither read nor listed shows no ids', () => {
  const { read: _, list: _list, ...alone } = resource;
  expect(shownIds(alone, 'getThing', { key: 5 })).toEqual([]);
});

test('an id in Location comes before a field that may be another one', () => {
  const named = { ...resource, pointers: ['/name'], sure: [] };
  const made = (headers: [string, string][]) =>
    createdBy(named, { url }, { status: 201, headers, body: '{"name":"Ann Lee"}' });
  expect(made([['Location', '/things/ann']])).toMatchObject({ id: 'ann', isSure: true });
  expect(made([])).toMatchObject({ id: 'Ann Lee', isSure: false });
});
