import { describe, expect, test } from 'vitest';
import {
  explainedRemaining,
  isExplained as explains,
  MINUTE,
  refused,
  type Seen,
} from '../../../../test/limiters/limiter-states.ts';
import type { Model } from '../model.ts';
import { segmentsOf } from './segments.ts';

/** Of twelve requests in a minute, those of ten seconds come back together. */
const model = segmentsOf(MINUTE).find(({ name }) => name === 'sliding window in 6 segments') as Model;

const isExplained = (...seen: readonly Seen[]) => explains(model, seen);
const remainingAfter = (seen: readonly Seen[], next: Seen) => explainedRemaining(model, seen, next);

/** Others had used up everything. */
const usedUp = refused(0, { remaining: 0 });
/** Others had used six. */
const half: Seen = { at: 0, remaining: 5 };
/** The segment of these begins from ten seconds before them. */
const three: readonly Seen[] = [
  { at: 0, remaining: 11 },
  { at: 4, remaining: 10 },
  { at: 5, remaining: 9 },
];

describe('what was used before the run', () => {
  test('is back a minute after a first request that was refused, which took nothing', () => {
    expect(remainingAfter([usedUp], { at: 60.1 })).toEqual([11]);
    expect(remainingAfter([usedUp, refused(20, { remaining: 0 })], { at: 60.1 })).toEqual([11]);
  });

  test('is back as soon as the segment of the first request ends', () => {
    // By this Reset, that is at 57 to 58 s.
    expect(remainingAfter([{ ...half, reset: [57, 58] }], { at: 58.1 })).toEqual([11]);
  });

  test('may be all that Reset is about', () => {
    expect(isExplained({ ...usedUp, reset: [57, 58] })).toBe(true);
  });

  test('is back before the last of the run, so when all are back says nothing of it', () => {
    // Only the request at 20 s, all of whose segment ends at 75 to 76 s, explains the first Reset.
    const full: Seen[] = [half, { at: 20, remaining: 4, reset: [75, 76] }];
    expect(isExplained(...full, { at: 21, remaining: 3, reset: [75, 76] })).toBe(true);
    expect(isExplained(...full, { at: 21, remaining: 3, reset: [45, 46] })).toBe(false);
  });

  test('is back when a segment begins that only one meaning of Reset allows', () => {
    // Segments begin at 1 s, and every ten seconds. Reset is when all are back, at 61 s: no first one is back so late.
    const full: Seen[] = [half, { at: 3, remaining: 4, reset: [58, 62] }, { at: 10.3, remaining: 3 }];
    expect(isExplained(...full, { at: 11.5, remaining: 5 })).toBe(true);
  });

  test('may be back, so that the next one is the first of the run', () => {
    // What others used comes first, at 42 to 43 s, and perhaps all of it then. The request at 20 s is back thirty seconds later.
    const next: Seen[] = [usedUp, { at: 20, remaining: 3, reset: [42, 43] }];
    expect(isExplained(...next, { at: 49, weight: 0, reset: [72, 73] })).toBe(true);
    expect(isExplained(...next, { at: 49, weight: 0, reset: [82, 83] })).toBe(false);
  });

  test('may be back together with the first of the run, so that the next one is the one after that', () => {
    const next: Seen[] = [
      { ...half, reset: [57, 58] },
      { at: 20, remaining: 4, reset: [57, 58] },
    ];
    // The segment of the first ends meanwhile. The request at 20 s is back twenty seconds later.
    const then: Seen = { at: 56.9, until: 58.2, reset: [77, 78] };
    expect(isExplained(...next, then)).toBe(true);
    expect(isExplained(...next, { ...then, remaining: 10 })).toBe(true);
    expect(isExplained(...next, { ...then, reset: [67, 68] })).toBe(false);
    // By this Remaining, nothing is back.
    expect(isExplained(...next, { ...then, remaining: 3 })).toBe(false);
  });
});

describe('what others use meanwhile', () => {
  test('counts when all of the run is back', () => {
    expect(remainingAfter(three, { at: 66, others: 2 })).toEqual([9, 10, 11]);
  });

  test('is never more than they may have sent', () => {
    // Of the run, the requests at 5 and 6 s may still count at 64.1 s, and two of others.
    const seen: Seen[] = [...three, { at: 6, others: 2 }];
    expect(remainingAfter(seen, { at: 64.1 })).toEqual([7, 8, 9, 10, 11]);
  });
});
