import { describe, expect, test } from 'vitest';
import { MINUTE, observed, type Seen } from '../../../test/limiters/limiter-states.ts';
import { afterCount, afterPart, leftIf, lessThan, ROUNDINGS, shownOf } from './headers.ts';

const seen = (change: Partial<Seen> = {}) => observed({ at: 0, ...change });
const lost = { outcome: 'unknown' } as const;
const refusal = { outcome: 'refused' } as const;

/** What was left before, what the request takes, the burst, and what is left afterwards. */
type Case = [
  what: string,
  change: Partial<Seen>,
  before: [number, number],
  weight: number,
  burst: number,
  expected: object,
];

test.each<Case>([
  ['a request takes its weight', {}, [5, 7], 2, 0, { lo: 3, hi: 5 }],
  ['it is let through only if enough are left', {}, [1, 7], 2, 0, { lo: 0, hi: 5 }],
  ['too few are left', {}, [0, 1], 2, 0, { kind: 'let-through', expected: { lo: 0, hi: 1 } }],
  ['it may have been counted', lost, [5, 7], 2, 0, { lo: 3, hi: 7 }],
  ['it may have been counted, if enough were left', lost, [1, 7], 2, 0, { lo: 0, hi: 7 }],
  ['a refusal takes nothing', refusal, [0, 7], 3, 0, { lo: 0, hi: 2 }],
  ['enough are left', refusal, [5, 7], 3, 0, { kind: 'refused', expected: { lo: 5, hi: 7 } }],
  ['Remaining says what is left', { remaining: 4 }, [5, 7], 1, 0, { lo: 4, hi: 4 }],
  ['besides a burst', { remaining: 4 }, [5, 9], 1, 3, { lo: 7, hi: 7 }],
  ['a burst alone is left', { remaining: 0 }, [1, 9], 1, 3, { lo: 0, hi: 3 }],
  ['Remaining says less', { remaining: 1 }, [9, 10], 1, 3, { kind: 'remaining', expected: { lo: 5, hi: 6 } }],
  ['Remaining says more', { remaining: 4 }, [1, 2], 1, 3, { kind: 'remaining', expected: { lo: 0, hi: 0 } }],
])('counted in whole requests: %s', (_what, change, [lo, hi], weight, burst, expected) => {
  expect(afterCount(seen(change), { lo, hi }, weight, burst)).toEqual(expected);
});

const close = (lo: number, hi: number) => ({ lo: expect.closeTo(lo, 3), hi: expect.closeTo(hi, 3) });

test.each<Case>([
  ['a request takes its weight', {}, [5.5, 7], 2, 0, close(3.5, 5)],
  ['it is let through only if enough are left', {}, [1.5, 7], 2, 0, close(0, 5)],
  ['a part is not enough', {}, [0.5, 1.5], 2, 0, { kind: 'let-through', expected: { lo: 0, hi: 1 } }],
  ['a request without a response took nothing', lost, [0.5, 1.5], 2, 0, close(0.5, 1.5)],
  ['a refusal takes nothing', refusal, [0.5, 7], 2, 0, close(0.5, 2)],
  ['enough are left', refusal, [2.5, 7], 2, 0, { kind: 'refused', expected: { lo: 2, hi: 7 } }],
  ['Remaining leaves out a part', { remaining: 4 }, [5.5, 7], 1, 0, close(4.5, 5)],
  ['Remaining may include a burst', { remaining: 4 }, [5, 15], 1, 3, close(4, 8)],
  ['the bound is that of what was left before', {}, [5, 99], 1, 3, close(4, 98)],
  [
    'Remaining says less',
    { remaining: 1 },
    [5.5, 7],
    1,
    0,
    { kind: 'remaining', expected: { lo: 4, hi: 6 } },
  ],
])('counted in parts: %s', (_what, change, [lo, hi], weight, burst, expected) => {
  expect(afterPart(seen(change), { lo, hi }, weight, { ...MINUTE, burst }, 'down')).toEqual(expected);
});

/** More than the smallest part that matters. */
const A_LITTLE = 2e-6;

test.each(ROUNDINGS)('rounded %s, Remaining says what may be left, and no more', (rounding) => {
  for (const remaining of [0, 1, 5]) {
    const { lo, hi } = leftIf(remaining, observed({ at: 0, remaining }), rounding, MINUTE);
    expect(shownOf({ lo, hi }, rounding)).toEqual({ lo: remaining, hi: remaining });
    expect(shownOf({ lo: 0, hi: hi + A_LITTLE }, rounding).hi).toBe(remaining + 1);
    if (remaining > 0) expect(shownOf({ lo: lo - A_LITTLE, hi }, rounding).lo).toBe(remaining - 1);
    else expect(lo).toBe(0);
  }
});

describe('a refusal that says that none are left', () => {
  const most = (seen: Partial<Seen>) => leftIf(0, observed({ at: 0, ...seen }), 'up', MINUTE).hi;

  test('may have a part of a request left, if the rest of it comes back soon', () => {
    // Of twelve in a minute, one comes back every five seconds.
    expect(most({ outcome: 'refused', retryAfter: 5 })).toBeCloseTo(1);
    expect(most({ outcome: 'refused', retryAfter: 7 })).toBeCloseTo(1);
  });

  test('has none if the next one comes back later than that, or nobody knows when', () => {
    expect(most({ outcome: 'refused', retryAfter: 8 })).toBe(0);
    expect(most({ outcome: 'refused' })).toBe(0);
    expect(most({ retryAfter: 5 })).toBe(0);
  });
});

test('less than nothing is shown as nothing', () => {
  expect(shownOf({ lo: -2, hi: -1 }, 'down')).toEqual({ lo: 0, hi: 0 });
});

test('what is too little for a request may be almost one', () => {
  const { lo, hi } = lessThan(2);
  expect([lo, hi < 2, hi + A_LITTLE > 2]).toEqual([0, true, true]);
  expect(lessThan(0)).toEqual({ lo: 0, hi: 0 });
});
