import { expect, test } from 'vitest';
import { explainedRemaining, type Seen } from '../../../../test/limiters/limiter-states.ts';
import type { Model } from '../model.ts';
import { slidingCounters } from './sliding-counter.ts';

/** What the window before counts is rounded down, and Reset is the end of the window. */
const whole = slidingCounters.at(-3) as Model;

test('Remaining tells how many the window before had, though a part of one counts as none', () => {
  // The window ends at 30 s. Half of what the one before had counts as three at 60 s, so it had six or seven. One is ours.
  const seen: Seen[] = [
    { at: 0, outcome: 'unknown', weight: 0, reset: [30, 30] },
    { at: 60, remaining: 8 },
  ];
  // Less than a fifth of them counts as one, and one more is taken.
  expect(explainedRemaining(whole, seen, { at: 79 })).toEqual([9]);
});
