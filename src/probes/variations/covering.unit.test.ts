import { expect, test } from 'vitest';
import { whole } from '../../model/large/steps.ts';
import type { RequestVariation } from '../../model/probe.ts';
import { coveringPairs, type Factor } from './covering.ts';
import { drawFrom } from './random.ts';

const coverPairs = whole(coveringPairs);

const variation = (id: string): RequestVariation => ({ id, kind: 'query-order' });
const factor = (name: string, ...levels: (string | undefined)[]): Factor => ({
  name,
  levels: levels.map((each) => (each === undefined ? undefined : variation(each))),
});
const THREE = [factor('a', undefined, 'a1', 'a2'), factor('b', undefined, 'b1'), factor('c', 'c1', 'c2')];
const rows = (count: number, operation = 'one') =>
  Array.from({ length: count }, () => ({ operation, factors: THREE }));
const chosen = (count: number, seed: number) =>
  coverPairs(rows(count), drawFrom(seed)).map((own) => own.map(({ id }) => id));

test.each([0, 1, 2, 3, 4])('eight requests have every pair of variations, seed %i', (seed) => {
  const pairs = ['a1 b1', 'a1 c1', 'a1 c2', 'a2 b1', 'a2 c1', 'a2 c2', 'b1 c1', 'b1 c2'];
  const all = chosen(8, seed);
  for (const pair of pairs)
    expect(
      all.some((own) => pair.split(' ').every((id) => own.includes(id))),
      pair,
    ).toBe(true);
  // Each factor is plain somewhere.
  for (const name of ['a', 'b']) expect(all.some((own) => !own.some((id) => id.startsWith(name)))).toBe(true);
});

test('a request has one level of each factor at most', () => {
  for (const own of chosen(20, 1)) expect(new Set(own.map((id) => id.charAt(0))).size).toBe(own.length);
});

test('each operation has its own pairs', () => {
  const both = coverPairs([...rows(8), ...rows(8, 'other')], drawFrom(2)).map((own) =>
    own.map(({ id }) => id),
  );
  for (const part of [both.slice(0, 8), both.slice(8)])
    for (const pair of [
      ['a1', 'b1'],
      ['a2', 'b1'],
      ['a2', 'c1'],
    ])
      expect(part.some((own) => pair.every((id) => own.includes(id)))).toBe(true);
});

test('without factors nothing varies', () => {
  expect(coverPairs([{ operation: 'one', factors: [] }], drawFrom(0))).toEqual([[]]);
  expect(coverPairs([], drawFrom(0))).toEqual([]);
});
