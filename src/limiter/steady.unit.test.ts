import { describe, expect, test } from 'vitest';
import { observed, type Seen } from '../../test/limiters/limiter-states.ts';
import { isSteady } from './steady.ts';

const FIGURES = { limit: 60, windowMs: 60_000, burst: 0 };

/** Reads with these Remainings, a hundredth of a second apart. */
const reads = (...remaining: number[]): Seen[] =>
  remaining.map((left, index) => ({ at: index / 100, remaining: left }));
const isSteadyIn = (seen: readonly Seen[]) => isSteady(seen.map(observed), FIGURES);

describe('Remaining falls alike for requests of a kind', () => {
  test.each<[what: string, seen: readonly Seen[], isAlike: boolean]>([
    ['by one each time', reads(59, 58, 57, 56), true],
    ['by five each time', reads(55, 50, 45, 40), true],
    ['by one less where Remaining is rounded', reads(59, 58, 58, 57), true],
    ['not if requests between them are counted as well', reads(59, 58, 52, 51), false],
    ['a window that ends says nothing', reads(20, 19, 59, 58), true],
    ['nor does the last that is left, which a request may cost more than', reads(50, 45, 40, 0), true],
    [
      'nor what comes back in a pause',
      [...reads(50, 45), { at: 1, remaining: 43 }, { at: 1.01, remaining: 38 }],
      true,
    ],
    ['nor what others may have used', [...reads(59, 58), { at: 0.03, remaining: 40, others: 20 }], true],
    ['another kind may take more', [...reads(59, 58), { at: 0.03, remaining: 50, kind: 'list' }], true],
  ])('%s', (_what, seen, isAlike) => {
    expect(isSteadyIn(seen)).toBe(isAlike);
  });
});
