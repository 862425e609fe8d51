import { expect, test } from 'vitest';
import {
  contractOf,
  operation,
  parameter,
  pathParameter,
  response,
} from '../../../test/operations/operations.ts';
import type { Operation, Parameter } from '../../model/contract.ts';
import type { Probe } from '../../model/probe.ts';
import { probe } from '../probe.ts';
import { drawFrom } from '../variations/random.ts';
import { furtherQueries, furtherReads } from './further-reads.ts';

const SIZE = parameter('size', { type: 'integer', minimum: 1, maximum: 20 });
const STATE = parameter('state', { type: 'string', enum: ['new', 'sold'] });
const SIZES = ['1', '2', '3', '5', '8', '9', '10', '11', '15', '16', '19', '20'];
const queriesOf = (parameters: Parameter[], change: Partial<Operation> = {}, seed = 1) =>
  furtherQueries(operation({ parameters, ...change }), drawFrom(seed));
const written = ({ query }: Probe) => query.map((each) => each.join('=')).join('&');
const sorted = ({ query }: Probe) =>
  query
    .map((each) => each.join('='))
    .sort()
    .join('&');

test('every size is sent with every member and without, and without a size', () => {
  const queries = queriesOf([SIZE, STATE]);
  expect(queries.map(sorted).sort()).toEqual(
    ['', ...SIZES.map((each) => `size=${each}`)]
      .flatMap((size) => [size, `${size}${size && '&'}state=new`, `${size}${size && '&'}state=sold`])
      .sort(),
  );
  for (const { stage, acceptable, validity } of queries)
    expect([stage, acceptable, validity]).toEqual(['surplus', ['200'], 'valid']);
});

test('both orders of parameters are sent, and words and ids say which', () => {
  const queries = queriesOf([SIZE, STATE]);
  const two = queries.filter(({ query }) => query.length === 2);
  const sizeFirst = two.filter(({ query }) => query[0]?.[0] === 'size').length;
  expect(sizeFirst).toBeGreaterThan(two.length / 4);
  expect(sizeFirst).toBeLessThan((two.length * 3) / 4);
  for (const [index, each] of queries.entries()) {
    expect(each.id).toBe(`listThings:further ${written(each)}#${index + 1}`);
    expect(each.title).toBe(written(each).replace('&', ' and ') || 'without parameters, again');
  }
});

test.each<[parameter: Parameter, values: string[]]>([
  [parameter('p', { type: 'integer', minimum: 4, maximum: 6 }), ['', '4', '5', '6']],
  [parameter('p', { type: 'integer', maximum: 3 }), ['', '1', '2', '3']],
  [parameter('p', { type: 'integer', minimum: 6, maximum: 12 }), ['', '10', '11', '12', '6', '7', '8', '9']],
  [parameter('p', { type: 'integer', maximum: 3 }, { required: true }), ['1', '2', '3']],
  [parameter('p', { enum: ['a', 1] }, { required: true }), ['1', 'a']],
  [parameter('p', { type: 'integer' }), ['']],
  [parameter('p', { type: 'string', maximum: 3 }), ['']],
])('the values of %j', (one, values) => {
  expect(
    queriesOf([one])
      .map(({ query }) => query[0]?.[1] ?? '')
      .sort(),
  ).toEqual(values);
});

test('nothing is sent to what is no read with a query alone', () => {
  expect(queriesOf([])).toEqual([]);
  expect(queriesOf([SIZE], { method: 'POST' })).toEqual([]);
  expect(queriesOf([SIZE, pathParameter('id', {})])).toEqual([]);
});

test('what was never sent comes first', () => {
  for (const seed of [1, 2, 3]) {
    const first = queriesOf([parameter('size', { type: 'integer', maximum: 5 }), STATE], {}, seed).slice(
      0,
      4,
    );
    const pairs = first.map(({ query }) => query.map(String));
    const seen = new Set<string>();
    // Each of the first ones has something that none before it has.
    for (const own of pairs) {
      expect(own.length === 0 || own.some((pair) => !seen.has(pair))).toBe(true);
      for (const pair of own) seen.add(pair);
    }
  }
});

test('a page of more than a quarter of the maximum comes without a filter first', () => {
  for (const seed of [1, 2, 3, 4]) {
    const queries = queriesOf([SIZE, STATE], {}, seed);
    for (const size of ['8', '9', '10', '11', '15', '16', '19', '20']) {
      const own = queries.filter(({ query }) =>
        query.some(([name, value]) => name === 'size' && value === size),
      );
      expect(
        own.map(({ query }) => query.length),
        size,
      ).toEqual([1, 2, 2]);
    }
  }
});

test('a smaller page may come with a filter first: it is full all the same', () => {
  const firsts = Array.from({ length: 30 }, (_, seed) =>
    ['1', '2', '3', '5'].map(
      (size) =>
        queriesOf([SIZE, STATE], {}, seed).find(({ query }) => query.some(([, value]) => value === size))
          ?.query.length,
    ),
  );
  for (const index of [0, 1, 2, 3])
    expect(new Set(firsts.map((each) => each[index]))).toEqual(new Set([1, 2]));
});

const ID = pathParameter('id', { type: 'integer' });
const link = { operation: 'getThing', parameter: 'id', pointer: '/0/id' };
const list = operation({
  parameters: [parameter('size', { type: 'integer', maximum: 50 })],
  responses: [response('200', { links: [link] })],
});
const get = operation({
  id: 'getThing',
  path: '/things/{id}',
  parameters: [ID],
  responses: [response('200'), response('404')],
});
const first = probe(list, 'plain', 'first', { title: 'plain', acceptable: ['200'] });
const longest = probe(list, 'longest', 'list', {
  title: 'longest',
  acceptable: ['200'],
  query: [['size', '50']],
});
const readsOf = (planned: Probe[], operations = [list, get]) =>
  furtherReads(contractOf(operations), planned, drawFrom(1));

test('entries of the first list and of the longest one are read in turn', () => {
  const reads = readsOf([first, longest]);
  expect(reads).toHaveLength(2 * 19);
  expect(reads.slice(0, 2)).toMatchObject([
    {
      id: 'getThing:further-listed-2',
      title: 'entry 2 of the list',
      stage: 'surplus',
      acceptable: ['200', '404'],
      path: { id: { late: 'response', sources: [{ probe: 'listThings:plain', pointer: '/1/id' }] } },
    },
    {
      id: expect.stringMatching(/^getThing:further-far-\d\d$/),
      stage: 'surplus',
      acceptable: ['200', '404'],
    },
  ]);
  const places = reads.flatMap(({ id, title, path }) => {
    const place = /:further-far-(\d+)$/.exec(id)?.[1];
    if (place === undefined) return [];
    expect(title).toBe(`entry ${place} of the longest list`);
    expect(path.id).toMatchObject({
      sources: [{ probe: 'listThings:longest', pointer: `/${Number(place) - 1}/id` }],
    });
    return [Number(place)];
  });
  expect(new Set(places).size).toBe(19);
  for (const each of places) {
    expect(each).toBeGreaterThan(20);
    expect(each).toBeLessThanOrEqual(50);
  }
});

test('without the longest list there are fewer; without a first list none', () => {
  const kinds = (reads: Probe[]) => [...new Set(reads.map(({ id }) => /-(\w+)-/.exec(id)?.[1]))];
  expect(kinds(readsOf([first]))).toEqual(['listed']);
  expect(kinds(readsOf([first, longest]))).toEqual(['listed', 'far']);
  expect(readsOf([longest])).toEqual([]);
  expect(readsOf([{ ...first, operation: 'other' }])).toEqual([]);
  expect(readsOf([first], [list])).toEqual([]);
});

test('the longest list has the largest size alone, and is sent as it should be', () => {
  const isReadFurther = (change: Partial<Probe>) =>
    readsOf([first, { ...longest, ...change }]).some(({ id }) => id.includes('-far-'));
  expect(isReadFurther({})).toBe(true);
  for (const change of [
    { operation: 'other' },
    { key: 'absent' as const },
    { validity: 'open' as const },
    { query: [['size', '49']] as const },
    {
      query: [
        ['size', '50'],
        ['state', 'new'],
      ] as const,
    },
    { query: [] },
  ])
    expect(isReadFurther(change)).toBe(false);
});
