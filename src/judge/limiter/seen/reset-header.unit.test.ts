import { describe, expect, test } from 'vitest';
import {
  type Answer,
  again,
  downTo,
  exhausting,
  NOON,
  type Run,
  refused,
  shown,
} from '../../../../test/limiters/limited-runs.ts';
import { judgeReset } from '../reset.ts';

describe('Reset is the timestamp at which the window ends', () => {
  test.each<[what: string, answer: Answer, status: string]>([
    ['in half a minute', { resetIn: 30 }, 'met'],
    ['in a minute and a second', { resetIn: 61 }, 'met'],
    ['in two minutes: a sliding counter', { resetIn: 120 }, 'met'],
    ['now', { resetIn: 0 }, 'met'],
    ['a second ago: rounded down', { resetIn: -1 }, 'met'],
    ['a minute ago', { resetIn: -60 }, 'violated'],
    ['in five minutes', { resetIn: 300 }, 'violated'],
    ['in a day, of the day', { limit: 1_000, resetIn: 86_400 }, 'met'],
    ['in a week, of the day', { limit: 1_000, resetIn: 604_800 }, 'violated'],
    ['in milliseconds', { reset: (NOON + 30) * 1000 }, 'violated'],
    ['the seconds to go', { reset: 30 }, 'violated'],
    ['zero', { reset: 0 }, 'violated'],
    ['undated, within what clocks differ by', { resetIn: -200, isDated: false }, 'met'],
    ['undated, ahead of ours', { resetIn: 400, isDated: false }, 'met'],
  ])('%s', (_what, answer, status) => {
    expect(judgeReset(shown([{ remaining: 1, ...answer }])).status).toBe(status);
  });
});

describe('Reset', () => {
  test.each<[what: string, answer: Answer, run: Run, reason: string | undefined]>([
    [
      'in milliseconds',
      { reset: (NOON + 30) * 1000 },
      {},
      'Reset is not in seconds; it looks like milliseconds',
    ],
    [
      'in nanoseconds',
      { reset: `${NOON + 30}000000000` },
      {},
      'Reset is not in seconds; it looks like microseconds or nanoseconds',
    ],
    [
      'at what no date in seconds reaches',
      { reset: 1e11 },
      {},
      'Reset is not in seconds; it looks like milliseconds',
    ],
    [
      'in a day of seconds',
      { reset: 86_400 },
      {},
      'Reset is not a Unix timestamp; it looks like the seconds until the reset',
    ],
    ['past', { resetIn: -60 }, {}, 'Reset is in the past'],
    ['far', { resetIn: 180_000 }, {}, 'Reset is 180000 s away, though the window lasts 172800 s'],
    ['undated, beyond', { resetIn: -400, isDated: false }, {}, 'Reset is in the past'],
    [
      'undated, too far ahead',
      { resetIn: 180_000, isDated: false },
      {},
      'Reset is 180000 s away, though the window lasts 172800 s',
    ],
    ['right by our clock, though Date is behind', { resetIn: 30, dateAhead: -300 }, {}, undefined],
    ['right by our clock, though Date is ahead', { resetIn: 30, dateAhead: 300 }, {}, undefined],
    ['right by the clock of Date', { resetIn: 330, dateAhead: 300 }, {}, undefined],
    ['past by both', { resetIn: -60, dateAhead: 300 }, {}, 'Reset is in the past'],
    [
      'too far by both',
      { resetIn: 180_000, dateAhead: 300 },
      {},
      'Reset is 179700 s away, though the window lasts 172800 s',
    ],
    [
      'without Limit it may be the day’s',
      { limit: undefined, resetIn: 300 },
      { plan: 'enterprise', limits: {} },
      undefined,
    ],
    ['of minute and day alike', { resetIn: 40_000 }, { limits: { minute: 60, day: 60 } }, undefined],
  ])('%s', (_what, answer, run, reason) => {
    const finding = judgeReset(shown([{ remaining: 1 }, { remaining: 1, ...answer }], run));
    expect(finding).toMatchObject(
      reason === undefined ? { status: 'met' } : { status: 'violated', reason, evidence: [2] },
    );
  });

  test.each<[what: string, answer: Answer, status: string]>([
    ['in milliseconds', { reset: (NOON + 30) * 1000 }, 'violated'],
    ['the seconds to go', { reset: 30 }, 'violated'],
    ['none', { reset: 0 }, 'met'],
    ['of another window', { resetIn: 300 }, 'met'],
  ])('of a refused key has to be a time in seconds as well: %s', (_what, answer, status) => {
    const rejected: Answer = { key: 'unknown', status: 401, remaining: 1, ...answer };
    expect(judgeReset(shown([{ remaining: 1 }, rejected])).status).toBe(status);
  });

  test('is quoted', () => {
    expect(judgeReset(shown([{ remaining: 1, reset: 30 }]))).toMatchObject({
      kind: 'sequence',
      headers: ['X-RateLimit-Reset'],
      expected: 'the Unix timestamp, in seconds, of the end of the window',
      received: 'X-RateLimit-Reset: 30',
    });
  });

  test('may have been computed when a slow request came', () => {
    const late = shown([{ remaining: 1, resetIn: -15 }]);
    const slowBy = (seconds: number) => ({
      ...late,
      judged: late.judged.map(({ exchange, ...each }) => ({
        ...each,
        exchange: { ...exchange, sentAt: exchange.receivedAt - 1_000 * seconds },
      })),
    });
    expect(judgeReset(slowBy(11)).status).toBe('violated');
    expect(judgeReset(slowBy(13)).status).toBe('met');
  });

  test('may be wrong although it is near: nothing is let through before it where all are used up', () => {
    const reset = NOON + 60;
    const used = [...downTo(0, { ...exhausting, reset }), refused({ at: 1, reset, retryAfter: '8' })];
    expect(judgeReset(shown([...used, again({ at: 10, remaining: 3, reset })]))).toMatchObject({
      status: 'violated',
      reason:
        'GET /pets got 200 before the Reset of an earlier response; no honest limiter does that, the nearest is a fixed window',
    });
  });

  test('without figures it may be the day’s', () => {
    const { limits: _limits, plan: _plan, ...withoutFigures } = shown([{ remaining: 1, resetIn: 300 }]);
    expect(judgeReset(withoutFigures)).toMatchObject({ status: 'met' });
  });
});
