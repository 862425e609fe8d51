import { describe, expect, test } from 'vitest';
import {
  type Answer,
  downTo,
  exhausting,
  falling,
  NOON,
  refused,
  shown,
} from '../../../../test/limiters/limited-runs.ts';
import { judgeCount } from '../count.ts';
import { judgeEnforced } from '../refusals.ts';

const reset = NOON + 31;
const inWindow = (figures: readonly number[], change: Answer = {}) =>
  falling(figures, { ...exhausting, reset, ...change });
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);

/** Seven requests together. The first of them was counted first, when it was alone, and is answered after all but one. */
const burst = [59, 57, 56, 55, 54, 58, 53].map((remaining, index): Answer => {
  const inFlight = 60 - remaining;
  return {
    ...exhausting,
    reset,
    remaining,
    at: 0.002 + index / 10_000,
    inFlight: remaining === 58 ? 1 : inFlight,
  };
});

describe('more requests than the limit are let through in a window, and Remaining says so', () => {
  test.each<[what: string, answers: readonly Answer[]]>([
    ['it starts one higher', inWindow(range(60, 0))],
    ['the first requests do not count', inWindow([60, 60, ...range(60, 0)])],
    ['ten are given back at once', inWindow([...range(59, 30), ...range(39, 0)])],
    ['it starts again after 0', inWindow([...range(59, 0), ...range(59, 20)])],
  ])('%s', (_what, answers) => {
    const evidence = shown([...answers, refused({ reset })]);
    expect(judgeEnforced(evidence)).toMatchObject({
      status: 'violated',
      reason: expect.stringMatching(
        /^GET \/pets got 200 as the 61st request of the minute; no honest limiter/,
      ),
      expected: 'status 429 after 60 requests',
    });
    expect(judgeCount(evidence).status).not.toBe('violated');
  });
});

describe('Remaining is wrong, but no more than the limit are let through', () => {
  test.each<[what: string, answers: readonly Answer[]]>([
    ['it jumps up by ten, and the limit stays', inWindow([...range(59, 30), ...range(39, 10)])],
    ['it falls by two', inWindow(range(29, 0).map((each) => 2 * each))],
    ['it is the whole limit for once', inWindow([...range(59, 30), 60, ...range(28, 0)])],
    [
      'it is so, and the first response of a burst came last',
      [...burst, ...inWindow([...range(52, 30), 60, ...range(28, 0)])],
    ],
  ])('%s', (_what, answers) => {
    const evidence = shown([...answers, refused({ reset })]);
    expect(judgeEnforced(evidence).status).not.toBe('violated');
  });
});

test('a limit that lets one more through after Remaining is 0 is not about Remaining', () => {
  const evidence = shown([...downTo(0, { ...exhausting, reset }), ...inWindow([0]), refused({ reset })]);
  expect(judgeEnforced(evidence)).toMatchObject({
    reason: expect.stringMatching(
      /^GET \/pets got 200 as the 61st request of the minute, after Remaining was 0/,
    ),
  });
});
