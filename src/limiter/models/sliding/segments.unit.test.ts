import { describe, expect, test } from 'vitest';
import {
  explainedRemaining,
  isExplained as explains,
  MINUTE,
  observed,
  refused,
  type Seen,
  statesAfter,
} from '../../../../test/limiters/limiter-states.ts';
import { type Figures, isMisfit, type Model, type State } from '../model.ts';
import { segmentsOf } from './segments.ts';

const DAY: Figures = { limit: 12, windowMs: 86_400_000, burst: 0 };

/** Of twelve requests in a minute, those of ten seconds come back together. */
const model = segmentsOf(MINUTE).find(({ name }) => name === 'sliding window in 6 segments') as Model;

const isExplained = (seen: readonly Seen[]) => explains(model, seen);
const remainingAfter = (seen: readonly Seen[], next: Seen) => explainedRemaining(model, seen, next);

/** A segment begins at some time from 0 to 10 s. */
const three: readonly Seen[] = [
  { at: 0, remaining: 11 },
  { at: 4, remaining: 10 },
  { at: 5, remaining: 9 },
];

test('what leaves the most times possible at which segments begin comes first, so that a search finds it', () => {
  // Segments begin at 2.35 s, and every 10 s.
  const slow: Seen[] = [
    { at: 0, until: 0.5, remaining: 11, reset: [50.4, 53.4] },
    { at: 54.5, until: 55, remaining: 11, reset: [110.4, 113.4] },
  ];
  const next = observed({ at: 70.9, remaining: 10, reset: [120.4, 123.4] });
  const states = statesAfter(model, slow) as readonly State[];
  expect(states.map((state) => !isMisfit(state.follow(next, 1)))).toEqual([true, false]);
});

test('a minute may be counted in segments, a day is not', () => {
  expect(segmentsOf(DAY)).toEqual([]);
  const counts = [30, 20, 15, 12, 10, 8, 6, 5, 4, 3, 2];
  expect(segmentsOf(MINUTE).map(({ name }) => name)).toEqual(
    counts.map((count) => `sliding window in ${count} segments`),
  );
  const { counting, isGradual, surprise } = model;
  expect([counting, isGradual, surprise]).toEqual(['any', true, 5]);
});

describe('requests come back', () => {
  test.each<[what: string, at: number, remaining: readonly number[]]>([
    ['never in less than the window without a segment', 49.999, [8]],
    ['together with those of their segment', 55, [8, 9, 10]],
    ['all of them if they are of one segment', 60.1, [9, 10, 11]],
    ['a window later, whatever their segment', 65, [11]],
  ])('%s', (_what, at, remaining) => {
    expect(remainingAfter(three, { at })).toEqual(remaining);
  });

  test('at times that are whole segments apart', () => {
    // The first came back alone: a segment began between it and the others, and those come back a minute after that.
    const alone: Seen[] = [...three, { at: 55, remaining: 9 }];
    expect(remainingAfter(alone, { at: 60.5 })).toEqual([8, 10]);
    expect(remainingAfter([...alone, { at: 60.5, remaining: 8 }], { at: 64.1 })).toEqual([9]);
  });

  test('after a 429, which takes nothing, and after no response, which may have taken one', () => {
    expect(remainingAfter([{ at: 0, remaining: 0 }, refused(1)], { at: 70 })).toEqual([11]);
    expect(remainingAfter([...three, { at: 6, outcome: 'unknown' }], { at: 7 })).toEqual([7, 8]);
  });

  test('after no response where nothing is left: that took nothing', () => {
    const two: Seen[] = [
      { at: 0, remaining: 1 },
      { at: 12, remaining: 0 },
    ];
    // The first one is back, and what was used before it. The second one is back if its segment began until second 10.
    expect(remainingAfter(two, { at: 70 })).toEqual([10, 11]);
    expect(remainingAfter([...two, { at: 12, outcome: 'unknown' }], { at: 70 })).toEqual([10, 11]);
  });
});

test('a 429 is wrong while some are left', () => {
  expect(statesAfter(model, [...three, refused(6)])).toEqual({
    kind: 'refused',
    expected: { lo: 9, hi: 9 },
  });
});

describe('what was used before the run', () => {
  const half: Seen = { at: 0, remaining: 5 };

  test('may come back with each segment that begins', () => {
    expect(remainingAfter([half], { at: 10.1 })).toEqual([4, 5, 6, 7, 8, 9, 10]);
    expect(remainingAfter([half, { at: 10.1, remaining: 7 }], { at: 10.2 })).toEqual([6, 7, 8, 9]);
  });

  test('does not come back while no segment begins', () => {
    // By this Reset, segments begin at 7 to 8 s and every ten seconds after.
    const told: Seen = { ...half, reset: [57, 58] };
    expect(remainingAfter([told], { at: 6.9 })).toEqual([4]);
    expect(remainingAfter([told, { at: 8.1, remaining: 4 }], { at: 16.9 })).toEqual([3]);
  });

  test('comes back before what the run used', () => {
    expect(remainingAfter([half], { at: 60.1 })).toEqual([11]);
  });

  test('others may use some meanwhile', () => {
    expect(remainingAfter(three, { at: 6, others: 2 })).toEqual([6, 7, 8]);
  });
});

describe('a burst on top of the limit', () => {
  const figures: Figures = { ...MINUTE, burst: 3 };
  const withBurst = (seen: readonly Seen[], next: Seen) => explainedRemaining(model, seen, next, figures);
  // By this Reset, no segment begins in the next seven seconds.
  const usedUp: Seen = { at: 0, remaining: 0, reset: [57, 58] };

  test('comes back with the rest', () => {
    expect(withBurst(three, { at: 6 })).toEqual([8]);
    expect(withBurst(three, { at: 65 })).toEqual([11]);
    expect(withBurst([usedUp], { at: 70 })).toEqual([11]);
  });

  test('may be used while Remaining says 0', () => {
    const further = (count: number) =>
      Array.from({ length: count }, (_, index): Seen => ({ at: (index + 1) / 10, remaining: 0 }));
    expect(explains(model, [usedUp, ...further(3)], figures)).toBe(true);
    expect(statesAfter(model, [usedUp, ...further(4)], figures)).toMatchObject({ kind: 'let-through' });
  });

  test('is no reason for any Reset while a part of it is used', () => {
    const reset = [900, 901] as const;
    expect(explains(model, [{ at: 0, weight: 0, remaining: 12, reset }], figures)).toBe(true);
    expect(explains(model, [{ at: 0, remaining: 8, reset }], figures)).toBe(false);
  });
});

describe('Reset', () => {
  const told = (reset: readonly [number, number]): Seen[] => [...three, { at: 5.5, remaining: 8, reset }];

  test.each<[what: string, reset: readonly [number, number]]>([
    ['the time when the first come back', [57, 58]],
    ['the time when all have come back', [61, 62]],
    ['the beginning of the next segment', [9, 10]],
  ])('may mean %s', (_what, reset) => {
    expect(isExplained(told(reset))).toBe(true);
  });

  test.each<[reset: readonly [number, number]]>([[[16, 49]], [[66, 67]], [[1, 5]]])(
    'means nothing else: %j',
    (reset) => {
      expect(statesAfter(model, told(reset))).toMatchObject({ kind: 'reset' });
    },
  );

  test('is due within a window from now', () => {
    expect(statesAfter(model, told([66, 67]))).toEqual({
      kind: 'reset',
      expected: { lo: 5_500, hi: 65_500 },
    });
  });

  test('says when segments begin', () => {
    expect([56.9, 58.1].map((at) => remainingAfter(told([57, 58]), { at }))).toEqual([[7], [11]]);
    expect([60.9, 62.1].map((at) => remainingAfter(told([61, 62]), { at }))).toEqual([[8], [11]]);
  });

  test('means the same each time', () => {
    const next = (at: number, remaining: number, reset: readonly [number, number]): Seen => ({
      at,
      remaining,
      reset,
    });
    const all = [...told([57, 58]), next(12, 7, [67, 68])];
    expect(isExplained(all)).toBe(true);
    expect(isExplained([...all, next(13, 6, [67, 68])])).toBe(true);
    expect(isExplained([...all, next(13, 6, [57, 58])])).toBe(false);
    expect(isExplained([...told([57, 58]), next(12, 7, [57, 58])])).toBe(true);
  });

  test('is that of the first, or of those after it if the first may be back', () => {
    const seen: Seen[] = [...three, { at: 12, remaining: 8, reset: [57, 58] }];
    const idle: Seen = { at: 56.9, until: 58.1, weight: 0 };
    expect(isExplained([...seen, { ...idle, remaining: 8, reset: [57, 58] }])).toBe(true);
    expect(isExplained([...seen, { ...idle, remaining: 11, reset: [67, 68] }])).toBe(true);
    expect(isExplained([...seen, { ...idle, remaining: 11, reset: [77, 78] }])).toBe(false);
  });

  test('says nothing while nothing is used', () => {
    expect(isExplained([{ at: 0, weight: 0, remaining: 12, reset: [900, 901] }])).toBe(true);
  });
});

test('what is known has a key of its own', () => {
  const known: Seen[][] = [
    [{ at: 0, remaining: 11 }],
    [{ at: 0, remaining: 10 }],
    [{ at: 0, weight: 2, remaining: 10 }],
    [{ at: 0, remaining: 11, reset: [57, 58] }],
    [{ at: 0, remaining: 11, reset: [54, 55] }],
    // This Reset cannot mean the end of a segment.
    [{ at: 0, remaining: 11, reset: [51, 58] }],
    // Nor the time when the last is back.
    [...three, { at: 12, remaining: 8, reset: [53, 54] }],
    [...three, { at: 12, remaining: 8, reset: [62.5, 64] }],
  ];
  const keys = known.map((seen) => (statesAfter(model, seen) as readonly State[])[0]?.key);
  expect(new Set(keys).size).toBe(known.length);
});
