import { describe, expect, test } from 'vitest';
import {
  statesAfter as after,
  explainedRemaining,
  isExplained as explains,
  MINUTE,
  refused,
  type Seen,
} from '../../../test/limiters/limiter-states.ts';
import { lotsOf } from './lots.ts';
import type { Figures, Misfit, Model, Observation } from './model.ts';

const WITH_BURST: Figures = { ...MINUTE, burst: 3 };

/** Of twelve requests in a minute, two come back every ten seconds. */
const model = lotsOf(MINUTE).find(({ name }) => name === 'token bucket, refilled in 6 lots') as Model;

const statesAfter = (seen: readonly Seen[], figures = MINUTE) => after(model, seen, figures);
const isExplained = (seen: readonly Seen[], figures = MINUTE) => explains(model, seen, figures);

/** A lot came between 3.9 and 4.1 s, so the next ones come ten and twenty seconds later. Five requests are left. */
const oneLot: readonly Seen[] = [
  { at: 0, remaining: 5 },
  { at: 3.9, remaining: 4 },
  { at: 4.1, remaining: 5 },
];

describe('requests come back in lots', () => {
  test.each<[what: string, next: Seen, expected: number]>([
    ['none before the next lot', { at: 13.89 }, 4],
    ['two with it', { at: 14.11 }, 6],
    ['four with two of them', { at: 24.11 }, 8],
    ['no more than the limit', { at: 94.11 }, 11],
  ])('%s', (_what, next, expected) => {
    expect(isExplained([...oneLot, { ...next, remaining: expected }])).toBe(true);
    for (const remaining of [expected - 1, expected + 1])
      expect(statesAfter([...oneLot, { ...next, remaining }])).toEqual({
        kind: 'remaining',
        expected: { lo: expected, hi: expected },
      });
  });

  test('a request that may be counted before the lot or after it leaves both possible', () => {
    const both = [...oneLot, { at: 13.8, until: 14.2 }];
    expect(isExplained([...both, { at: 14.3, remaining: 5 }])).toBe(true);
    expect(isExplained([...oneLot, { at: 13.8, until: 14.2, remaining: 4 }])).toBe(true);
    expect(isExplained([...oneLot, { at: 13.8, until: 14.2, remaining: 6 }])).toBe(true);
    expect(isExplained([...oneLot, { at: 13.8, until: 14.2, remaining: 5 }])).toBe(false);
  });

  test('none is taken back if a request is counted within a longer one', () => {
    const longer: Seen = { at: 0, until: 5, remaining: 8 };
    expect(explainedRemaining(model, [longer], { at: 1, until: 2 })).toEqual([7, 9]);
  });

  test('others may have used some of them', () => {
    for (const remaining of [4, 5, 6])
      expect(isExplained([...oneLot, { at: 14.11, remaining, others: 2 }])).toBe(true);
    expect(isExplained([...oneLot, { at: 14.11, remaining: 3, others: 2 }])).toBe(false);
  });

  test.each([4, 8, 16, 32])('parts of a request add up to whole ones, of a limit of %i', (limit) => {
    // In sixths of a request, so that all is exact: each request takes six, and a lot is as many as the limit.
    let left = 6 * limit;
    const take = (count: number, at: number): Seen[] =>
      Array.from({ length: count }, (_, index) => {
        left -= 6;
        return { at: at + index / 100, remaining: Math.floor(left / 6) };
      });
    const seen = take(limit, 0);
    for (let at = 10; at < 300; at += 10) {
      left += limit;
      seen.push(...take(Math.floor(left / 6), at));
    }
    expect(isExplained(seen, { ...MINUTE, limit })).toBe(true);
  });

  test('up to the limit and the burst, which Remaining may include', () => {
    const full = (remaining: number): Seen[] => [...oneLot, { at: 184, remaining }];
    expect(isExplained([{ at: 0, remaining: 14 }], WITH_BURST)).toBe(true);
    expect([10, 11, 14, 15].map((remaining) => isExplained(full(remaining), WITH_BURST))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('Retry-After says when the next lot comes, rounded or up to a second later', () => {
  const first = refused(0, { retryAfter: 5 });

  test.each<[what: string, next: Seen, misfit?: Misfit]>([
    [
      'it has not come three seconds later',
      { at: 2.999 },
      { kind: 'let-through', expected: { lo: 0, hi: 0 } },
    ],
    ['it may have then', { at: 3, remaining: 1 }],
    ['it may come six seconds later', refused(6)],
    ['it has come by then', refused(6.001), { kind: 'refused', expected: { lo: 2, hi: 2 } }],
  ])('%s', (_what, next, misfit) => {
    if (misfit) expect(statesAfter([first, next])).toEqual(misfit);
    else expect(isExplained([first, next])).toBe(true);
  });

  test('it contradicts one that came before', () => {
    expect(isExplained([first, refused(1, { retryAfter: 4 })])).toBe(true);
    expect(isExplained([first, refused(1, { retryAfter: 9 })])).toBe(false);
  });

  test.each<Observation['outcome']>(['let-through', 'unknown'])('not if the request was %s', (outcome) => {
    expect(isExplained([...oneLot, { at: 5, outcome, retryAfter: 60 }])).toBe(true);
  });

  test('it waits for several lots if one is less than a request', () => {
    // Of four requests in a minute, two thirds of one come back every ten seconds.
    const four: Figures = { ...MINUTE, limit: 4 };
    const used: Seen[] = [3, 2, 1, 0].map((remaining, at) => ({ at: at / 10, remaining }));
    const waiting = refused(1.4, { retryAfter: 14, reset: [54, 55] });
    const oneCame = refused(14.4, { retryAfter: 1, reset: [54, 55] });
    expect(isExplained([...used, waiting, oneCame, { at: 14.8, remaining: 0, reset: [74, 75] }], four)).toBe(
      true,
    );
    expect(isExplained([...used, waiting, { at: 12, remaining: 0 }], four)).toBe(false);
    expect(isExplained([...used, refused(1.4, { retryAfter: 30 })], four)).toBe(false);
  });

  test('it waits for as many as the request costs', () => {
    // Five are needed, and one is left: the second lot from now is enough.
    const seen: Seen[] = [{ at: 0, remaining: 1 }, refused(1, { weight: 5, retryAfter: 14 })];
    expect([2.9, 5, 6.1].map((at) => explainedRemaining(model, seen, { at }))).toEqual([[0], [0, 2], [2]]);
  });

  test('a refusal may be without it', () => {
    expect(isExplained([refused(0), refused(9), { at: 10.1, remaining: 1 }])).toBe(true);
  });
});

describe('Reset', () => {
  // The next lot comes at 14 s, and three later ones fill the bucket. A window from now ends at 65 s.
  const at = (reset: readonly [number, number], more: Partial<Seen> = {}): Seen => ({
    at: 5,
    remaining: 4,
    reset,
    ...more,
  });

  test.each<[what: string, reset: readonly [number, number]]>([
    ['now, as some are left', [3, 5]],
    ['the next lot', [14, 15]],
    ['the lot that fills the bucket', [43, 44]],
    ['a window from now', [65, 66]],
  ])('may mean %s', (_what, reset) => {
    expect(isExplained([...oneLot, at(reset)])).toBe(true);
  });

  test('means nothing else', () => {
    const next = { kind: 'reset', expected: { lo: 5_000, hi: 14_100 } };
    expect(statesAfter([...oneLot, at([15, 43])])).toEqual(next);
    expect(statesAfter([...oneLot, at([66, 70])])).toEqual(next);
  });

  test('means the same each time, by which it is told', () => {
    const full = [...oneLot, at([43, 44])];
    // By this Reset, the next lot comes at 14 s at the latest. Five are missing now.
    expect(isExplained([...full, { at: 6, remaining: 3, reset: [54, 55] }])).toBe(true);
    expect(statesAfter([...full, { at: 6, remaining: 3, reset: [13, 14] }])).toEqual({
      kind: 'reset',
      expected: { lo: 53_900, hi: 54_000 },
    });
    const fromNow = [...oneLot, at([65, 66])];
    expect(isExplained([...fromNow, { at: 6, sentAt: 5, remaining: 3, reset: [64, 65] }])).toBe(true);
    expect(
      statesAfter([...fromNow, { at: 6, until: 6.5, sentAt: 5.5, remaining: 3, reset: [54, 55] }]),
    ).toEqual({
      kind: 'reset',
      expected: { lo: 65_500, hi: 66_500 },
    });
  });

  test('a burst is filled, too', () => {
    // Of 15 requests, 14 are missing: seven lots, so that the next one comes between 15 and 16 s. Then eight are missing.
    const full = [refused(0, { retryAfter: 5 }), { at: 6.5, remaining: 1, reset: [75, 76] } as const];
    expect(statesAfter([...full, { at: 7, remaining: 0, reset: [13, 14] }], WITH_BURST)).toEqual({
      kind: 'reset',
      expected: { lo: 85_000, hi: 86_000 },
    });
  });

  test('means something until the burst is there as well', () => {
    expect(statesAfter([{ at: 0, remaining: 11, reset: [600, 601] }], WITH_BURST)).toEqual({
      kind: 'reset',
      expected: { lo: 0, hi: 10_000 },
    });
  });

  test('says when the next lot comes', () => {
    const first = (lo: number, hi: number): Seen => ({ at: 0, remaining: 5, reset: [lo, hi] });
    const remainingAt = (at: number, ...seen: Seen[]) => explainedRemaining(model, seen, { at });
    expect([5, 7.9, 8.2].map((at) => remainingAt(at, first(8, 8.5)))).toEqual([[4], [4], [4, 6]]);
    // It is a time that has come already, as some are left, or one at which the bucket is full, three lots later.
    expect(remainingAt(5, first(0, 0))).toEqual([4, 6]);
    expect([5, 7.9, 8.2].map((at) => remainingAt(at, first(38, 38.5)))).toEqual([[4], [4], [4, 6]]);
    expect(remainingAt(5, first(60, 60))).toEqual([4, 6]);
    // A time that has come says nothing of the next lot, which comes later than at 3 s here.
    expect(remainingAt(7, first(0, 0), { at: 3, remaining: 4 })).toEqual([3, 5]);
    // Either the next lot comes from 1 s on, or the bucket is full by 39 s, and then the next lot comes by 9 s.
    expect(remainingAt(9.5, first(1, 39))).toEqual([4, 6]);
    // A lot came before. Either the next one comes from 12 s on, or by then, and two more fill the bucket.
    expect(remainingAt(15, { at: 0, remaining: 5 }, { at: 9, remaining: 6, reset: [12, 32] })).toEqual([
      5, 7,
    ]);
    // Either the next lot comes by then, or the bucket is full.
    expect([1, 5, 9].map((at) => remainingAt(at, first(8, 32)))).toEqual([
      [4, 6],
      [4, 6],
      [4, 6],
    ]);
  });

  test('a window from now does not say when the next lot comes, however vague the clock is', () => {
    // The lot at 14 s fills the bucket, so that the first Reset, which is later, means neither of both.
    const seen: Seen[] = [
      { at: 0, remaining: 11 },
      { at: 3.9, remaining: 10 },
      { at: 4.1, remaining: 11 },
      { at: 13, remaining: 10, reset: [18, 80] },
      { at: 19, remaining: 11, reset: [24, 86] },
    ];
    expect(explainedRemaining(model, seen, { at: 23.95 })).toEqual([10, 11]);
  });

  test('says nothing while the bucket is full', () => {
    const full = (reset: readonly [number, number]): Seen => ({ at: 94, remaining: 12, weight: 0, reset });
    expect(isExplained([...oneLot, full([600, 601]), { at: 95, remaining: 11, reset: [104, 105] }])).toBe(
      true,
    );
    expect(isExplained([...oneLot, { at: 94, remaining: 11, reset: [600, 601] }])).toBe(false);
    // Reset means that the bucket is full, and so lots come between 8 and 8.5 s, and every ten seconds after.
    const known: Seen[] = [{ at: 0, remaining: 5, reset: [38, 38.5] }];
    const seen: Seen[] = [...known, { ...full([98, 98.2]), at: 90 }, { at: 91, remaining: 11 }];
    expect(explainedRemaining(model, seen, { at: 98.35 })).toEqual([10, 11]);
    // One lot is missing, so that it comes at Reset, which may be now.
    const almost: Seen = { at: 37.9, until: 38.2, remaining: 10, reset: [38.1, 38.3] };
    expect(explainedRemaining(model, [...known, almost], { at: 38.4 })).toEqual([11]);
  });
});
