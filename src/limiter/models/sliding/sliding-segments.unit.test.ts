import { describe, expect, test } from 'vitest';
import {
  explainedRemaining,
  isExplained,
  MINUTE,
  observed,
  type Seen,
} from '../../../../test/limiters/limiter-states.ts';
import { drawFrom } from '../../../probes/variations/random.ts';
import { attempt } from '../../search/search.ts';
import type { Model } from '../model.ts';
import { segmentsOf } from './segments.ts';

const PERIOD_S = 10;
const WINDOW_S = 60;
/** When a segment begins. */
const BEGINS_S = 3.4;
const LIMIT = MINUTE.limit;
const model = segmentsOf(MINUTE).find(({ name }) => name === 'sliding window in 6 segments') as Model;

type Meaning = 'next' | 'full' | 'window-end';

/**
 * What an honest limiter answers that counts in segments of ten seconds.
 * @param requests when each comes (s), and what it takes
 * @param others when others used one each, also before the first
 */
function answers(
  requests: readonly (readonly [at: number, weight: number])[],
  { meaning, others = [] }: { meaning: Meaning; others?: readonly number[] },
): Seen[] {
  const begun = (at: number) => BEGINS_S + Math.floor((at - BEGINS_S) / PERIOD_S) * PERIOD_S;
  const taken: { end: number; weight: number }[] = [];
  const usedAt = (at: number) =>
    taken.filter(({ end }) => end > at).reduce((sum, { weight }) => sum + weight, 0);
  let since = Number.NEGATIVE_INFINITY;
  return requests.map(([at, weight], index) => {
    const ofOthers = others.filter((each) => each > since && each <= at && usedAt(each) < LIMIT);
    taken.push(...ofOthers.map((each) => ({ end: begun(each) + WINDOW_S, weight: 1 })));
    since = at;
    const isLetThrough = usedAt(at) + weight <= LIMIT;
    if (isLetThrough) taken.push({ end: begun(at) + WINDOW_S, weight });
    const ends = taken.map(({ end }) => end).filter((end) => end > at);
    const resets = { next: Math.min(...ends), full: Math.max(...ends), 'window-end': begun(at) + PERIOD_S };
    const reset = Math.ceil(resets[meaning]);
    return {
      at,
      weight,
      kind: `take ${weight}, ${isLetThrough ? 200 : 429}`,
      status: isLetThrough ? 200 : 429,
      remaining: LIMIT - usedAt(at),
      outcome: isLetThrough ? 'let-through' : 'refused',
      reset: [reset - 1, reset],
      others: index === 0 ? 0 : ofOthers.length,
    };
  });
}

/** So many requests, the gaps between them up to `most` s. */
function drawn(count: number, most: number, seed: number, weights: readonly number[] = [1]) {
  const draw = drawFrom(seed);
  let at = 0;
  return Array.from({ length: count }, () => {
    at += draw(most * 1_000) / 1_000;
    return [at, weights[draw(weights.length)] ?? 1] as const;
  });
}

/** What a search does not explain that has to find out what each kind of request takes. */
function misfitOf(seen: readonly Seen[]) {
  const observations = seen.map((each, index) =>
    observed({ ...each, exchange: { id: index + 1, operation: `take ${each.weight}` } }),
  );
  return attempt(model, MINUTE, observations).misfit;
}

const withoutReset = (seen: readonly Seen[]): Seen[] => seen.map(({ reset: _, ...each }) => each);

describe.each<[meaning: Meaning]>([['next'], ['full'], ['window-end']])('where Reset means %s', (meaning) => {
  test.each([
    ['one at a time', drawn(40, 8, 1), []],
    ['quickly, so that many are refused', drawn(60, 4, 2), []],
    ['slowly', drawn(25, 30, 3), []],
    ['with different costs', drawn(40, 9, 4, [1, 2, 3]), []],
    ['after others used some', drawn(40, 8, 5), [-50, -41, -23.1, -9, -2]],
    ['while others use some', drawn(40, 9, 8), [3, 3.1, 17, 42, 42.5, 43, 71, 90, 114, 150]],
    ['quickly after others used some', drawn(60, 3, 6), [-44, -44, -31, -30, -8, -5, -1]],
  ])('an honest limiter is explained: %s', (_what, requests, others) => {
    const seen = answers(requests, { meaning, others });
    for (const each of [seen, withoutReset(seen)]) {
      expect(isExplained(model, each)).toBe(true);
      expect(misfitOf(each)).toBeUndefined();
    }
  });

  const seen = answers(drawn(40, 8, 7), { meaning, others: [-33, -12, -4] });
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
