import { describe, expect, test } from 'vitest';
import {
  type Answer,
  again,
  downTo,
  exhausting,
  falling,
  probeOf,
  type Run,
  refused,
  shown,
} from '../../../test/limited-runs.ts';
import { judgeEarly } from './early-refusal.ts';
import { judgeRecovery } from './recovery.ts';
import { judgeEnforced, noRefusal } from './refusals.ts';

/** So many answers alike. */
const times = (count: number, answer: Answer): Answer[] => Array.from({ length: count }, () => answer);
const used = downTo(0, exhausting);
const unsentExhaustion = { probe: probeOf(exhausting).id, reason: 'the window is too far away' };
const unsentRecovery = { probe: probeOf({ stage: 'recover' }).id, reason: 'the wait is too long' };

const noAnswer = { kind: 'reset', phase: 'headers', message: 'connection reset' } as const;

describe('over the limit comes a 429', () => {
  test.each<[what: string, answers: Answer[], run: Run, finding: object]>([
    ['it does', [...used, refused()], {}, { status: 'met', evidence: [61] }],
    ['whatever else is wrong', [{ status: 404 }, ...used, refused()], {}, { status: 'met' }],
    ['at once', [refused()], {}, { status: 'met', evidence: [1] }],
    [
      'it never does',
      [...times(70, { ...exhausting, remaining: 50 })],
      {},
      {
        status: 'violated',
        reason: 'no request was refused, however many were sent',
        expected: 'status 429 after 60 requests in a minute',
        received: '70 requests accepted',
        evidence: [70, 69, 68],
      },
    ],
    [
      'it gets something else, and so does nothing before',
      [
        { ...exhausting, status: 404 },
        ...times(60, { ...exhausting, remaining: 50 }),
        refused({ status: 503 }),
      ],
      {},
      {
        status: 'violated',
        reason: 'a request over the limit was not refused with 429',
        expected: 'status 429',
        received: 'status 503',
        evidence: [62],
      },
    ],
    [
      'the limit was not used up',
      downTo(40),
      {},
      { status: 'not-tested', untested: 'not-planned', reason: 'this run did not use up the limit' },
    ],
    [
      'the requests for it were not sent',
      downTo(40),
      { unsent: [{ probe: 'listPets:list', reason: 'another one' }, unsentExhaustion] },
      { status: 'not-tested', reason: 'the window is too far away' },
    ],
    [
      'a key that is wrong is refused by it: that says nothing',
      [...downTo(40), { key: 'absent', status: 429 }],
      {},
      { status: 'not-tested' },
    ],
  ])('%s', (_what, answers, run, finding) => {
    expect(judgeEnforced(shown(answers, run))).toMatchObject(finding);
  });

  test('what was sent without being refused is counted', () => {
    const answers: Answer[] = [
      { remaining: 9 },
      { key: 'absent', status: 401 },
      ...times(4, { ...exhausting, remaining: 9 }),
    ];
    expect(judgeEnforced(shown(answers))).toMatchObject({
      status: 'violated',
      exercised: true,
      reason: 'no request was refused, however many were sent',
      expected: 'status 429 after 60 requests in a minute',
      received: '5 requests accepted',
      evidence: [6, 5, 4],
    });
    const untold = { plan: '', limits: {} };
    expect(judgeEnforced(shown(answers, untold))).toMatchObject({
      expected: 'status 429 after 60 requests in a minute',
    });
    const stated = { plan: 'custom', limits: { minute: 100 } };
    expect(judgeEnforced(shown(answers, stated))).toMatchObject({
      expected: 'status 429 after 100 requests in a minute',
    });
  });

  test('an exhaustion that is answered otherwise says nothing, and names what it is', () => {
    const answers: Answer[] = [
      { ...exhausting, remaining: 50 },
      { ...exhausting, status: 404, remaining: 49 },
    ];
    expect(judgeEnforced(shown([...answers, { ...exhausting, remaining: 48 }]))).toMatchObject({
      status: 'not-tested',
      untested: 'blocked',
      reason: 'cannot be judged: exhaust: rejected with 404',
      cause: 'listPets.200',
      evidence: [2],
    });
  });

  test('the figures of a plan that only the day tells are no proof: a custom plan may have the same day', () => {
    const answers = times(70, { ...exhausting, limit: 1_000, remaining: 900, resetIn: 40_000 });
    expect(judgeEnforced(shown(answers, { plan: '' }))).toMatchObject({
      status: 'not-tested',
      untested: 'rate-plan-unknown',
      exercised: false,
      reason:
        'no request was refused, and the headers describe only the day, of free or of a custom plan; state it with --plan',
      evidence: [70, 69, 68],
    });
    expect(judgeEnforced(shown(answers, { plan: 'free' }))).toMatchObject({
      status: 'violated',
      expected: 'status 429 after 60 requests in a minute',
    });
  });

  describe('of a day', () => {
    const day = (letThrough: number, window: 'minute' | 'day' = 'day'): NonNullable<Run['used']> => ({
      window,
      limit: 1_000,
      letThrough,
    });
    const answers = [...used, refused(), again()];

    test('more than it allows', () => {
      expect(judgeEnforced(shown(answers, { used: day(1_001) }))).toMatchObject({
        status: 'violated',
        exercised: true,
        reason: 'more requests were let through than a day allows',
        expected: 'status 429 after 1000 requests',
        received: '1001 requests let through',
        evidence: [61],
      });
    });

    test.each<[what: string, run: Run]>([
      ['as many as it allows', { used: day(1_000) }],
      ['of others as well', { used: day(1_001), sharedKey: true }],
      ['in a minute', { used: day(1_001, 'minute') }],
    ])('%s', (_what, run) => {
      expect(judgeEnforced(shown(answers, run))).toMatchObject({ status: 'met' });
    });
  });
});

test('without a refusal there is nothing to see, and what kept it away is named', () => {
  expect(noRefusal(shown([...used, { ...exhausting, status: 503 }]))).toMatchObject({
    status: 'not-tested',
    untested: 'no-refusal',
    reason: 'no 429 came: a request over the limit was not refused with 429',
    cause: 'TooManyRequests',
  });
  const unanswered = [
    { ...exhausting, remaining: 50 },
    { ...exhausting, status: 404, remaining: 49 },
    { ...exhausting, remaining: 48 },
  ];
  expect(noRefusal(shown(unanswered))).toMatchObject({
    status: 'not-tested',
    untested: 'no-refusal',
    cause: 'listPets.200',
  });
  expect(noRefusal(shown(downTo(40)))).not.toHaveProperty('cause');
});

describe('no 429 while Remaining promises more', () => {
  const status = ({ status: of, exercised }: ReturnType<typeof judgeEarly>) =>
    of === 'met' && !exercised ? 'vacuous' : of;
  /** Its Remaining would tell of other users of the key: it has none. */
  const silent = (change: Answer = {}) => refused({ remaining: undefined, ...change });
  const shared = [...falling([56, 52, 48, 44]), refused({ remaining: 40 })];

  test.each<[what: string, answers: Answer[], run: Run, finding: string]>([
    ['three of sixty are left', [...downTo(3), silent()], {}, 'met'],
    ['four of sixty', [...downTo(4), silent()], {}, 'violated'],
    ['two of twenty', [{ remaining: 2, limit: 20 }, refused({ limit: 20 })], { plan: '', limits: {} }, 'met'],
    [
      'three of twenty',
      [{ remaining: 3, limit: 20 }, refused({ limit: 20 })],
      { plan: '', limits: {} },
      'violated',
    ],
    ['a window before this one was used up', [...falling([1, 0]), ...downTo(30), silent()], {}, 'violated'],
    [
      'what came after the refusal does not count',
      [...downTo(5), silent(), ...times(9, { operation: 'getPet', at: 1 })],
      {},
      'violated',
    ],
    [
      'nor other refusals',
      [...downTo(5), ...times(9, { key: 'absent', status: 429 }), silent()],
      {},
      'violated',
    ],
    [
      'the answers of others tell the same',
      [{ remaining: 12 }, ...falling([11, 10, 9, 8], { operation: 'getPet' }), silent()],
      {},
      'violated',
    ],
    [
      'a request without an answer may have counted',
      [{ remaining: 30 }, { operation: 'getPet', failure: noAnswer }, silent()],
      {},
      'violated',
    ],
    [
      'nor is it told by another operation',
      [{ remaining: 2 }, { operation: 'getPet', remaining: 40 }, silent()],
      {},
      'met',
    ],
    ['nor by what came later', [...downTo(1), refused(), again({ remaining: 59 })], {}, 'met'],
    ['a minute and a bit to wait', [...downTo(30), silent({ retryAfter: '63' })], {}, 'violated'],
    ['more than that to wait', [...downTo(30), silent({ retryAfter: '64' })], {}, 'vacuous'],
    ['the day’s, before', [...downTo(30, { limit: 1_000 }), refused({ remaining: 29 })], {}, 'vacuous'],
    ['the day’s, at last', [...downTo(30), refused({ limit: 1_000, remaining: 29 })], {}, 'vacuous'],
    ['others use the key', shared, {}, 'not-tested'],
    ['others use the key, and have used it up', [...falling([20, 12, 3]), refused()], {}, 'met'],
    [
      'others seem to, of requests under way together',
      shared.map((each) => ({ ...each, inFlight: 4 })),
      {},
      'violated',
    ],
    [
      'others have begun to after a window',
      [...falling([5, 4, 59, 55]), refused({ remaining: 52 })],
      {},
      'not-tested',
    ],
    [
      'others use it for messages',
      [...falling([56, 52, 48], { operation: 'sendMessage' }), ...downTo(50), silent()],
      {},
      'not-tested',
    ],
    [
      'messages are counted by themselves',
      [...downTo(50).flatMap((each) => [each, { operation: 'sendMessage', remaining: 9 }]), silent()],
      {},
      'violated',
    ],
    [
      'two more than were sent are an estimate',
      [...falling([59, 56]), refused({ remaining: 55 })],
      {},
      'violated',
    ],
    ['three more are somebody else’s', [...falling([59, 55]), refused({ remaining: 54 })], {}, 'not-tested'],
    [
      'what is not counted is no stretch of its own',
      [...falling([50, 50, 50, 50, 46]), refused({ remaining: 45 })],
      {},
      'violated',
    ],
    [
      'an answer without Remaining begins none',
      [{}, ...falling([56, 52, 48]), refused({ remaining: 44 })],
      {},
      'not-tested',
    ],
  ])('%s', (_what, answers, run, finding) => {
    expect(status(judgeEarly(shown(answers, run)))).toBe(finding);
  });

  test('what a wrong key is refused says nothing', () => {
    expect(judgeEarly(shown([...downTo(30), { key: 'absent', status: 429 }]))).toMatchObject({
      status: 'not-tested',
    });
  });

  test('shows what was promised, and the answer that did', () => {
    const answers = [
      { remaining: 31 },
      {},
      { operation: 'getPet', remaining: 30 },
      refused({ remaining: 29 }),
    ];
    expect(judgeEarly(shown([...answers, again()]))).toMatchObject({
      status: 'violated',
      exercised: true,
      reason: 'a request was refused although Remaining promised more',
      expected: 'no 429 before Remaining is used up',
      received: 'status 429 with X-RateLimit-Remaining: 29, after 31',
      evidence: [4, 1],
    });
    expect(judgeEarly(shown([...downTo(30), silent()]))).toMatchObject({
      received: 'status 429 with X-RateLimit-Remaining: absent, after 30',
    });
    expect(judgeEarly(shown([refused({ remaining: 29 })]))).toMatchObject({
      received: 'status 429 with X-RateLimit-Remaining: 29, after none',
      evidence: [1],
    });
  });

  test('the reasons that are none', () => {
    expect(judgeEarly(shown([refused()])).reason).toBe('the key was used up before this run');
    expect(judgeEarly(shown([...downTo(30), silent({ retryAfter: '64' })])).reason).toBe(
      'the other window may explain the refusal',
    );
    expect(judgeEarly(shown(shared)).evidence).toEqual([5]);
    expect(judgeEarly(shown(shared)).reason).toBe(
      'a request was refused although Remaining promised more, which other users of the key can explain',
    );
  });
});

describe('after Retry-After a request is let through', () => {
  const refusedAgain = again({ status: 429, retryAfter: '30', remaining: 0 });

  test.each<[what: string, answers: Answer[], run: Run, finding: object]>([
    ['it is', [...used, refused(), again()], {}, { status: 'met', evidence: [62, 61] }],
    [
      'it is not',
      [...used, refused(), refusedAgain],
      {},
      {
        status: 'violated',
        reason: 'still refused after the time that Retry-After states',
        expected: 'a request is let through after 30 s',
        received: 'status 429 again',
        evidence: [62, 61],
      },
    ],
    [
      'it gets another answer',
      [...used, refused(), again({ status: 404 })],
      {},
      {
        status: 'violated',
        reason: 'after the time that Retry-After states: recover: rejected with 404',
        received: 'status 404',
        evidence: [62],
      },
    ],
    [
      'it gets another answer, and so did another before',
      [{ status: 404 }, ...used, refused(), again({ status: 404 })],
      {},
      { status: 'violated', evidence: [63] },
    ],
    [
      'others may have taken it',
      [...used, refused(), refusedAgain],
      { sharedKey: true },
      {
        status: 'not-tested',
        untested: 'shared-key',
        reason: 'a request was refused again, which other users of the key can explain',
        evidence: [62, 61],
      },
    ],
    [
      'one of several that were sent together is',
      [...used, refused(), refusedAgain, again({ at: 40.001 })],
      {},
      { status: 'met', evidence: [63, 61] },
    ],
    [
      'one that was sent later does not count',
      [...used, refused(), refusedAgain, again({ at: 41 })],
      {},
      { status: 'violated', evidence: [62, 61] },
    ],
    [
      'nor one with a wrong key',
      [...used, refused(), { key: 'absent', status: 401, at: 40 }, refusedAgain],
      {},
      { status: 'violated', evidence: [63, 61] },
    ],
    [
      'nor one that was under way',
      [...used, refused(), { operation: 'getPet', remaining: 1, at: 0.612 }, refusedAgain],
      {},
      { status: 'violated', evidence: [63, 61] },
    ],
    [
      'two days and a bit are the longest wait',
      [...used, refused({ retryAfter: '172803' })],
      { unsent: [unsentRecovery] },
      { status: 'not-tested', reason: 'the wait is too long', evidence: [61] },
    ],
    [
      'more than that is not a window',
      [...used, refused({ retryAfter: '172804' })],
      { unsent: [unsentRecovery] },
      {
        status: 'violated',
        reason: 'Retry-After asks for a longer wait than any window lasts',
        expected: 'at most two days',
        received: 'Retry-After: 172804 s',
        evidence: [61],
      },
    ],
    [
      'nothing was sent',
      [...used, refused()],
      { unsent: [unsentExhaustion] },
      { status: 'not-tested', untested: 'not-planned', reason: 'nothing was sent after the 429' },
    ],
  ])('%s', (_what, answers, run, finding) => {
    expect(judgeRecovery(shown(answers, run))).toMatchObject(finding);
  });

  test('what it is not told to wait is to blame, not what else is wrong with the refusal', () => {
    const { remaining: _, ...silent } = refused({ retryAfter: 'soon' });
    expect(judgeRecovery(shown([...used, silent], { unsent: [unsentRecovery] }))).toMatchObject({
      cause: 'Retry-After.schema',
    });
    const { remaining: _r, ...counted } = refused();
    expect(judgeRecovery(shown([...used, counted], { unsent: [unsentRecovery] }))).not.toHaveProperty(
      'cause',
    );
  });

  test('nor does a next request without an answer', () => {
    const other: Answer = { operation: 'getPet', stage: 'read', at: 40, failure: noAnswer };
    expect(judgeRecovery(shown([...used, refused(), other]))).toMatchObject({
      status: 'not-tested',
      untested: 'blocked',
      reason: 'cannot be judged: no HTTP response came back',
      cause: 'service.http',
      evidence: [62],
    });
    const interrupted = { ...noAnswer, kind: 'interrupted' } as const;
    expect(judgeRecovery(shown([...used, refused(), { ...other, failure: interrupted }]))).toMatchObject({
      status: 'not-tested',
      untested: 'inconclusive',
      reason: 'cannot be judged: connection reset',
    });
  });

  test('a next answer of another operation that is wrong says nothing', () => {
    const other: Answer = { operation: 'getPet', stage: 'read', status: 404, at: 40, remaining: 3 };
    for (const sharedKey of [false, true]) {
      expect(judgeRecovery(shown([...used, refused(), other], { sharedKey }))).toMatchObject({
        status: 'not-tested',
        untested: 'blocked',
        reason: 'cannot be judged: read: rejected with 404',
        cause: 'getPet.200',
        evidence: [62],
      });
    }
  });
});
