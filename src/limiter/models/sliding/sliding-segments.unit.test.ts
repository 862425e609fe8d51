import { describe, expect, test } from 'vitest';
import {
  explainedRemaining,
  isExplained,
  MINUTE,
  type Seen,
} from '../../../../test/limiters/limiter-states.ts';
import type { Model } from '../model.ts';
import { segmentsOf } from './segments.ts';

const PERIOD_S = 10;
const WINDOW_S = 60;
const LIMIT = MINUTE.limit;
const model = segmentsOf(MINUTE).find(({ name }) => name === 'sliding window in 6 segments') as Model;

type Meaning = 'next' | 'full' | 'window-end';

/**
 * What an honest limiter answers that counts in segments of ten seconds, of which one begins at `offset`.
 * @param requests when each comes (s), and what it takes
 * @param before when others used one each, before the first
 */
function answers(
  requests: readonly (readonly [at: number, weight: number])[],
  { offset = 3.4, meaning, before = [] }: { offset?: number; meaning: Meaning; before?: readonly number[] },
): Seen[] {
  const begun = (at: number) => offset + Math.floor((at - offset) / PERIOD_S) * PERIOD_S;
  const taken = before.map((at) => ({ end: begun(at) + WINDOW_S, weight: 1 }));
  return requests.map(([at, weight]) => {
    const usedAt = () => taken.filter(({ end }) => end > at).reduce((sum, each) => sum + each.weight, 0);
    const isLetThrough = usedAt() + weight <= LIMIT;
    if (isLetThrough) taken.push({ end: begun(at) + WINDOW_S, weight });
    const ends = taken.map(({ end }) => end).filter((end) => end > at);
    const resets = { next: Math.min(...ends), full: Math.max(...ends), 'window-end': begun(at) + PERIOD_S };
    const reset = Math.ceil(resets[meaning]);
    return {
      at,
      weight,
      kind: `a request that takes ${weight}`,
      remaining: LIMIT - usedAt(),
      outcome: isLetThrough ? 'let-through' : 'refused',
      reset: [reset - 1, reset],
    };
  });
}

/** So many requests, the gaps between them up to `most` s, as a linear congruential generator draws them. */
function drawn(count: number, most: number, seed: number, weights: readonly number[] = [1]) {
  let state = seed;
  const draw = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  let at = 0;
  return Array.from({ length: count }, () => {
    at += Math.round(draw() * most * 1_000) / 1_000;
    return [at, weights[Math.floor(draw() * weights.length)] ?? 1] as const;
  });
}

const withoutReset = (seen: readonly Seen[]): Seen[] => seen.map(({ reset: _, ...each }) => each);

describe.each<[meaning: Meaning]>([['next'], ['full'], ['window-end']])('where Reset means %s', (meaning) => {
  test.each([
    ['one at a time', drawn(40, 8, 1), []],
    ['quickly, so that many are refused', drawn(60, 4, 2), []],
    ['slowly', drawn(25, 30, 3), []],
    ['with different costs', drawn(40, 9, 4, [1, 2, 3]), []],
    ['after others used some', drawn(40, 8, 5), [-50, -41, -23.1, -9, -2]],
    ['quickly after others used some', drawn(60, 3, 6), [-44, -44, -31, -30, -8, -5, -1]],
  ])('an honest limiter is explained: %s', (_what, requests, before) => {
    const seen = answers(requests, { meaning, before });
    expect(isExplained(model, seen)).toBe(true);
    expect(isExplained(model, withoutReset(seen))).toBe(true);
  });

  const seen = answers(drawn(40, 8, 7), { meaning, before: [-33, -12, -4] });
  const known = seen.flatMap((next, index) =>
    next.at > 1.5 * WINDOW_S && next.outcome === 'let-through'
      ? [{ next, before: seen.slice(0, index) }]
      : [],
  );

  test('after a window, nothing but the true Remaining is explained', () => {
    expect(known.length).toBeGreaterThan(5);
    for (const { next, before } of known)
      expect(explainedRemaining(model, before, next)).toEqual([next.remaining]);
  });

  test('after a window, no Reset is explained that is three seconds early or late', () => {
    for (const { next, before } of known)
      for (const by of [-3, 3]) {
        const [lo = 0, hi = 0] = next.reset ?? [];
        expect(isExplained(model, [...before, { ...next, reset: [lo + by, hi + by] }])).toBe(false);
      }
  });
});
