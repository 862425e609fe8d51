import { expect, test } from 'vitest';
import type { Operation, Parameter, Schema } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import { pageOf } from './pages.ts';

const things = Array.from({ length: 45 }, (_, index) => ({
  id: index,
  direction: index % 3 === 0 ? 'north' : 'south',
}));

/** The page that a request with these values gets, of an operation with parameters of these schemas. */
function page(schemas: Record<string, Schema>, asked: Record<string, Json>) {
  const parameters = Object.entries(schemas).map(
    ([name, schema]): Parameter => ({ name, in: 'query', required: false, schema }),
  );
  const operation: Operation = {
    ...{ id: 'list', method: 'GET', path: '/things', address: 'baseUrl', effect: 'read', section: 'Things' },
    ...{ secured: false, deprecated: false, parameters, responses: [] },
  };
  const values = Object.entries(asked).map(([name, value]) => ({
    ...{ rule: `list.${name}`, schema: schemas[name] ?? {}, value },
    parameter: { name, in: 'query' as const },
  }));
  // What is sent is compared with the parameter of the operation itself.
  const own = values.map((each) => ({
    ...each,
    parameter: parameters.find(({ name }) => name === each.parameter.name) ?? each.parameter,
  }));
  return pageOf(things, { operation, values: own, isMisplaced: false, problems: [] });
}

const LIMIT: Schema = { type: 'integer' };

test.each<[limit: Json, schema: Schema, size: number]>([
  [7, LIMIT, 7],
  [0, LIMIT, 20],
  [-1, LIMIT, 20],
  ['many', LIMIT, 20],
  [0, { ...LIMIT, default: 5 }, 5],
  ['many', { ...LIMIT, default: 0 }, 20],
  [0, { ...LIMIT, maximum: 8 }, 8],
])('limit=%j is a page of a size that a client gets to the end with', (limit, schema, size) => {
  const { things: first, next } = page({ limit: schema }, { limit });
  expect([first.length, next]).toEqual([size, String(size)]);
});

test('what says in which direction a list is ordered does not filter it', () => {
  const sorted = page(
    { sort: { type: 'string' }, direction: { type: 'string' } },
    { sort: 'id', direction: 'desc' },
  );
  expect([sorted.total, sorted.things[0]?.id]).toEqual([45, 44]);
});

test('without an order to go with, a field of such a name filters', () => {
  expect(page({ direction: { type: 'string' } }, { direction: 'north' }).total).toBe(15);
});
