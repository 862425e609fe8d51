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
import { frozenSecond } from './fixed-window.ts';
import type { State } from './model.ts';

const remainingAfter = (seen: readonly Seen[], next: Seen) => explainedRemaining(frozenSecond, seen, next);

/** Remaining is taken at 0 s, and the window ends at 30 s. Two are used by then. */
const first: Seen = { at: 0, remaining: 11, reset: [30, 30] };
const second: readonly Seen[] = [first, { at: 0.5, remaining: 11 }];

test('it is a rare fixed window, whose Remaining is older than the response', () => {
  const { name, surprise, counting, isDelayed } = frozenSecond;
  expect([name, surprise, counting, isDelayed]).toEqual([
    'fixed window, Remaining up to a second old',
    6,
    'every',
    true,
  ]);
});

describe('Remaining', () => {
  /** Five are left when Remaining is taken shortly before the window ends. */
  const late: readonly Seen[] = [first, { at: 29.9, weight: 6, remaining: 5 }];

  test.each<[what: string, seen: readonly Seen[], next: Seen, expected: number[]]>([
    ['stays the same for a second', second, { at: 0.999 }, [11]],
    ['is taken anew after a second, or stays', second, { at: 1 }, [9, 11]],
    ['is taken anew then', second, { at: 1.001 }, [9]],
    ['either, as the time is uncertain', second, { at: 0.5, until: 1.5 }, [9, 11]],
    ['stays the same when a window begins, or is taken anew', late, { at: 30.1 }, [5, 11]],
    [
      'likewise after a response that does not tell',
      [...late, { at: 30.1, reset: [90, 90] }],
      { at: 30.2 },
      [5, 10],
    ],
    ['is not taken anew after one in the same window', [...second, { at: 0.6 }], { at: 0.7 }, [11]],
  ])('%s', (_what, seen, next, expected) => {
    expect(remainingAfter(seen, next)).toEqual(expected);
  });

  test('of a refusal is what is left, or as old as any', () => {
    const used: Seen[] = [first, { at: 0.1, weight: 11, remaining: 11 }];
    for (const remaining of [0, 11])
      expect(isExplained(frozenSecond, [...used, refused(0.2, { remaining })])).toBe(true);
    expect(isExplained(frozenSecond, [...used, { at: 0.2, weight: 0, remaining: 0 }])).toBe(false);
    expect(isExplained(frozenSecond, [...used, refused(0.2)])).toBe(true);
    // The limit of the day refuses it, and so it takes nothing of the minute.
    const ofDay: Seen = { at: 0.2, outcome: 'unknown', weight: 0, remaining: 0 };
    expect(isExplained(frozenSecond, [...used, { ...ofDay, status: 429 }])).toBe(true);
    expect(isExplained(frozenSecond, [...used, ofDay])).toBe(false);
  });

  test('is said by the misfit', () => {
    expect(statesAfter(frozenSecond, [...second, { at: 0.7, remaining: 9 }])).toEqual({
      kind: 'remaining',
      expected: { lo: 11, hi: 11 },
    });
    expect(statesAfter(frozenSecond, [{ at: 0, remaining: 12 }])).toEqual({
      kind: 'remaining',
      expected: { lo: 0, hi: 11 },
    });
    expect(statesAfter(frozenSecond, [...second, refused(0.7)])).toHaveProperty('kind', 'refused');
  });
});

describe('what is known', () => {
  const [begun] = frozenSecond.start(MINUTE, observed(first)) as [State];
  const stateAfter = (seen: Seen) => (begun.follow(observed(seen), 0) as readonly State[])[0] as State;
  const none = stateAfter({ at: 0 });
  const taken = stateAfter({ at: 0, remaining: 5 });
  const vague = stateAfter({ at: 0, until: 2, remaining: 5 });
  const other = stateAfter({ at: 0, remaining: 6 });

  test('has a key of its own', () => {
    expect(new Set([none, taken, vague, other].map(({ key }) => key)).size).toBe(4);
  });
});
