import { describe, expect, test } from 'vitest';
import {
  explainedRemaining,
  isExplained,
  observed,
  refused,
  type Seen,
  statesAfter,
} from '../../../../test/limiters/limiter-states.ts';
import type { Figures, Model, State } from '../model.ts';
import { slidingCounters } from './sliding-counter.ts';

const FIGURES: Figures = { limit: 12, windowMs: 60_000, burst: 0 };

/** By their rounding, and by what their Reset is. */
const [full, next, windowEnd, fromNow, fullUp, nextUp] = slidingCounters as [
  Model,
  Model,
  Model,
  Model,
  Model,
  Model,
];

/** What a Reset at one moment says. */
const at = (seconds: number): readonly [number, number] => [seconds, seconds];

/** Only that the window ends at 30 s is known. */
const begun: Seen = { at: 0, outcome: 'unknown', weight: 0, reset: at(30) };

/** Nothing was used before the first, and six are by now. The window ends at 30 s, the next one at 90 s. */
const sixUsed: readonly Seen[] = [
  { at: 0, remaining: 11, reset: at(30) },
  { at: 20, remaining: 6, weight: 5 },
];

describe('what the window before counts may be rounded down', () => {
  const [whole, next, full] = slidingCounters.slice(-3) as [Model, Model, Model];
  /** One request, and then the next window. */
  const one: readonly Seen[] = [{ at: 29.9, remaining: 11, reset: at(30) }];

  test.each<[what: string, before: readonly Seen[], next: Seen, expected: number[]]>([
    ['a part of one counts as none', one, { at: 31 }, [11]],
    // Of six, 4.5 count.
    ['four and a half count as four', sixUsed, { at: 45 }, [7]],
    ['five of six count as soon as the window has ended', sixUsed, { at: 30.1 }, [6]],
    ['one more comes back at once', [...sixUsed, { at: 39.9, remaining: 6 }], { at: 40.1 }, [6]],
    ['nothing counts in the window after it', sixUsed, { at: 90.1 }, [11]],
  ])('%s', (_what, before, next, expected) => {
    expect(explainedRemaining(whole, before, next, FIGURES)).toEqual(expected);
  });

  test('as many are let through in the next window as if it had been none', () => {
    const all = (from: number): Seen[] =>
      Array.from({ length: 12 }, (_, index) => ({
        at: from + index / 100,
        remaining: 11 - index,
        reset: at(90),
      }));
    const refusal = refused(31.5, { reset: at(90) });
    expect(isExplained(whole, [...one, ...all(31), refusal], FIGURES)).toBe(true);
    expect(isExplained(windowEnd, [...one, ...all(31), refusal], FIGURES)).toBe(false);
    expect(isExplained(whole, [...one, ...all(31), { at: 31.5, reset: at(90) }], FIGURES)).toBe(false);
  });

  test.each<[what: string, model: Model, reset: number, isPossible: boolean]>([
    ['the end of the window', whole, 30, true],
    ['the time when the first of six comes back: at once when the window ends', next, 30, true],
    ['no time after the next window', whole, 91, false],
    // The next window counts six, and a part of one as none.
    ['the time when all are back: when the sixth part of the next one is left', full, 80, true],
    ['no time before that', full, 79, false],
    ['no time after that', full, 90, false],
  ])('Reset may be %s', (_what, model, reset, isPossible) => {
    const six: Seen[] = Array.from({ length: 6 }, (_, index) => ({
      at: 29 + index / 10,
      remaining: 11 - index,
    }));
    const told = six.map((each, index) => (index === 5 ? { ...each, reset: at(reset) } : each));
    // Five of six count: the window ended at 30 s.
    const later: Seen[] = [
      { at: 29.99, weight: 0, remaining: 6 },
      { at: 30.01, weight: 0, remaining: 7 },
    ];
    expect(isExplained(model, [...told, ...later], FIGURES)).toBe(isPossible);
  });
});

describe('what is left', () => {
  test.each<[what: string, next: Seen, expected: number[]]>([
    ['nothing comes back within the window', { at: 29.9 }, [5]],
    ['all six count when it ends', { at: 30.01 }, [5]],
    // Of six, 4.5 count; one more is taken.
    ['three quarters of them count 15 s later', { at: 45 }, [6]],
    ['half of them count 30 s later', { at: 60 }, [8]],
    ['a little of one counts until the end of the next window', { at: 89.9 }, [10]],
    ['nothing counts from then on', { at: 90.1 }, [11]],
    ['between two thirds and five sixths count, as the time is uncertain', { at: 40, until: 50 }, [6, 7]],
    ['a request that takes nothing', { at: 60, weight: 0 }, [9]],
    ['others may have taken two', { at: 21, others: 2 }, [3, 4, 5]],
    ['others may have taken two in the next window', { at: 60, others: 2 }, [6, 7, 8]],
  ])('%s', (_what, next, expected) => {
    expect(explainedRemaining(windowEnd, sixUsed, next, FIGURES)).toEqual(expected);
  });

  test('the misfit says what should be left', () => {
    expect(statesAfter(windowEnd, [...sixUsed, { at: 45, remaining: 9 }], FIGURES)).toEqual({
      kind: 'remaining',
      expected: { lo: 6, hi: 6 },
    });
  });

  test('one that was let through used up what it shows, also two windows later', () => {
    const first: Seen = { at: 0, remaining: 11, reset: at(30) };
    // One request counts by three quarters, and the next one is taken.
    expect(explainedRemaining(windowEnd, [first], { at: 45 }, FIGURES)).toEqual([10]);
    // Half of at most twelve counted then, so between four and ten were sent in the window.
    const unknown: Seen[] = [begun, { at: 0, remaining: 2 }];
    expect(explainedRemaining(windowEnd, unknown, { at: 60 }, FIGURES)).toEqual([6, 7, 8, 9]);
  });

  test('after more than a window without a request, the window may end at any time', () => {
    const idle: readonly Seen[] = [...sixUsed, { at: 150, remaining: 11 }];
    expect(explainedRemaining(windowEnd, idle, { at: 155 }, FIGURES)).toEqual([10]);
    for (const reset of [155, 210])
      expect(isExplained(windowEnd, [...idle, { at: 155, reset: at(reset) }], FIGURES)).toBe(true);
  });

  test('what others took is told by Remaining, and counts in the next window', () => {
    // Six count by 4.5, others took between one and one and a half, one is ours.
    const seen: Seen[] = [...sixUsed, { at: 45, remaining: 5, others: 3 }];
    expect(explainedRemaining(windowEnd, seen, { at: 105 }, FIGURES)).toEqual([9]);
  });

  test('what the window before had is told by Remaining', () => {
    // One is ours, so half of four to six.
    const seen: Seen[] = [begun, { at: 60, remaining: 8 }];
    expect(explainedRemaining(windowEnd, seen, { at: 75 }, FIGURES)).toEqual([8]);
  });

  test('no more come back in a time than the limit allows, whatever the window', () => {
    const first: Seen = { at: 5, remaining: 5 };
    for (const model of slidingCounters.slice(0, 4)) {
      expect(explainedRemaining(model, [first], { at: 6 }, FIGURES)).toEqual([4, 5]);
      expect(explainedRemaining(model, [first], { at: 25 }, FIGURES).at(-1)).toBe(8);
    }
  });

  test('rounded up, a part of one is shown', () => {
    const used: readonly Seen[] = [
      { at: 0, remaining: 11, reset: at(90) },
      { at: 20, remaining: 6, weight: 5, reset: at(90) },
    ];
    // 4.5 of six count; one more is taken.
    expect(explainedRemaining(full, used, { at: 45 }, FIGURES)).toEqual([6]);
    expect(explainedRemaining(fullUp, used, { at: 45 }, FIGURES)).toContain(7);
  });
});

describe('a refusal', () => {
  /** All are used at 20 s. */
  const allUsed: readonly Seen[] = [...sixUsed, { at: 21, remaining: 0, weight: 6 }];

  test('comes when less than one is left, and takes nothing off', () => {
    const seen: Seen[] = [...allUsed, refused(22, { remaining: 0 }), refused(31, { remaining: 0 })];
    // At 45 s, nine of twelve still count, and one is taken.
    expect(explainedRemaining(windowEnd, seen, { at: 45 }, FIGURES)).toEqual([2]);
    expect(statesAfter(windowEnd, [...sixUsed, refused(22)], FIGURES)).toEqual({
      kind: 'refused',
      expected: { lo: 6, hi: 6 },
    });
  });

  test('is due then: no more are let through', () => {
    expect(statesAfter(windowEnd, [...allUsed, { at: 22 }], FIGURES)).toEqual({
      kind: 'let-through',
      expected: { lo: 0, hi: 0 },
    });
  });

  test('may be what a request without a response got, which then took nothing', () => {
    const lost: Seen = { at: 22, outcome: 'unknown' };
    expect(explainedRemaining(windowEnd, [...allUsed, lost], { at: 45 }, FIGURES)).toEqual([2]);
    expect(explainedRemaining(windowEnd, [...sixUsed, lost], { at: 45 }, FIGURES)).toEqual([6]);
  });
});

describe('Reset', () => {
  /** Three, then six are used by 1 s. The window ends at 30 s. */
  const three = (reset: number): Seen => ({ at: 0, weight: 3, remaining: 9, reset: at(reset) });
  const six = (reset: readonly [number, number]): Seen => ({ at: 1, weight: 3, remaining: 6, reset });
  /** In the next window, when half of the six still count. */
  const idle = (reset: number, more: Partial<Seen> = {}): Seen => ({
    at: 60,
    weight: 0,
    reset: at(reset),
    ...more,
  });

  test.each<[what: string, model: Model, first: number, second: number, lo: number, hi: number]>([
    ['the end of the window', windowEnd, 30, 30, 30, 30],
    ['when all are back, at the end of the next one', full, 90, 90, 90, 90],
    ['a window from now', fromNow, 60, 61, 61, 61],
    // The first of three comes back twenty seconds after the end of the window, and the first of six ten seconds after it.
    ['when the next one is back', next, 50, 40, 40, 40],
    // Less than one is shown as one: the last of three seems to be back twenty seconds before it is, that of six ten.
    ['when all seem to be back', fullUp, 70, 80, 60, 75],
    ['when all are back, though they seem to be earlier', fullUp, 90, 90, 80, 90],
  ])('is %s', (_what, model, first, second, lo, hi) => {
    expect(isExplained(model, [three(first), six(at(second))], FIGURES)).toBe(true);
    for (const other of [0, 29, 121])
      expect(statesAfter(model, [three(first), six(at(other))], FIGURES)).toEqual({
        kind: 'reset',
        expected: { lo: lo * 1_000, hi: hi * 1_000 },
      });
  });

  test('rounded up, is when the next one seems to be back: as soon as the window ends', () => {
    // Nothing of an earlier window counts at 150 s, and this one ends at 152 s.
    const used: readonly Seen[] = [three(30), { at: 150, weight: 3, remaining: 9, reset: at(152) }];
    expect(isExplained(nextUp, [...used, { at: 151, remaining: 8, reset: at(152) }], FIGURES)).toBe(true);
    expect(isExplained(next, [...used, { at: 151, remaining: 8, reset: at(152) }], FIGURES)).toBe(false);
  });

  test('is when the next one is back, which may be one of the window before', () => {
    // Half of six is left at 60 s, less a tenth of one a second later: two are left of it at 70 s.
    const later: Seen = { at: 61, remaining: 8, reset: at(70) };
    expect(isExplained(next, [three(50), six(at(40)), later], FIGURES)).toBe(true);
  });

  test('narrows when the window ends', () => {
    const first: Seen = { at: 0, remaining: 11, reset: [31, 33] };
    expect(isExplained(windowEnd, [first, { at: 1, remaining: 10, reset: [28, 32] }], FIGURES)).toBe(true);
    expect(statesAfter(windowEnd, [first, { at: 1, remaining: 10, reset: [34, 36] }], FIGURES)).toEqual({
      kind: 'reset',
      expected: { lo: 31_000, hi: 33_000 },
    });
  });

  test('of a window from now says nothing of its end', () => {
    const seen = [three(60), six(at(61))];
    // It may have ended anywhere between 0 and 60 s; 45 s later between none and all six came back, by at most nine.
    expect(isExplained(fromNow, [...seen, { at: 45, remaining: 6 }], FIGURES)).toBe(true);
    expect(isExplained(fromNow, [...seen, { at: 45, remaining: 5 }], FIGURES)).toBe(true);
  });

  test.each<[what: string, reset: number, more: Partial<Seen>, isExplained: boolean]>([
    ['the end of the window, if only the one before counts', 90, {}, true],
    ['not later', 91, {}, false],
    ['not before now', 59, {}, false],
    ['that of the next one, if others may have used some', 150, { others: 3 }, true],
    ['not later, even then', 151, { others: 3 }, false],
  ])('when all are back is %s', (_what, reset, more, expected) => {
    const seen = [three(90), six(at(90)), idle(reset, more)];
    expect(isExplained(full, seen, FIGURES)).toBe(expected);
  });

  test('while nothing is used, is now', () => {
    const unused: Seen = { at: 0, weight: 0, remaining: 12, reset: at(0) };
    for (const [model, reset] of [
      [next, 40],
      [full, 90],
    ] as const) {
      expect(
        isExplained(model, [unused, { at: 1, weight: 6, remaining: 6, reset: at(reset) }], FIGURES),
      ).toBe(true);
    }
  });

  test('and Remaining contradict each other', () => {
    // At 70 s, one more than half of six count at most if the window ends before 80 s: it does not end at 90 s.
    const seen: Seen[] = [
      { at: 0, weight: 6, remaining: 6 },
      { at: 70, remaining: 10, reset: at(90) },
    ];
    expect(statesAfter(windowEnd, [...seen, { at: 70.1, remaining: 9 }], FIGURES)).toEqual({
      kind: 'remaining',
      expected: { lo: 9, hi: 9 },
    });
  });
});

describe('what is known', () => {
  const lost = (change: Partial<Seen>): Seen => ({ at: 0, outcome: 'unknown', ...change });
  /** After one observation, with the first window in the second quarter of the time that it may end. */
  const second = (start: Seen, seen: Seen): State => {
    const begun = windowEnd.start(FIGURES, observed(start))[1] as State;
    return (begun.follow(observed(seen), 1) as readonly State[])[0] as State;
  };

  test('has a key of its own', () => {
    const keys = [
      second(lost({}), lost({})),
      second(lost({ until: 3 }), lost({})),
      second(lost({}), { at: 0, remaining: 11 }),
    ].map(({ key }) => key);
    expect(new Set(keys).size).toBe(3);
  });
});
