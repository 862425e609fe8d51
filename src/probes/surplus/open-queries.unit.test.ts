import { expect, test } from 'vitest';
import { operation, parameter, pathParameter } from '../../../test/operations/operations.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { statusesOf } from '../../model/http/expectation.ts';
import type { Probe } from '../../model/probe.ts';
import * as open from './open-queries.ts';
import type { RightRequest } from './right-request.ts';

/** A right request without values of its own. */
const PLAIN = { query: [], path: {} };
const openQueries = (each: Operation, right: RightRequest = PLAIN) => open.openQueries(each, right);
const openPaths = (each: Operation, right: RightRequest = PLAIN) => open.openPaths(each, right);

const SIZE = parameter('size', { type: 'integer', minimum: 1, maximum: 100 });
const STATE = parameter('state', { type: 'string', enum: ['new', 'in-use', 'sold'] });
const ID = pathParameter('id', { type: 'integer' });
const thing = operation({ id: 'getThing', path: '/things/{id}', parameters: [ID] });

/** What is sent as the value of each parameter. */
const sentIn = (probes: readonly Probe[]) => probes.map(({ query }) => query.map(([, value]) => value));

test.each([
  ['a number', openQueries(operation({ parameters: [SIZE] })), 28],
  ['a member', openQueries(operation({ parameters: [STATE] })), 19],
  ['an id', openPaths(thing), 20],
  ['no parameter', openQueries(operation()), 6],
])(
  'in place of %s other values are sent, each once, and nothing is said about what they get',
  (_, probes, count) => {
    expect(probes).toHaveLength(count);
    for (const part of ['id', 'title'] as const)
      expect(new Set(probes.map((each) => each[part])).size).toBe(count);
    expect(new Set(probes.map(({ query, path }) => JSON.stringify([query, path]))).size).toBe(count);
    for (const { id, title, validity, expectation, stage } of probes) {
      expect([validity, statusesOf(expectation), stage]).toEqual(['open', [], 'surplus']);
      expect(id).toMatch(/^\w+:(?:\w+=)?further-[a-z\d-]*[a-z\d]$/);
      expect(title).toMatch(/^\S+ \S.*\S$|^\S+ \S$|^\w+=/);
    }
  },
);

test('no single value is a number within the bounds, or a member', () => {
  const sizes = sentIn(openQueries(operation({ parameters: [SIZE] })));
  expect(
    sizes.filter(([size, ...more]) => more.length === 0 && /^(?:[1-9]\d?|100)$/.test(size ?? '')),
  ).toEqual([]);
  const states = sentIn(openQueries(operation({ parameters: [STATE] })));
  expect(
    states.filter(([state, ...more]) => more.length === 0 && STATE.schema.enum?.includes(state)),
  ).toEqual([]);
});

test('a parameter is also sent empty, and twice', () => {
  const sizes = sentIn(openQueries(operation({ parameters: [SIZE] })));
  expect(sizes).toContainEqual(['']);
  expect(sizes).toContainEqual(['5', '10']);
  const states = sentIn(openQueries(operation({ parameters: [STATE] })));
  expect(states).toContainEqual(['']);
  expect(states).toContainEqual(['new', 'sold']);
});

test('what is no member is made of the members', () => {
  const states = sentIn(openQueries(operation({ parameters: [STATE] }))).flat();
  for (const each of ['SOLD', 'new,in-use', 'sold ', ' new', '["new"]', 'Sold'])
    expect(states).toContain(each);
  const capital = parameter('state', { enum: ['A', 'B'] });
  const others = sentIn(openQueries(operation({ parameters: [capital] })));
  expect(others).not.toContainEqual(['B']);
  expect(others).toContainEqual(['A', 'B']);
});

test('lengths that servers rarely expect are among them', () => {
  const longest = (probes: readonly Probe[]) =>
    Math.max(
      ...probes.flatMap(({ query, path }) =>
        [...query.map(([, value]) => value), ...Object.values(path)].map((each) => String(each).length),
      ),
    );
  expect(longest(openQueries(operation({ parameters: [SIZE] })))).toBe(1_000);
  expect(longest(openQueries(operation({ parameters: [STATE] })))).toBe(1_000);
  expect(longest(openPaths(thing))).toBe(300);
});

test('several parameters are tried in turn', () => {
  const names = openQueries(operation({ parameters: [SIZE, STATE] })).map(({ query }) => query[0]?.[0]);
  expect(names.slice(0, 4)).toEqual(['size', 'state', 'size', 'state']);
});

test('nothing is sent beside a documented parameter, to another address, or but by a GET', () => {
  const none = [
    operation({ parameters: [parameter('trace', { type: 'integer' }, { in: 'header' })] }),
    operation({ parameters: [parameter('tags', { type: 'array', items: { type: 'string' } })] }),
    operation({ method: 'POST' }),
    operation({ method: 'POST', parameters: [SIZE] }),
    operation({ address: 'apiUrl' }),
  ];
  for (const each of none) expect(openQueries(each)).toEqual([]);
});

test('numbers that are members are tried as numbers are', () => {
  const sizes = (schema: Schema) =>
    sentIn(openQueries(operation({ parameters: [parameter('size', schema)] })));
  expect(sizes({ type: 'integer', enum: [10, 20] })).toEqual(sizes({ type: 'integer' }));
});

test('in place of any text come texts that careless code interprets', () => {
  const texts = sentIn(openQueries(operation({ parameters: [parameter('q', { type: 'string' })] }))).flat();
  for (const each of ["'", '%', '', '\\', '[', '{"$ne":null}']) expect(texts).toContain(each);
});

test('what else a request needs is as in the right one', () => {
  const date = parameter('date', { type: 'string', format: 'date' }, { required: true });
  const part = operation({
    path: '/things/{id}/parts/{part}',
    parameters: [ID, pathParameter('part', {}), date, SIZE],
  });
  const right: RightRequest = {
    path: { id: '7', part: '8' },
    query: [['date', '2026-11-30']],
    headers: [['X-Team', 'a']],
  };
  const sizes = openQueries(part, right).filter(({ title }) => title.startsWith('size'));
  expect(sizes).toHaveLength(28);
  for (const { path, query, headers } of sizes) {
    expect([path, headers, query[0]]).toEqual([right.path, right.headers, right.query[0]]);
    expect(query.slice(1).every(([name]) => name === 'size')).toBe(true);
  }
  const dates = openQueries(part, right).filter(({ title }) => title.startsWith('date'));
  for (const { query } of dates) expect(query.map(([name]) => name)).toEqual(['date']);
  const ids = openPaths(
    { ...part, parameters: [ID, pathParameter('part', { type: 'string' }), date] },
    right,
  );
  expect(ids).toHaveLength(20);
  for (const { path, query } of ids) expect([path.id, query]).toEqual(['7', right.query]);
});

test('an id is sent in other forms where it is the last one of the path, and no member', () => {
  const other = pathParameter('part', { type: 'integer', enum: [1, 2] });
  for (const change of [
    { parameters: [] },
    { parameters: [SIZE] },
    { parameters: [ID, other] },
    { method: 'DELETE' },
    { parameters: [pathParameter('id', { type: 'boolean' })] },
  ])
    expect(openPaths({ ...thing, ...change })).toEqual([]);
  expect(openPaths({ ...thing, parameters: [SIZE, ID] })[0]?.path).toEqual({ id: '0' });
  expect(openPaths({ ...thing, parameters: [pathParameter('id', { type: 'string' })] })).toHaveLength(20);
});

test('no id in another form leads to another path', () => {
  const ids = openPaths(thing).map(({ path }) => path.id);
  expect(ids).toContain('0');
  for (const id of ids) expect(id).toMatch(/^[^/]*[^./][^/]*$/u);
});

test('an operation without parameters gets some that others have', () => {
  const probes = openQueries(operation());
  expect(probes.map(({ query }) => query)).toEqual([
    [['offset', 'abc']],
    [['page', '-1']],
    [['id', "'"]],
    [['filter', '{"$ne":null}']],
    [['q', '']],
    [['sort', '%']],
  ]);
  expect(probes.map(({ id }) => id)).toEqual(
    [1, 2, 3, 4, 5, 6].map((each) => `listThings:further-query-${each}`),
  );
  expect(probes[4]?.title).toBe('q=, which is not documented');
});
