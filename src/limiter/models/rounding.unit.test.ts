import { describe, expect, test } from 'vitest';
import { MINUTE, observed, type Seen } from '../../../test/limiters/limiter-states.ts';
import { leftIf, lessThan, ROUNDINGS, shownOf } from './rounding.ts';

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
