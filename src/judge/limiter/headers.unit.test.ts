import { describe, expect, test } from 'vitest';
import {
  type Answer,
  everywhere,
  falling,
  NOON,
  type Run,
  refused,
  shown,
} from '../../../test/limited-runs.ts';
import type { Evidence } from '../check.ts';
import { judgeConstant, judgePlan, judgeRemaining, judgeReset } from './headers.ts';
import { judgeFalls } from './remaining-falls.ts';

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

describe('Limit', () => {
  const at = (limit: number, resetIn: number): Answer => ({ limit, resetIn, remaining: 1 });
  const custom = { plan: 'enterprise', limits: {} };

  test('says from what to what it changes, and where', () => {
    const answers = [60, 60, 7, 8, 9, 10, 11, 12, 60].map((limit): Answer => ({ limit, remaining: 1 }));
    expect(judgeConstant(shown(answers))).toMatchObject({
      status: 'violated',
      exercised: true,
      reason: 'Limit changes on listPets',
      expected: 'X-RateLimit-Limit: 60',
      received: 'X-RateLimit-Limit: 7, 8, 9, 10, 11',
      evidence: [3, 4, 5, 6, 7, 8],
    });
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

describe('Reset', () => {
  test.each<[what: string, answer: Answer, run: Run, reason: string | undefined]>([
    [
      'in milliseconds',
      { reset: (NOON + 30) * 1000 },
      {},
      'Reset is not in seconds; it looks like milliseconds',
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
    ['far', { resetIn: 300 }, {}, 'Reset is 300 s away, though the window lasts 120 s'],
    ['undated, within what clocks differ by', { resetIn: -200, isDated: false }, {}, undefined],
    ['undated, beyond', { resetIn: -400, isDated: false }, {}, 'Reset is in the past'],
    ['undated, ahead of ours', { resetIn: 400, isDated: false }, {}, undefined],
    [
      'undated, too far ahead',
      { resetIn: 500, isDated: false },
      {},
      'Reset is 500 s away, though the window lasts 120 s',
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

  test('without figures it may be the day’s', () => {
    expect(judgeReset(unstated(shown([{ remaining: 1, resetIn: 300 }])))).toMatchObject({ status: 'met' });
  });
});

describe('Remaining', () => {
  const paced = (seconds: number, remaining: (sent: number) => number, change: Answer = {}) =>
    everywhere(remaining).map((answer, index): Answer => ({ ...answer, at: index * seconds, ...change }));
  const between = (answers: readonly Answer[], other: Answer) => answers.flatMap((answer) => [answer, other]);
  const status = ({ status: of, exercised }: ReturnType<typeof judgeFalls>) => (exercised ? of : 'vacuous');

  test.each<[what: string, answers: Answer[], finding: string]>([
    ['stays, a second apart: it may be refilled', paced(1, () => 42), 'vacuous'],
    ['stays, half a second apart: just so', paced(0.5, () => 42), 'vacuous'],
    ['stays, a quarter of a second apart', paced(0.25, () => 42), 'violated'],
    ['stays, too far apart to say anything', paced(5, () => 1, { limit: 1 }), 'vacuous'],
    ['stays, a bit nearer', paced(4.5, () => 1, { limit: 1 }), 'violated'],
    [
      'stays, with messages in between',
      between(
        everywhere(() => 42),
        { operation: 'sendMessage', remaining: 9 },
      ),
      'violated',
    ],
    ['stays, after the key was used up before the run', [refused(), ...everywhere(() => 42)], 'vacuous'],
    [
      'is another operation’s in between',
      between(falling([59, 58, 57, 56]), { operation: 'getPet', remaining: 3 }),
      'vacuous',
    ],
    [
      'is the minute’s, then the day’s',
      falling([59, 58, 57, 56]).flatMap((answer) => [answer, { ...answer, limit: 1_000 }]),
      'vacuous',
    ],
    [
      'falls in the order in which answers came',
      paced(-0.01, (sent) => sent, { inFlight: 1 }).map((each) => ({ ...each, at: 1 + (each.at ?? 0) })),
      'met',
    ],
    ['rises by two windows', falling([0, 2, 0, 2], { limit: 2, at: 0 }), 'met'],
    ['rises by more', falling([0, 2, 1, 2, 0, 2], { limit: 2 }), 'violated'],
    [
      'rises by two windows and the refill',
      [0, 60, 0, 61].map((remaining, at) => ({ remaining, at })),
      'met',
    ],
  ])('%s', (_what, answers, finding) => {
    expect(status(judgeFalls(shown(answers)))).toBe(finding);
  });

  test('answers without it are passed by', () => {
    expect(judgeFalls(shown([{ remaining: 59 }, {}, { remaining: 58 }]))).toMatchObject({
      status: 'met',
      evidence: [1, 3],
    });
  });

  test.each<[answers: Answer[], reason: string]>([
    [falling([42, 42]), 'too few requests, too far apart, to see Remaining fall'],
    [
      falling([42, 42, 42, 42]),
      'Remaining falls on no operation that got two requests in a row; createPet did not',
    ],
    [everywhere(() => 42), 'Remaining never falls'],
    [everywhere((sent) => (sent < 5 ? 10 : sent)), 'Remaining rises with use'],
    [falling([0, 2, 1, 2, 0, 2], { limit: 2 }), 'Remaining rises and falls without a reason'],
  ])('says what it does: %o', (answers, reason) => {
    expect(judgeFalls(shown(answers))).toMatchObject({ reason });
  });

  test('is shown with eight of its figures', () => {
    const random = falling(Array.from({ length: 60 }, (_, index) => (index * 37) % 61));
    expect(judgeFalls(shown(random))).toMatchObject({
      expected: 'a figure that falls with each request',
      received: 'X-RateLimit-Remaining: 37, 13, 50, 26, 2, 39, 15, 52 over 60 requests',
      evidence: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    });
  });
});
