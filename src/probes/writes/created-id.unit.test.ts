import { expect, test } from 'vitest';
import { creation, operation } from '../../../test/operations/operations.ts';
import type { Resource } from '../../contract/resources.ts';
import type { Json } from '../../model/json.ts';
import { createdId, shownIds } from './created-id.ts';

const resource: Resource = {
  create: creation({}),
  item: '/things/{id}',
  parameter: 'id',
  pointers: ['/id', '/data/id'],
  field: '/key',
  read: operation({ id: 'getThing' }),
  list: operation({ id: 'listThings' }),
  replace: [],
  parts: [],
};
const idIn = (body: Json | undefined, location?: string) =>
  createdId(resource, { headers: location === undefined ? [] : [['Location', location]] }, body);

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
