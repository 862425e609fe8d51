import { describe, expect, test } from 'vitest';
import {
  explainedRemaining,
  isExplained,
  MINUTE,
  observed,
  refused,
  type Seen,
  statesAfter,
} from '../../../test/limiters/limiter-states.ts';
import type { Model, State } from './model.ts';
import { tokenBuckets } from './token-bucket.ts';

const WITH_BURST = { ...MINUTE, burst: 3 };
const [down, up] = tokenBuckets as [Model, Model];

/** One of twelve comes back in five seconds. At least five are left, and less than six. */
const first: Seen = { at: 0, remaining: 5 };
/** Nothing is left, not even part of a request. */
const empty: Seen = { at: 0, weight: 12, remaining: 0 };

const lost = (at: number, change: Partial<Seen> = {}): Seen => ({ at, outcome: 'unknown', ...change });
const remainingAfter = (seen: readonly Seen[], next: Seen, figures = MINUTE) =>
  explainedRemaining(down, seen, next, figures);
const statesOf = (...seen: Seen[]) => statesAfter(down, seen);
const stateOf = (...seen: Seen[]) => (statesOf(...seen) as readonly State[])[0] as State;
const closeTo = (lo: number, hi: number) => ({ lo: expect.closeTo(lo, 1), hi: expect.closeTo(hi, 1) });

test('it is plain, unless Remaining is rounded up or to the nearest', () => {
  expect(
    tokenBuckets.map(({ name, surprise, counting, isGradual }) => [name, surprise, counting, isGradual]),
  ).toEqual([
    ['token bucket', 1, 'any', true],
    ['token bucket, Remaining rounded up', 4, 'any', true],
    ['token bucket, Remaining rounded nearest', 4, 'any', true],
  ]);
});

describe('what is left', () => {
  test.each<[what: string, next: Seen, expected: number[]]>([
    ['four come back in twenty seconds', { at: 20 }, [8]],
    ['and a half in another 2.5 s', { at: 22.5 }, [8, 9]],
    ['one may come back while the request is under way', { at: 20, until: 25 }, [8, 9]],
    ['no more than the limit', { at: 600 }, [11]],
    ['others may have used two', { at: 20, others: 2 }, [6, 7, 8]],
    ['others may have used all', { at: 20, others: 50 }, [0, 1, 2, 3, 4, 5, 6, 7, 8]],
  ])('%s', (_what, next, expected) => {
    expect(remainingAfter([first], next)).toEqual(expected);
  });

  test('once full, a bucket does not fill further', () => {
    const full: Seen[] = [first, { at: 600, remaining: 11 }];
    expect(remainingAfter(full, { at: 601 })).toEqual([10]);
    expect(remainingAfter(full, { at: 605 })).toEqual([11]);
    expect(stateOf(first, lost(600)).left.hi).toBeCloseTo(12);
  });

  test('is known of each moment', () => {
    expect(stateOf(first).left).toEqual(closeTo(5, 6));
    expect(stateOf(first, { at: 10, remaining: 6 }).left).toEqual(closeTo(6, 7));
  });

  test('a request without a response took nothing, whatever is left', () => {
    expect(remainingAfter([first, lost(1)], { at: 20 })).toEqual([8]);
    expect(isExplained(down, [empty, lost(1), { at: 5, remaining: 0 }])).toBe(true);
  });

  test('rounded up, nothing is left when Remaining is 0', () => {
    const none: Seen = { at: 0, remaining: 0 };
    expect(isExplained(up, [none, { at: 4.9 }])).toBe(false);
    expect(isExplained(up, [none, { at: 5 }])).toBe(true);
    expect(isExplained(down, [none, { at: 2 }])).toBe(true);
  });

  test.each<[what: string, seen: Seen[], kind: string, lo: number, hi: number]>([
    ['it is refused with requests left', [first, refused(20)], 'refused', 9, 9],
    ['it is let through with none left', [empty, { at: 1 }], 'let-through', 0, 0],
    ['Remaining does not rise', [first, { at: 20, until: 25, remaining: 4 }], 'remaining', 8, 9],
    [
      'Remaining falls by less',
      [
        { ...first, weight: 5 },
        { at: 0, weight: 5, remaining: 4 },
      ],
      'remaining',
      0,
      0,
    ],
  ])('%s', (_what, seen, kind, lo, hi) => {
    expect(statesOf(...seen)).toEqual({ kind, expected: { lo, hi } });
  });
});

describe('Reset', () => {
  const told = (at: number, remaining: number, reset: number, more: Partial<Seen> = {}): Seen => ({
    at,
    remaining,
    reset: [reset, reset],
    ...more,
  });
  const fills = told(0, 5, 33);
  const nextOne = told(0, 5, 5);
  const window = told(0, 5, 60);

  test.each<[what: string, seen: Seen[], lo: number, hi: number]>([
    // Seven were missing, and less than eight are.
    ['when all are back', [fills, told(1, 4, 70)], 36, 40],
    ['when the next one is back', [nextOne, told(1, 4, 70)], 1, 6],
    ['a window after it was sent', [window, told(2, 4, 70, { until: 3, sentAt: 1 })], 61, 63],
  ])('is %s', (_what, seen, lo, hi) => {
    expect(statesOf(...seen)).toEqual({ kind: 'reset', expected: closeTo(lo * 1_000, hi * 1_000) });
    const [before, wrong] = seen as [Seen, Seen];
    for (const reset of [lo + 0.1, hi - 0.1])
      expect(isExplained(down, [before, { ...wrong, reset: [reset, reset] }])).toBe(true);
  });

  test('is nothing else', () => {
    const all = { kind: 'reset', expected: closeTo(30_000, 35_000) };
    for (const reset of [6, 29, 36, 59, 61]) expect(statesOf(told(0, 5, reset))).toEqual(all);
  });

  test('is when a burst is filled, too', () => {
    expect(statesAfter(down, [told(0, 5, 29)], WITH_BURST)).toEqual({
      kind: 'reset',
      expected: closeTo(30_000, 35_000),
    });
  });

  test('is not before now, also if the bucket may have filled meanwhile', () => {
    const idle = told(0, 12, -1, { until: 20, weight: 0 });
    expect(statesOf(idle)).toEqual({ kind: 'reset', expected: closeTo(0, 40_000) });
  });
});

describe('what is known', () => {
  const [begun] = down.start(MINUTE, observed({ at: 0 })) as [State];
  const stateAfter = (seen: Seen) =>
    (begun.follow(observed(seen), seen.weight ?? 1) as readonly State[])[0] as State;
  const any = stateAfter(lost(0));
  const told = stateAfter(lost(0, { remaining: 5 }));
  const reset = stateAfter(lost(0, { reset: [5, 5] }));
  const used = stateAfter({ at: 0 });

  test('has a key of its own', () => {
    expect(new Set([any, told, reset, used].map(({ key }) => key)).size).toBe(4);
  });

  test('tells when a request was counted at the earliest', () => {
    // Less than six were left at first: for six to be left after the next one, one has to come back, which takes 5 s.
    expect(stateOf(first, { at: 0, until: 20, remaining: 6 }).since).toBeCloseTo(5_000, -1);
    expect(stateOf(first, { at: 0, until: 20 }).since).toBeCloseTo(-25_000, -1);
  });
});
