import { describe, expect, test } from 'vitest';
import { observed, type Seen } from '../../../../../test/limiters/limiter-states.ts';
import type { Observation } from '../models/model.ts';
import { allChoices, choices, countedBy, MAX_IN_FLIGHT, orderOf, within } from './order.ts';
import type { Place } from './place.ts';

/** A request: from when to when (s), and what is known of it. */
type Row = [from: number, to: number, change?: Partial<Seen>];

const START: Pick<Place, 'first' | 'ahead'> = { first: 0, ahead: [] };

function inOrder(rows: readonly Row[]): readonly Observation[] {
  return rows.map(([at, until, { exchange, ...change } = {}], index) =>
    observed({
      at,
      until,
      inFlight: rows.slice(0, index + 1).filter(([, to]) => to >= at).length,
      kind: 'read, 200',
      ...change,
      exchange: { id: index + 1, ...exchange },
    }),
  );
}

describe('the order in which requests were counted', () => {
  const order = orderOf(
    inOrder([
      [0, 1],
      [2, 6],
      [3, 4],
      [5, 7],
      [8, 9],
    ]),
  );
  const pairs = [0, 1, 2, 3, 4].flatMap((one) => [0, 1, 2, 3, 4].map((other) => [one, other] as const));

  test('is known unless they were in flight at the same time', () => {
    const before = pairs.filter(([one, other]) => order.isBefore(one, other)).map((pair) => pair.join('-'));
    expect(before).toEqual(['0-1', '0-2', '0-3', '0-4', '1-4', '2-3', '2-4', '3-4']);
    expect([order.beside(1), order.beside(2), order.beside(4)]).toEqual([
      { earlier: new Set(), later: [2, 3] },
      { earlier: new Set([1]), later: [] },
      { earlier: new Set(), later: [] },
    ]);
    expect(order.beside(9)).toEqual({ earlier: new Set(), later: [] });
  });

  test('is that in which they were sent, however they are listed', () => {
    const rows = inOrder([
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
    expect(orderOf([...rows].reverse()).inTurn.map(({ exchange }) => exchange.id)).toEqual([1, 2, 3]);
    expect(orderOf(rows)).toBe(orderOf(rows));
  });

  test.each<[inFlight: number, earlier: number[]]>([
    [1, []],
    [2, [1]],
    [3, [0, 1]],
  ])(
    'in the same millisecond is told by the %i in flight: those answered last are still in flight',
    (inFlight, earlier) => {
      const rows = inOrder([
        [0, 2],
        [0, 3],
        [2, 5, { exchange: { inFlight } }],
      ]);
      expect([...orderOf(rows).beside(2).earlier].sort()).toEqual(earlier);
    },
  );
});

describe('what may have been counted next', () => {
  const next = (rows: readonly Row[], place = START) => {
    const { inTurn, isBefore } = orderOf(inOrder(rows));
    return { few: choices(inTurn, place, isBefore), all: allChoices(inTurn, place, isBefore) };
  };
  const told = (remaining: number, change: Partial<Seen> = {}): Row => [0, 9, { remaining, ...change }];

  test('is the first, or what was in flight with it, the most remaining first', () => {
    const rows: Row[] = [told(5), told(7), told(6), [10, 11, { remaining: 9 }]];
    expect(next(rows).all).toEqual([1, 2, 0]);
    expect(next(rows, { first: 0, ahead: [1] }).all).toEqual([2, 0]);
    expect(next(rows, { first: 3, ahead: [] }).all).toEqual([3]);
  });

  test('is one of so many as can be tried', () => {
    const many = Array.from({ length: MAX_IN_FLIGHT + 6 }, (_, index) => told(99 - index));
    expect(next(many).all).toEqual(many.slice(0, MAX_IN_FLIGHT).map((_, index) => index));
    const ahead = [1, 2];
    expect(next(many, { first: 0, ahead }).all).toHaveLength(MAX_IN_FLIGHT);
  });

  test('is not what was sent after the response to one that waits', () => {
    expect(
      next([
        [0, 9, { remaining: 1 }],
        [1, 2, { remaining: 2 }],
        [3, 4, { remaining: 3 }],
      ]).all,
    ).toEqual([1, 0]);
  });

  test('is first of all what tells of the older window', () => {
    const reset = (seconds: number) => ({ exchange: { rate: { reset: 1_000 + seconds } } });
    expect(next([told(5, reset(45)), told(3, reset(0)), told(4, reset(44))]).all).toEqual([2, 1, 0]);
    // A request that does not tell is one of the older window.
    expect(next([told(5, reset(60)), told(3), [0, 9], told(0, reset(0))]).all).toEqual([1, 3, 2, 0]);
  });

  test('is in a quick search one of the three with the most remaining, the last, or one of each kind that does not tell', () => {
    const wrong = (until: number, kind = 'a wrong key, read'): Row => [0, until, { kind }];
    const rows: Row[] = [
      told(1),
      told(6),
      told(5),
      told(4),
      told(3),
      told(2),
      wrong(9),
      wrong(8),
      wrong(10, 'a wrong key, add'),
    ];
    expect(next(rows).few).toEqual([1, 2, 3, 0, 7, 8]);
    expect(next(rows.slice(0, 1)).few).toEqual([0]);
    expect(next(rows.slice(0, 3)).few).toEqual([1, 2, 0]);
  });

  test.each<[what: string, change: Partial<Seen>]>([
    ['kind', { kind: 'add, 201' }],
    ['outcome', { outcome: 'unknown' }],
    ['Remaining', { remaining: 4 }],
    ['use by others', { others: 1 }],
    ['Reset', { reset: [40, 43] }],
    ['variation', { exchange: { variation: 'query' as never } }],
    ['repetition', { exchange: { isRepeated: true } }],
    ['stage', { exchange: { stage: 'exhaust' } }],
  ])('is only the first of two that say the same, but for another %s', (_what, change) => {
    const reset = { reset: [30, 33] as const };
    const two = (more: Partial<Seen>) =>
      [...next([told(5, reset), told(5, { ...reset, ...more })]).all].sort();
    expect([two({}), two(change)]).toEqual([[0], [0, 1]]);
  });

  test('is either of two that say the same, if the later one was answered before', () => {
    expect(
      next([
        [0, 9, { remaining: 5 }],
        [1, 8, { remaining: 5 }],
      ]).all,
    ).toEqual([0, 1]);
    expect(
      next([
        [0, 9, { remaining: 5 }],
        [1, 10, { remaining: 5 }],
      ]).all,
    ).toEqual([0]);
  });
});

describe('when one was counted', () => {
  const rows = orderOf(
    inOrder([[0, 9], [1, 5], [2, 7], ...Array.from({ length: 64 }, (): Row => [3, 8]), [3, 4]]),
  ).inTurn;

  test('is before the response to each that waits', () => {
    expect(countedBy(rows, START)).toBe(5_000);
    expect(countedBy(rows, { first: 0, ahead: [1] })).toBe(7_000);
    expect(countedBy(rows, { first: 3, ahead: [] })).toBe(8_000);
    expect(countedBy(rows, { first: 4, ahead: [] })).toBe(4_000);
    expect(countedBy(rows, { first: rows.length, ahead: [] })).toBe(Number.POSITIVE_INFINITY);
  });

  test.each<[since: number, until: number, lo: number, hi: number]>([
    [0, 9, 2, 6],
    [2, 6, 2, 6],
    [3, 9, 3, 6],
    [0, 5, 2, 5],
    [3, 5, 3, 5],
    [5, 3, 5, 5],
    [7, 9, 7, 7],
  ])('is after those before it and before those that wait: from %i to %i s', (since, until, lo, hi) => {
    const one = observed({ at: 2, until: 6 });
    expect(within(one, since * 1_000, until * 1_000).at).toEqual({ lo: lo * 1_000, hi: hi * 1_000 });
  });
});

describe('at a place, the next one is known with', () => {
  const { start, fewAt, allAt, inTurn } = orderOf(
    inOrder([
      [0, 9, { remaining: 4 }],
      [1, 8],
      [2, 7, { remaining: 5 }],
      [3, 5],
      [10, 11],
    ]),
  );

  test.each([
    ['a quick search', fewAt, [2, 0, 3]],
    ['a thorough search', allAt, [2, 0, 1, 3]],
  ])('those that %s tries, and until when it was counted', (_what, candidatesAt, indices) => {
    const candidates = candidatesAt(start);
    expect(candidates.indices).toEqual(indices);
    expect(candidates.observations).toEqual(indices.map((index) => inTurn[index]));
    expect(candidates.until).toBe(5_000);
    expect(candidatesAt(start)).toBe(candidates);
  });

  test('no bound, if it is the only one', () => {
    const last = [0, 1, 2, 3].reduce((place, index) => place.after(index), start);
    expect(allAt(last)).toEqual({ indices: [4], observations: [inTurn[4]], until: Number.POSITIVE_INFINITY });
  });
});
