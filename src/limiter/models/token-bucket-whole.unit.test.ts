import { describe, expect, test } from 'vitest';
import {
  explainedRemaining,
  isExplained,
  observed,
  refused,
  type Seen,
  statesAfter,
} from '../../../test/limiters/limiter-states.ts';
import type { Figures } from './model.ts';
import { wholeTokens } from './token-bucket.ts';

/** One comes back every half a second. */
const FIGURES: Figures = { limit: 20, windowMs: 10_000, burst: 0 };
const WITH_BURST: Figures = { ...FIGURES, burst: 5 };

const explains = (...seen: Seen[]) => isExplained(wholeTokens, seen, FIGURES);
const statesOf = (...seen: Seen[]) => statesAfter(wholeTokens, seen, FIGURES);
const remainingAfter = (seen: readonly Seen[], next: Seen, figures = FIGURES) =>
  explainedRemaining(wholeTokens, seen, next, figures);

/** Reads that come faster than two a second, until none is left. */
const used = Array.from({ length: 20 }, (_, index): Seen => ({ at: 0.4 * index, remaining: 19 - index }));
const five: Seen = { at: 0, remaining: 5 };

test('reads that come faster than the rate get nothing back, and after a pause all that the time gives', () => {
  expect(explains(...used, refused(7.9), { at: 12.65, remaining: 9 })).toBe(true);
});

test('but a slow read that gets nothing back is not explained', () => {
  expect(explains(five, { at: 5, remaining: 4 })).toBe(false);
});

test('and neither is one that gets back more', () => {
  expect(explains(five, { at: 0.4, remaining: 6 })).toBe(false);
});

describe('what is left', () => {
  test.each<[what: string, seen: readonly Seen[], next: Seen, expected: number[]]>([
    [
      'what comes back since the last one that was let through',
      [five, { at: 3, remaining: 10 }],
      { at: 4.2 },
      [11],
    ],
    ['one more if it was counted late', [five], { at: 0.9, until: 1 }, [5, 6]],
    ['no more than the limit', [five], { at: 60 }, [19]],
    ['others may have used two', [five], { at: 1, others: 2 }, [4, 5, 6]],
    ['others may have used all', [five], { at: 1, others: 50 }, [0, 1, 2, 3, 4, 5, 6]],
    ['a read that does not tell takes one', [five, { at: 0.1 }], { at: 0.2 }, [3]],
    ['a refusal by another window takes none', [five, { at: 0.4, outcome: 'unknown' }], { at: 0.6 }, [5]],
    ['and does so with none left', [...used, { at: 7.8, outcome: 'unknown' }], { at: 8.2 }, [0]],
  ])('%s', (_what, seen, next, expected) => {
    expect(remainingAfter(seen, next)).toEqual(expected);
  });

  test('a burst comes on top of the limit', () => {
    expect(wholeTokens.start(WITH_BURST, observed(five))[0]?.left).toEqual({ lo: 0, hi: 25 });
    expect(remainingAfter([five], { at: 60 }, WITH_BURST)).toEqual([24]);
  });

  test.each<[what: string, seen: Seen[], kind: string, left: number]>([
    ['it is let through with none left', [...used, { at: 7.7 }], 'let-through', 0],
    ['it is refused with as many left as it takes', [five, refused(0.1, { weight: 5 })], 'refused', 5],
    ['Remaining falls by less', [five, { at: 0.1, remaining: 5 }], 'remaining', 4],
  ])('is told wrongly if %s', (_what, seen, kind, left) => {
    expect(statesOf(...seen)).toEqual({ kind, expected: { lo: left, hi: left } });
  });

  test('a request that costs several is refused with too few left', () => {
    expect(remainingAfter([five, refused(0.1, { weight: 6 })], { at: 0.2 })).toEqual([4]);
    expect(explains(five, refused(0.1, { weight: 5 }))).toBe(false);
  });
});

test.each<[what: string, seen: readonly Seen[], isPossible: boolean]>([
  ['none of them', [five, { at: 1 }], true],
  ['one of them', [five, { at: 1, reset: [2, 3] }], false],
])('a limiter that tells a Reset is another: with %s', (_what, seen, isPossible) => {
  expect(wholeTokens.isPossible?.(seen.map(observed))).toBe(isPossible);
});
