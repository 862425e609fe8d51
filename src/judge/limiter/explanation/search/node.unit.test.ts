import { describe, expect, test } from 'vitest';
import { observed, type Seen } from '../../../../../test/limiters/limiter-states.ts';
import type { Observation, State } from '../models/model.ts';
import { advance, keyOf, mayHaveUsed, type Node, pass, placeOf } from './node.ts';
import { Weights } from './weights.ts';

const READ = 'read, 200';
const NO_OBSERVATIONS: Observation[] = [];
const read = (change: Partial<Seen> = {}) => observed({ at: 2, kind: READ, ...change });

const stateOf = (key: string, since?: number): State => ({
  key,
  left: { lo: 0, hi: 5 },
  covers: () => false,
  follow: () => [],
  ...(since === undefined ? {} : { since }),
});

const nodeOf = (change: Partial<Node> = {}): Node => ({
  state: stateOf('a'),
  weights: Weights.unknown(NO_OBSERVATIONS),
  first: 0,
  ahead: [],
  count: 4,
  since: 1_000,
  isUntold: false,
  ...change,
});

describe('after an observation', () => {
  test.each<[what: string, change: Partial<Seen>, of: object]>([
    ['its kind takes its weight', {}, { [READ]: 3 }],
    ['nothing is known by a refusal', { outcome: 'refused' }, {}],
    ['nothing is known by a varied request', { exchange: { variation: 'query' as never } }, {}],
    ['nothing is known if others use any number', { others: Number.POSITIVE_INFINITY }, {}],
    ['it is known if others may use some', { others: 2 }, { [READ]: 3 }],
  ])('%s', (_what, change, of) => {
    expect(advance(nodeOf(), 0, read(change), 3, stateOf('b')).weights.of).toEqual(of);
  });

  test('what is known already stays known', () => {
    const weights = Weights.unknown(NO_OBSERVATIONS).with(READ, 3);
    expect(advance(nodeOf({ weights }), 0, read(), 3, stateOf('b')).weights).toBe(weights);
  });

  test('one more is counted, later than those before', () => {
    const after = advance(nodeOf(), 0, read(), 1, stateOf('b'));
    expect([after.count, after.since, after.state.key, after.by?.at.lo, after.before?.count]).toEqual([
      5,
      2_000,
      'b',
      2_000,
      4,
    ]);
    expect(advance(nodeOf({ since: 3_000 }), 0, read(), 1, stateOf('b')).since).toBe(3_000);
    expect(advance(nodeOf(), 0, read(), 1, stateOf('b', 4_000)).since).toBe(4_000);
  });

  test.each<[what: string, before: boolean, change: Partial<Seen>, isUntold: boolean]>([
    ['others may have used some', false, { others: 2 }, true],
    ['others may have used any', false, { others: Number.POSITIVE_INFINITY }, false],
    ['they may have before', true, {}, true],
    ['Remaining tells what is left', true, { others: 2, remaining: 5 }, false],
    ['nobody used any', false, {}, false],
  ])('whether it is unknown what others used: %s', (_what, before, change, isUntold) => {
    expect(advance(nodeOf({ isUntold: before }), 0, read(change), 1, stateOf('b')).isUntold).toBe(isUntold);
  });

  test('those that are to be counted begin with the first that was not', () => {
    const placeAfter = (place: Partial<Node>, index: number) => {
      const { first, ahead } = advance(nodeOf(place), index, read(), 1, stateOf('b'));
      return [first, [...ahead].sort()];
    };
    expect(placeAfter({}, 0)).toEqual([1, []]);
    expect(placeAfter({}, 2)).toEqual([0, [2]]);
    expect(placeAfter({ ahead: [2] }, 1)).toEqual([0, [1, 2]]);
    expect(placeAfter({ ahead: [1, 2, 4] }, 0)).toEqual([3, [4]]);
  });

  test('one that takes nothing and tells nothing changes only its place', () => {
    const before = nodeOf();
    const { count, first, state, weights, by } = pass(before, 0, read());
    expect([count, first, state, weights, by?.kind]).toEqual([5, 1, before.state, before.weights, READ]);
  });
});

test('others may have used some, though not any number', () => {
  expect([0, 1, Number.POSITIVE_INFINITY].map(mayHaveUsed)).toEqual([false, true, false]);
});

test('much the same follows from the same state, place and weights', () => {
  const key = keyOf(nodeOf({ ahead: [2, 3] }));
  expect(keyOf(nodeOf({ ahead: [3, 2] }))).toBe(key);
  const others = [
    { first: 1, ahead: [2, 3] },
    { ahead: [2] },
    { ahead: [2, 4] },
    { ahead: [2, 3], weights: Weights.unknown(NO_OBSERVATIONS).with(READ, 1) },
  ];
  for (const other of others) {
    expect(keyOf(nodeOf(other))).not.toBe(key);
    expect(placeOf(nodeOf(other))).not.toBe(placeOf(nodeOf({ ahead: [2, 3] })));
  }
  expect(keyOf(nodeOf({ ahead: [2, 3], state: stateOf('b') }))).not.toBe(key);
});
