import { describe, expect, test } from 'vitest';
import {
  explainedRemaining,
  isExplained,
  observed,
  refused,
  type Seen,
  statesAfter,
} from '../../../../test/limiters/limiter-states.ts';
import type { Figures, State } from '../model.ts';
import { slidingLog } from './sliding-log.ts';

const FIGURES: Figures = { limit: 12, windowMs: 60_000, burst: 0 };
const WITH_BURST: Figures = { ...FIGURES, burst: 3 };

const remainingAfter = (seen: readonly Seen[], next: Seen, figures = FIGURES) =>
  explainedRemaining(slidingLog, seen, next, figures);
const explains = (...seen: Seen[]) => isExplained(slidingLog, seen, FIGURES);
const misfitOf = (...seen: Seen[]) => statesAfter(slidingLog, seen, FIGURES);
const resetMisfit = (lo: number, hi: number) => ({
  kind: 'reset',
  expected: { lo: lo * 1_000, hi: hi * 1_000 },
});

/** Five are used, none before the first. */
const five: readonly Seen[] = [
  { at: 0, remaining: 11 },
  { at: 10, remaining: 10 },
  { at: 20, weight: 3, remaining: 7 },
];

test('it is the plainest limiter after the fixed window', () => {
  const { name, surprise, counting, isGradual } = slidingLog;
  expect([name, surprise, counting, isGradual]).toEqual(['sliding log', 1, 'any', true]);
});

describe('what is left', () => {
  test.each<[what: string, next: Seen, expected: number[]]>([
    ['a request counts for a minute', { at: 59.9 }, [6]],
    ['then the first comes back', { at: 60.1 }, [7]],
    ['then the second', { at: 70.1 }, [8]],
    ['then the three of the third', { at: 80.1 }, [11]],
    ['either way, as the time is uncertain', { at: 59.5, until: 60.5 }, [6, 7]],
    ['of several either way', { at: 59.5, until: 70.5 }, [6, 7, 8]],
    ['a request that takes nothing', { at: 30, weight: 0 }, [7]],
    ['others may have taken two', { at: 21, others: 2 }, [4, 5, 6]],
    ['others may have taken any', { at: 21, others: Number.POSITIVE_INFINITY }, [0, 1, 2, 3, 4, 5, 6]],
  ])('%s', (_what, next, expected) => {
    expect(remainingAfter(five, next)).toEqual(expected);
  });

  test('what Remaining showed to have ended does not count again', () => {
    // The first came back by 60.2 s, so the second cannot take two.
    const seen: Seen[] = [
      { at: 0, until: 1, remaining: 11 },
      { at: 60.2, remaining: 11 },
    ];
    expect(explains(...seen, { at: 60.3, remaining: 10 })).toBe(true);
    expect(explains(...seen, { at: 60.3, remaining: 9 })).toBe(false);
  });

  test('what others took counts as long as a request of ours', () => {
    const seen: Seen[] = [...five, { at: 21, remaining: 4, others: 2 }];
    expect(remainingAfter(seen, { at: 79 })).toEqual([5]);
    // They took it between 20 and 21 s.
    expect(remainingAfter(seen, { at: 80.5 })).toEqual([8, 9, 10]);
    expect(remainingAfter(seen, { at: 81.1 })).toEqual([11]);
  });

  test('what others may have taken counts as long, too', () => {
    const seen: Seen[] = [
      { at: 0, remaining: 11 },
      { at: 30, others: 2 },
    ];
    expect(remainingAfter(seen, { at: 70 })).toEqual([8, 9, 10]);
    expect(remainingAfter(seen, { at: 89.9 })).toEqual([8, 9, 10]);
    expect(remainingAfter(seen, { at: 90.1 })).toEqual([11]);
  });

  test('what was used before the first comes back within a minute, and never again', () => {
    const first: Seen = { at: 0, remaining: 5 };
    expect(remainingAfter([first], { at: 30 })).toEqual([4, 5, 6, 7, 8, 9, 10]);
    expect(remainingAfter([first], { at: 60.1 })).toEqual([11]);
    expect(remainingAfter([first, { at: 30, remaining: 8 }], { at: 31 })).toEqual([7, 8, 9]);
  });

  test('a burst comes on top, and is used last', () => {
    const down = (...figures: number[]): Seen[] => [
      { at: 0, weight: 10, remaining: 2 },
      ...figures.map((remaining, index) => ({ at: 1 + index, remaining })),
    ];
    expect(isExplained(slidingLog, down(1, 0, 0, 0, 0), WITH_BURST)).toBe(true);
    expect(statesAfter(slidingLog, down(1, 0, 0, 0, 0, 0), WITH_BURST)).toHaveProperty('kind', 'let-through');
    // Another client may have used it up before.
    expect(isExplained(slidingLog, [refused(0, { remaining: 0 })], WITH_BURST)).toBe(true);
  });

  test('a refusal and a request without a response take nothing', () => {
    const used: Seen[] = [...five, { at: 21, weight: 7, remaining: 0 }];
    expect(explains(...used, refused(22, { remaining: 0 }), { at: 60.1, remaining: 0 })).toBe(true);
    expect(explains(...used, refused(22), { at: 80.1, weight: 5, remaining: 0 })).toBe(true);
    expect(remainingAfter([...five, { at: 22, outcome: 'unknown' }], { at: 80.1 })).toEqual([11]);
    expect(misfitOf(...five, refused(21))).toEqual({ kind: 'refused', expected: { lo: 7, hi: 7 } });
  });
});

describe('Reset', () => {
  /** Three at 0, 10 and 15 s; a request that takes nothing at 20 s tells by its Reset which time it is. */
  const three = (reset: number): Seen[] => [
    { at: 0, remaining: 11 },
    { at: 10, remaining: 10 },
    { at: 15, remaining: 9 },
    { at: 20, weight: 0, reset: [reset, reset] },
  ];
  const next = three(60);
  const full = three(75);
  const fromNow = three(80);
  const at = (seconds: number, reset: number, more: Partial<Seen> = {}): Seen => ({
    at: seconds,
    weight: 0,
    reset: [reset, reset],
    ...more,
  });

  test.each<[what: string, seen: Seen[], reset: number, lo: number, hi: number]>([
    ['when the first is back', next, 60, 60, 60],
    ['when the last is back', full, 75, 75, 75],
    ['a window from now', fromNow, 81, 81, 81],
  ])('is %s', (_what, seen, reset, lo, hi) => {
    expect(explains(...seen, at(21, reset))).toBe(true);
    for (const wrong of [lo - 1, hi + 1])
      expect(misfitOf(...seen, at(21, wrong))).toEqual(resetMisfit(lo, hi));
  });

  test('is nothing else', () => {
    expect(misfitOf(...three(61))).toEqual(resetMisfit(60, 60));
  });

  test('is that of the first, or of the second if the first may be back', () => {
    for (const reset of [60, 70]) expect(explains(...next, at(59.5, reset, { until: 60.5 }))).toBe(true);
    expect(misfitOf(...next, at(59.5, 80, { until: 60.5 }))).toEqual(resetMisfit(60, 70));
    expect(misfitOf(...next, at(59.5, 80, { until: 75.5 }))).toEqual(resetMisfit(60, 75));
  });

  test('may be that of a request before the run', () => {
    const first: Seen = { at: 0, weight: 0, remaining: 5 };
    expect(misfitOf({ ...first, reset: [61, 62] })).toEqual(resetMisfit(0, 60));
    const used: Seen[] = [first, { at: 10, remaining: 4 }];
    for (const reset of [20, 60, 70]) expect(explains(...used, at(20, reset))).toBe(true);
    expect(misfitOf(...used, at(20, 90))).toEqual(resetMisfit(20, 70));
  });

  test('may be that of a request of others, who use what comes back', () => {
    const seen: Seen[] = [{ at: 0, remaining: 5, reset: [60, 60] }];
    expect(explains(...seen, at(50, 105, { others: 1, remaining: 5 }))).toBe(true);
    expect(explains(...seen, at(50, 105, { remaining: 5 }))).toBe(false);
  });

  test('says nothing while nothing is used', () => {
    const unused = at(0, 500, { remaining: 12 });
    expect(explains(unused, { at: 1, remaining: 11, reset: [61, 61] })).toBe(true);
    expect(explains(unused, { at: 1, remaining: 11, reset: [60, 60] })).toBe(false);
  });
});

describe('what is known', () => {
  const [begun] = slidingLog.start(FIGURES, observed({ at: 0 })) as [State];
  const stateAfter = (start: State, ...seen: Seen[]): State =>
    seen.reduce(
      (state, each) => (state.follow(observed(each), each.weight ?? 1) as readonly State[])[0] as State,
      start,
    );
  const lost = (at: number): Seen => ({ at, outcome: 'unknown' });
  const used = (at: number, remaining: number, more: Partial<Seen> = {}): Seen => ({
    at,
    remaining,
    ...more,
  });

  test('at first, anything may be left', () => {
    expect(begun.left).toEqual({ lo: 0, hi: 12 });
    const [withBurst] = slidingLog.start(WITH_BURST, observed({ at: 0 }));
    expect(withBurst?.left).toEqual({ lo: 0, hi: 15 });
  });

  test('what follows in one way says nothing of another', () => {
    const first = stateAfter(begun, used(0, 11));
    stateAfter(first, used(10, 6, { weight: 5 }));
    const other = stateAfter(first, used(10, 10));
    expect(stateAfter(other, used(60.5, 10)).left).toEqual({ lo: 10, hi: 10 });
    expect(stateAfter(first, used(60.5, 11)).left).toEqual({ lo: 11, hi: 11 });
  });

  test('what follows in one way is no request that comes back next in another', () => {
    const first = stateAfter(begun, used(0, 11));
    stateAfter(first, used(5, 10));
    const idle: Seen = { at: 59.5, until: 60.5, weight: 0, reset: [65, 65] };
    expect(first.follow(observed(idle), 0)).toEqual(resetMisfit(60, 60));
  });

  test('has a key of its own', () => {
    const states = [
      stateAfter(begun),
      stateAfter(begun, used(0, 11)),
      stateAfter(begun, used(0, 10)),
      stateAfter(begun, used(0, 10, { weight: 2 })),
      stateAfter(begun, used(0, 10, { until: 1 })),
      stateAfter(begun, used(0, 10, { reset: [0, 0] })),
    ];
    expect(new Set(states.map(({ key }) => key)).size).toBe(states.length);
    expect(stateAfter(begun, lost(5)).since).toBe(5_000);
  });
});
