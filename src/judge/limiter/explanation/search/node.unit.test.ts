import { describe, expect, test } from 'vitest';
import { observed, type Seen } from '../../../../../test/limiters/limiter-states.ts';
import type { Observation, State } from '../models/model.ts';
import { advance, mayHaveUsed, type Node, pass } from './node.ts';
import { Place } from './place.ts';
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
  place: Place.start(),
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

  test('it is at the place after it', () => {
    const before = nodeOf();
    expect(advance(before, 2, read(), 1, stateOf('b')).place).toBe(before.place.after(2));
  });

  test('one that takes nothing and tells nothing changes only its place', () => {
    const before = nodeOf();
    const { count, place, state, weights, by } = pass(before, 0, read());
    expect([count, place, by?.kind]).toEqual([5, before.place.after(0), READ]);
    expect([state, weights]).toEqual([before.state, before.weights]);
  });
});

test('others may have used some, though not any number', () => {
  expect([0, 1, Number.POSITIVE_INFINITY].map(mayHaveUsed)).toEqual([false, true, false]);
});
