import { describe, expect, test } from 'vitest';
import { type Answer, type Run, shown } from '../../../../test/limiters/limited-runs.ts';
import type { Evidence } from '../../evidence/check.ts';
import { judgeFalls } from '../explanation/remaining-falls.ts';
import { judgeReset } from '../reset.ts';
import { judgeConstant, judgePlan, judgeRemaining } from './headers.ts';

/** As the user leaves it: neither a plan nor its figures are known. */
function unstated(evidence: Evidence): Evidence {
  const { limits: _limits, plan: _plan, ...rest } = evidence;
  return rest;
}

describe('where there is nothing to be judged', () => {
  const wrong = { status: 404 };

  test.each<[what: string, judge: (evidence: Evidence) => object, missing: Answer, cause: string]>([
    ['Remaining', judgeRemaining, {}, 'X-RateLimit-Remaining'],
    ['Remaining without Limit', judgeRemaining, { limit: undefined, remaining: 5 }, 'X-RateLimit-Limit'],
    ['Limit', judgeConstant, { limit: undefined, remaining: 5 }, 'X-RateLimit-Limit'],
    ['Limit of a plan', judgePlan, { limit: undefined, remaining: 5 }, 'X-RateLimit-Limit'],
    ['Reset', judgeReset, { remaining: 5, reset: 'soon' }, 'X-RateLimit-Reset.schema'],
    ['a falling Remaining', judgeFalls, {}, 'X-RateLimit-Remaining'],
  ])('%s: what is absent is to blame, whatever else is wrong', (_what, judge, missing, cause) => {
    const finding = { status: 'not-tested', untested: 'blocked', exercised: false, cause };
    expect(judge(shown([missing]))).toMatchObject(finding);
    expect(judge(shown([wrong, missing]))).toMatchObject(finding);
    expect(judge(shown([{ ...missing, ...wrong }]))).toMatchObject({
      status: 'not-tested',
      untested: 'blocked',
      reason: 'cannot be judged: list: rejected with 404',
      cause: 'listPets.200',
    });
    expect(judge(shown([]))).toMatchObject({ reason: 'no request of this run tests it', evidence: [] });
  });

  test.each<[judge: (evidence: Evidence) => object, without: Answer]>([
    [judgeConstant, { limit: undefined, remaining: 1 }],
    [judgePlan, { limit: undefined, remaining: 1 }],
    [judgeReset, { reset: 'soon', remaining: 1 }],
    [judgeRemaining, {}],
  ])('an answer without the header shows nothing: %o', (judge, without) => {
    expect(judge(shown([{ remaining: 2 }, without]))).toMatchObject({ status: 'met', evidence: [1] });
  });
});

test.each(['listPets', 'getStoreOrders'])(
  'what is wrong with a 500 to %s is its status, not its headers too',
  (operation) => {
    const broken: Answer = { operation, status: 500, remaining: 61 };
    expect(judgeRemaining(shown([{ remaining: 5 }, broken]))).toMatchObject({ status: 'met', evidence: [1] });
  },
);

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

  test('says what it should be', () => {
    expect(judgeRemaining(shown([{ remaining: 61 }]))).toMatchObject({
      kind: 'sequence',
      reason: 'Remaining is above Limit',
      expected: 'at most 60',
      received: 'X-RateLimit-Remaining: 61',
      headers: ['X-RateLimit-Remaining'],
      evidence: [1],
    });
  });

  test('nor -1 as an unsigned number, which is told with all of its digits', () => {
    const remaining = '18446744073709551615';
    expect(judgeRemaining(shown([{ remaining: 0 }, { status: 429, remaining }]))).toMatchObject({
      status: 'violated',
      received: `X-RateLimit-Remaining: ${remaining}`,
      evidence: [2],
    });
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
    ['the minute of a higher plan from then on: an upgrade', limits(60, 300, 300), { plan: '' }, 'met'],
    ['the minute of a lower plan', limits(300, 60), { plan: '' }, 'violated'],
    ['the minute of a higher plan, and back', limits(60, 300, 60), { plan: '' }, 'violated'],
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

describe('Limit', () => {
  const at = (limit: number, resetIn: number): Answer => ({ limit, resetIn, remaining: 1 });
  const custom = { plan: 'enterprise', limits: {} };

  test('says from what to what it changes, and where', () => {
    const answers = [60, 60, 7, 8, 9, 10, 11, 12, 60].map((limit): Answer => ({ limit, remaining: 1 }));
    expect(judgeConstant(shown(answers))).toMatchObject({
      status: 'violated',
      exercised: true,
      kind: 'sequence',
      headers: ['X-RateLimit-Limit'],
      repetition: { kind: 'in-turn', exchanges: [1, 3] },
      reason: 'Limit changes on listPets',
      expected: 'X-RateLimit-Limit: 60',
      received: 'X-RateLimit-Limit: 7, 8, 9, 10, 11',
      evidence: [3, 4, 5, 6, 7, 8],
    });
  });

  test.each<[what: string, changed: Answer]>([
    ['as it is used up', { stage: 'exhaust' }],
    ['after the wait', { stage: 'recover' }],
    ['in a 429', { status: 429, retryAfter: '30' }],
  ])('that changes %s is not shown by two requests in turn', (_what, changed) => {
    const finding = judgeConstant(shown([{ remaining: 1 }, { limit: 61, remaining: 0, ...changed }]));
    expect(finding.status).toBe('violated');
    expect(finding.repetition).toBeUndefined();
  });

  test.each<[what: string, answers: Answer[], run: Run, status: string]>([
    ['the windows of another plan than the stated one', [at(300, 30), at(10_000, 30)], {}, 'violated'],
    ['three figures', [at(50, 30), at(500, 40_000), at(77, 30)], custom, 'violated'],
    ['two, the first in both windows', [at(50, 30), at(50, 40_000), at(500, 40_000)], custom, 'violated'],
    ['two, the second in both windows', [at(50, 30), at(500, 30), at(500, 40_000)], custom, 'violated'],
    [
      'two, the second in both windows, the day’s first',
      [at(50, 30), at(500, 40_000), at(500, 30)],
      custom,
      'violated',
    ],
    ['two, the day’s first', [at(500, 40_000), at(50, 30)], custom, 'met'],
  ])('%s: %s', (_what, answers, run, status) => {
    expect(judgeConstant(shown(answers, run)).status).toBe(status);
  });

  test('a plan cannot be told from one that changes', () => {
    const answers = [at(60, 30), at(61, 30)];
    expect(judgePlan(shown(answers))).toEqual({
      status: 'not-tested',
      untested: 'blocked',
      exercised: false,
      reason: 'cannot be judged: Limit changes on listPets',
      cause: 'rate-limit.constant',
      evidence: [2],
    });
  });

  const orders = (limit: number): Answer => ({ operation: 'getStoreOrders', limit, remaining: 1 });
  const message = (limit: number): Answer => ({ operation: 'sendMessage', limit, remaining: 1 });

  test.each<[what: string, answers: Answer[], run: Run, finding: object]>([
    ['one operation has the plan’s', [at(60, 30), orders(30)], {}, { status: 'met', exercised: true }],
    [
      'one has that of some plan',
      [at(300, 30), orders(77)],
      { plan: '' },
      { status: 'met', exercised: true },
    ],
    ['messages are another matter', [at(61, 30), message(60)], {}, { status: 'violated', evidence: [1] }],
    [
      'a day alone',
      [at(500, 30)],
      { plan: 'custom', limits: { day: 500 } },
      { status: 'met', exercised: true },
    ],
    [
      'no figure of the plan',
      [at(61, 30), orders(62)],
      {},
      {
        status: 'violated',
        kind: 'sequence',
        headers: ['X-RateLimit-Limit'],
        reason: 'Limit is not a figure of the plan free',
        expected: '60 or 1000',
        received: 'X-RateLimit-Limit: 61, 62',
      },
    ],
    ['nor the only one', [at(61, 30)], { plan: 'custom', limits: { minute: 10 } }, { expected: '10' }],
    [
      'no figure that any plan has',
      [at(77, 30), orders(78)],
      { plan: '' },
      {
        status: 'met',
        exercised: false,
        reason: 'a limit of 77 and 78 may belong to a custom plan; state it with --plan or --limit',
      },
    ],
    [
      'a plan without figures',
      [at(77, 30)],
      custom,
      {
        status: 'met',
        exercised: false,
        reason: 'the figures of enterprise are custom; state them with --limit and --day-limit',
      },
    ],
  ])('%s', (_what, answers, run, finding) => {
    expect(judgePlan(shown(answers, run))).toMatchObject(finding);
  });

  test('a stated plan whose figures nobody knows is judged by none', () => {
    const evidence = { ...unstated(shown([at(77, 30)])), plan: 'enterprise' };
    expect(judgePlan(evidence)).toMatchObject({ status: 'met', exercised: false });
  });
});
