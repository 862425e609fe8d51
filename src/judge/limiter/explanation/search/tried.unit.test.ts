import { expect, test } from 'vitest';
import type { Node } from './node.ts';
import { Place } from './place.ts';
import { unlessCovered, unlessTried } from './tried.ts';
import { Weights } from './weights.ts';

const START = Place.start();
const UNKNOWN = Weights.unknown([]);

/** A node whose state covers those with a lower key. */
function nodeOf(key: string, change: Partial<Node> = {}): Node {
  return {
    state: {
      key,
      left: { lo: 0, hi: 5 },
      covers: (other) => key >= other.key,
      follow: () => [],
    },
    weights: UNKNOWN,
    place: START,
    count: 4,
    since: 1_000,
    isUntold: false,
    ...change,
  };
}

test('a quick search leaves out what it tried', () => {
  const isNew = unlessTried();
  const place = START.after(0);
  const weights = UNKNOWN.with('read, 200', 1);
  const others = [{ place }, { weights }, { place, weights }];
  const all = [{}, {}, ...others, ...others].map((change) => nodeOf('a', change));
  expect([...all, nodeOf('b')].map(isNew)).toEqual([
    true,
    false,
    true,
    true,
    true,
    false,
    false,
    false,
    true,
  ]);
});

test('a thorough search leaves out what follows from a state that it tried, at the same place and no later', () => {
  const isNew = unlessCovered();
  const at = (key: string, since: number, place = START) => isNew(nodeOf(key, { since, place }));
  expect(at('b', 2_000)).toBe(true);
  expect([at('b', 2_000), at('a', 2_000), at('a', 3_000)]).toEqual([false, false, false]);
  expect([at('c', 2_000), at('a', 1_000), at('a', 2_000, START.after(0))]).toEqual([true, true, true]);
  expect([at('c', 2_500), at('a', 1_500)]).toEqual([false, false]);
});

test('a thorough search remembers the last fifty states of a place', () => {
  // Each has a higher key than the one before, and comes later, so that none covers another.
  const tried = (count: number) => {
    const isNew = unlessCovered();
    const all = Array.from({ length: count }, (_, index) => nodeOf(String(100 + index), { since: index }));
    expect(all.map(isNew)).toEqual(all.map(() => true));
    return isNew(nodeOf('100', { since: 0 }));
  };
  expect([tried(50), tried(51)]).toEqual([false, true]);
});
