import { describe, expect, test } from 'vitest';
import {
  type Answer,
  again,
  downTo,
  everywhere,
  exhausting,
  falling,
  NOON,
  probeOf,
  type Run,
  refused,
  shown,
} from '../../../test/limited-runs.ts';
import { judgeEarly } from './early-refusal.ts';
import { judgeConstant, judgePlan, judgeRemaining, judgeReset } from './headers.ts';
import { judgeRecovery } from './recovery.ts';
import { judgeEnforced } from './refusals.ts';
import { judgeFalls } from './remaining-falls.ts';

describe('Remaining is never above Limit', () => {
  test.each<[remaining: number, status: string]>([
    [0, 'met'],
    [60, 'met'],
    [61, 'violated'],
    [1_000, 'violated'],
  ])('%s of 60: %s', (remaining, status) => {
    const finding = judgeRemaining(shown([{ remaining: 59 }, { remaining }]));
    expect(finding).toMatchObject({ status, evidence: status === 'violated' ? [2] : [1, 2] });
  });

  test('nor for a wrong key, whatever the limit is that it is told', () => {
    const keyless = (limit: number, remaining: number) =>
      ({ key: 'absent', status: 401, limit, remaining }) as const;
    expect(judgeRemaining(shown([{ remaining: 5 }, keyless(0, 0)])).status).toBe('met');
    expect(judgeRemaining(shown([{ remaining: 5 }, keyless(10, 9)])).status).toBe('met');
    expect(judgeRemaining(shown([{ remaining: 5 }, keyless(10, 11)]))).toMatchObject({
      status: 'violated',
      evidence: [2],
    });
  });

  test('a header that is absent is named', () => {
    expect(judgeRemaining(shown([{}]))).toMatchObject({
      status: 'not-tested',
      cause: 'X-RateLimit-Remaining',
    });
  });
});

describe('Limit does not change', () => {
  const limits = (...figures: number[]) => figures.map((limit): Answer => ({ limit, remaining: 1 }));

  test.each<[what: string, answers: Answer[], run: Run, status: string]>([
    ['the same throughout', limits(60, 60, 60), {}, 'met'],
    ['the minute’s and the day’s of the plan', limits(60, 1_000, 60), {}, 'met'],
    ['one that is neither', limits(60, 60, 100), {}, 'violated'],
    ['another with every answer', limits(59, 58, 57), {}, 'violated'],
    ['the minutes of two plans', limits(60, 300), { plan: '' }, 'violated'],
    ['minute and day of a plan that is not stated', limits(300, 10_000), { plan: '' }, 'met'],
    [
      'two windows of a custom plan, told apart by Reset',
      [
        { limit: 50, remaining: 1, resetIn: 30 },
        { limit: 500, remaining: 1, resetIn: 30_000 },
      ],
      { plan: 'enterprise', limits: {} },
      'met',
    ],
    [
      'two figures of a custom plan with one Reset',
      limits(50, 500),
      { plan: 'enterprise', limits: {} },
      'violated',
    ],
    [
      'another on another operation: which ones the plan covers is not shown',
      [...limits(60, 60), { operation: 'getStoreOrders', limit: 30, remaining: 1 }],
      {},
      'met',
    ],
  ])('%s', (_what, answers, run, status) => {
    expect(judgeConstant(shown(answers, run)).status).toBe(status);
  });
});

test.each<[limit: number, run: Run, status: string, exercised: boolean]>([
  [60, {}, 'met', true],
  [1_000, {}, 'met', true],
  [61, {}, 'violated', true],
  [300, {}, 'violated', true],
  [300, { plan: 'pro', limits: { minute: 300, day: 10_000 } }, 'met', true],
  [10, { plan: 'custom', limits: { minute: 10 } }, 'met', true],
  [11, { plan: 'custom', limits: { minute: 10 } }, 'violated', true],
  [77, { plan: 'enterprise', limits: {} }, 'met', false],
  [77, { plan: '' }, 'met', false],
  [300, { plan: '' }, 'met', true],
])('Limit %s, plan %o: %s', (limit, run, status, exercised) => {
  expect(judgePlan(shown([{ limit, remaining: 1 }], run))).toMatchObject({ status, exercised });
});

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
  ])('%s', (_what, answer, status) => {
    expect(judgeReset(shown([{ remaining: 1, ...answer }])).status).toBe(status);
  });
});

describe('Remaining falls', () => {
  test.each<[what: string, answers: Answer[], status: string, exercised: boolean]>([
    ['with each request', everywhere((sent) => 60 - sent), 'met', true],
    ['on one operation only', everywhere((sent) => (sent < 3 ? 60 - sent : 58)), 'met', true],
    ['never', everywhere(() => 42), 'violated', true],
    ['never: it rises', everywhere((sent) => sent), 'violated', true],
    ['never, but two requests say little', falling([42, 42]), 'met', false],
    [
      'never, where an operation was asked once: that may be the one that is limited',
      [...falling([42, 42, 42, 42]), { operation: 'createPet', status: 201, remaining: 42 }],
      'met',
      false,
    ],
    [
      'never, while a minute passes between two: a window may have ended',
      [0, 60, 120, 180].map((at) => ({ at, remaining: 59 })),
      'met',
      false,
    ],
    ['at random', falling(Array.from({ length: 60 }, (_, index) => (index * 37) % 61)), 'violated', true],
    ['across the end of a window', falling([3, 2, 1, 0, 59, 58, 57]), 'met', true],
    [
      'out of order, where requests were under way together',
      falling([58, 59, 56, 57], { inFlight: 4 }),
      'met',
      true,
    ],
  ])('%s', (_what, answers, status, exercised) => {
    expect(judgeFalls(shown(answers))).toMatchObject({ status, exercised });
  });
});

describe('over the limit comes a 429', () => {
  const unsent = [{ probe: probeOf({ stage: 'exhaust' }).id, reason: 'the window is too far away' }];

  test.each<[what: string, answers: Answer[], run: Run, status: string]>([
    ['it does', [...downTo(0, exhausting), refused()], {}, 'met'],
    ['it does not', [...downTo(0, exhausting), { ...exhausting, remaining: 0 }], {}, 'violated'],
    ['503 comes', [...downTo(0, exhausting), refused({ status: 503 })], {}, 'violated'],
    ['403 comes', [...downTo(0, exhausting), refused({ status: 403 })], {}, 'violated'],
    ['200 comes with an Error', [...downTo(0, exhausting), refused({ status: 200 })], {}, 'violated'],
    ['the limit was not used up', downTo(40), { unsent }, 'not-tested'],
    [
      'twice as many pass first',
      [...falling(Array(60).fill(60), exhausting), ...downTo(0, exhausting), refused()],
      {},
      'violated',
    ],
    [
      'twice as many pass first, half of them before the minute ended',
      [
        ...downTo(0, { ...exhausting, reset: NOON + 1 }),
        ...downTo(0, { ...exhausting, reset: NOON + 61 }),
        refused({ reset: NOON + 61 }),
      ],
      {},
      'met',
    ],
  ])('%s', (_what, answers, run, status) => {
    expect(judgeEnforced(shown(answers, run)).status).toBe(status);
  });
});

describe('no 429 while Remaining promises more', () => {
  const early = refused({ remaining: 29 });

  test.each<[what: string, answers: Answer[], run: Run, status: string, exercised: boolean]>([
    ['Remaining is used up', [...downTo(0), refused()], {}, 'met', true],
    ['one is left: rounding', [...downTo(1), refused()], {}, 'met', true],
    ['thirty are left', [...downTo(30), early], {}, 'violated', true],
    [
      'the 429 itself says that all are left',
      [...downTo(0), refused({ remaining: 60 })],
      {},
      'violated',
      true,
    ],
    ['the very first request is refused, and nothing is left', [refused()], {}, 'met', false],
    ['others use the key, the user says', [...downTo(30), early], { sharedKey: true }, 'not-tested', false],
    [
      'others use the key, as Remaining shows',
      [...falling([56, 52, 48, 44, 40, 36, 32, 28]), refused({ remaining: 24 })],
      {},
      'not-tested',
      false,
    ],
    ['the day is over, by Retry-After', [...downTo(30), { ...early, retryAfter: '40000' }], {}, 'met', false],
    [
      'the headers are the day’s',
      [...downTo(0, { limit: 1_000 }), refused({ limit: 1_000, remaining: 900 })],
      {},
      'met',
      false,
    ],
    [
      'requests to other operations used up the rest',
      [{ remaining: 59 }, ...downTo(0, { operation: 'createPet', status: 201 }).slice(1), refused()],
      {},
      'met',
      true,
    ],
    [
      'as many were under way as remained',
      [
        ...downTo(16),
        ...Array<Answer>(16).fill({ remaining: undefined, key: 'absent', status: 401 }),
        refused(),
      ],
      {},
      'met',
      true,
    ],
    ['no 429 came', downTo(40), {}, 'not-tested', false],
  ])('%s', (_what, answers, run, status, exercised) => {
    expect(judgeEarly(shown(answers, run))).toMatchObject({ status, exercised });
  });
});

describe('after Retry-After requests are let through again', () => {
  const used = downTo(0);
  const unsent = [{ probe: probeOf({ stage: 'recover' }).id, reason: 'too long' }];

  test.each<[what: string, answers: Answer[], run: Run, status: string]>([
    ['they are', [...used, refused(), again()], {}, 'met'],
    ['they are not', [...used, refused(), again({ status: 429, retryAfter: '30' })], {}, 'violated'],
    ['the key is banned', [...used, refused(), again({ status: 403 })], {}, 'violated'],
    ['503 comes', [...used, refused(), again({ status: 503 })], {}, 'violated'],
    [
      'others have taken what came back, the user says',
      [...used, refused(), again({ status: 429, retryAfter: '30' })],
      { sharedKey: true },
      'not-tested',
    ],
    [
      'it asks for longer than anybody waits',
      [...used, refused({ retryAfter: '40000' })],
      { unsent },
      'not-tested',
    ],
    ['it asks for half a century', [...used, refused({ retryAfter: String(NOON) })], { unsent }, 'violated'],
    ['no 429 came', downTo(40), {}, 'not-tested'],
  ])('%s', (_what, answers, run, status) => {
    expect(judgeRecovery(shown(answers, run)).status).toBe(status);
  });

  test('a 429 that does not say when is to blame that nothing was tried', () => {
    const { retryAfter: _, ...silent } = refused();
    expect(judgeRecovery(shown([...used, silent], { unsent }))).toMatchObject({
      status: 'not-tested',
      reason: 'too long',
      cause: 'Retry-After',
    });
  });
});
