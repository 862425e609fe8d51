import { describe, expect, test } from 'vitest';
import { exchange } from '../../test/exchanges/exchange.ts';
import { type Answer, falling, shown } from '../../test/limiters/limited-runs.ts';
import type { Exchange } from '../model/exchange.ts';
import { NEXT_WINDOW_S } from '../model/limits/rate-plan.ts';
import type { Figures, Observation } from './models/model.ts';
import { isLetThroughWithNone, overrun } from './overrun.ts';

const FIGURES: Figures = { limit: 5, windowMs: 60_000, burst: 0 };
const RESET = 60;

/** A request that was let through, sent and answered at `at` (ms). */
function letThrough(at: number, change: Partial<Exchange> = {}): Observation {
  return {
    exchange: exchange({
      id: at + 1,
      stage: 'exhaust',
      response: { status: 200, headers: [], body: '' },
      rate: { reset: RESET },
      ...change,
    }),
    at: { lo: at, hi: at },
    kind: 'listPets, 200',
    outcome: 'let-through',
    others: 0,
    held: 0,
    beside: 0,
    reset: { lo: RESET, hi: RESET },
  };
}

/** A refusal in a block, which has no end of a window. */
function refusedWith(reset: number): Observation {
  const response = { status: 429, headers: [], body: '' };
  const { reset: _, ...blocked } = letThrough(8, { response, rate: { reset } });
  return { ...blocked, outcome: 'refused' };
}

const many = (count: number) => Array.from({ length: count }, (_, at) => letThrough(at));

describe('more requests than the limit are let through in one window', () => {
  // One token may have come back meanwhile.
  test('one more may be', () => {
    expect(overrun(FIGURES, many(6))).toBeUndefined();
    const observations = many(7);
    expect(overrun(FIGURES, observations)).toBe(observations[6]);
  });

  test('so may as many as the service announces on top', () => {
    const figures = { ...FIGURES, burst: 2 };
    expect(overrun(figures, many(8))).toBeUndefined();
    const observations = many(9);
    expect(overrun(figures, observations)).toBe(observations[8]);
  });

  const { reset: _, ...ofOtherWindow } = letThrough(0);

  test.each<[what: string, other: Observation]>([
    ['another operation may not count', letThrough(0, { operation: 'getPet' })],
    ['nor one with the Reset of another window', ofOtherWindow],
    ['nor one of the window before', letThrough(0, { rate: { reset: RESET - NEXT_WINDOW_S } })],
    ['nor one that failed', letThrough(0, { response: { status: 404, headers: [], body: '' } })],
    ['nor one from a cache', letThrough(0, { response: { status: 200, headers: [['Age', '1']], body: '' } })],
    ['nor one of a window that is over', { ...letThrough(0), reset: { lo: 0, hi: 5 } }],
    ['nor one after the wait', letThrough(9, { stage: 'recover' })],
  ])('%s', (_what, other) => {
    const [, ...six] = many(7);
    const isFirst = other.at.lo === 0;
    expect(overrun(FIGURES, isFirst ? [other, ...six] : [...six, other])).toBeUndefined();
  });

  test('windows on both sides of a block are not one: its 429 has a Reset between theirs', () => {
    const before = many(4).map((each) => ({ ...each, exchange: { ...each.exchange, rate: { reset: 40 } } }));
    const after = Array.from({ length: 4 }, (_, index) =>
      letThrough(76_000 + index, { stage: 'surplus', rate: { reset: 100 } }),
    );
    expect(overrun(FIGURES, [...before, refusedWith(76), ...after])).toBeUndefined();
  });

  test('what comes back while other reads of the operation are sent counts to the last of them', () => {
    // Of a bucket that gives back one each second, which the limit of five outlasts.
    const figures = { ...FIGURES, windowMs: 5_000 };
    const surplus = Array.from({ length: 20 }, (_, index) =>
      letThrough(1_000 * (index + 1), { stage: 'surplus' }),
    );
    const all = [...many(4), ...surplus].map((each) => ({ ...each, reset: { lo: 60_000, hi: 60_000 } }));
    expect(overrun(figures, all)).toBeUndefined();
    expect(overrun(FIGURES, all)).toBe(all.at(-1));
  });

  test.each<[what: string, last: Observation]>([
    ['a block, whose 429 has another Reset', refusedWith(160)],
    ['another operation, with other reads', letThrough(7, { stage: 'surplus', operation: 'getPet' })],
  ])('what comes at the end is not compared: %s', (_what, last) => {
    const observations = many(7);
    expect(overrun(FIGURES, [...observations, last])).toBe(observations[6]);
  });

  test('the limit covers them if Remaining falls, though one of them has all of it left', () => {
    const [first = letThrough(0), ...others] = many(7);
    const full = { ...first, exchange: { ...first.exchange, rate: { reset: RESET, remaining: 5 } } };
    expect(overrun(FIGURES, [full, ...others])).toBe(others[5]);
  });

  test('what comes later is not compared', () => {
    const later = letThrough(90_000, { stage: 'recover', operation: 'getPet', rate: { reset: 150 } });
    const observations = many(7);
    expect(overrun(FIGURES, [...observations, later])).toBe(observations[6]);
  });
});

test('a run that does not use up the limit is not counted', () => {
  expect(
    overrun(
      FIGURES,
      many(7).map((each) => ({ ...each, exchange: { ...each.exchange, stage: 'list' } })),
    ),
  ).toBeUndefined();
});

describe('requests are let through for which the service says that none are left', () => {
  test.each<[what: string, answers: readonly Answer[], is: boolean]>([
    ['several in a row', falling([2, 1, 0, 0, 0, 0, 0, 0]), true],
    [
      'wrong keys between them say nothing',
      [...falling([1, 0, 0]), { key: 'unknown', status: 401, remaining: 0 }, ...falling([0, 0, 0, 0])],
      true,
    ],
    ['they count from the last that had some left', falling([5, 4, 3, 2, 1, 0, 0]), false],
    ['as many more may be as it announces', falling([1, 0, 0, 0, 0, 0], { burst: 2 }), false],
    ['a few may have come back meanwhile', falling([2, 1, 0, 0, 0]), false],
    [
      'in a minute, any number may',
      falling([1, 0, 0, 0, 0, 0, 0]).map((each, index) => ({ ...each, at: 10 * index })),
      false,
    ],
    ['where nothing was left before, they may not count', falling([0, 0, 0, 0, 0, 0, 0]), false],
    [
      'another operation may not count',
      [{ remaining: 1, operation: 'getPet' }, ...falling([0, 0, 0, 0, 0, 0, 0])],
      false,
    ],
    [
      'a refusal is what it should be',
      [...falling([1, 0]), ...falling([0, 0, 0, 0, 0, 0], { status: 429 })],
      false,
    ],
  ])('%s', (_what, answers, is) => {
    expect(isLetThroughWithNone(shown(answers))).toBe(is);
  });
});
