import { describe, expect, test } from 'vitest';
import {
  type Answer,
  again,
  downTo,
  exhausting,
  falling,
  NOON,
  probeOf,
  type Run,
  refused,
  shown,
} from '../../../test/limiters/limited-runs.ts';
import { judgeRecovery } from './recovery.ts';

const used = downTo(0, exhausting);
const unsentExhaustion = { probe: probeOf(exhausting).id, reason: 'the window is too far away' };
const unsentRecovery = { probe: probeOf({ stage: 'recover' }).id, reason: 'the wait is too long' };

const noAnswer = { kind: 'reset', phase: 'headers', message: 'connection reset' } as const;

describe('after Retry-After requests are let through again', () => {
  const used = downTo(0);
  const unsent = [{ probe: probeOf({ stage: 'recover' }).id, reason: 'too long' }];

  test.each<[what: string, answers: Answer[], run: Run, status: string]>([
    ['they are', [...used, refused(), again()], {}, 'met'],
    ['they are not', [...used, refused(), again({ status: 429, retryAfter: '30' })], {}, 'violated'],
    ['the key is banned', [...used, refused(), again({ status: 403 })], {}, 'violated'],
    [
      '503 comes, and nothing remains',
      [...used, refused(), again({ status: 503, remaining: 0 })],
      {},
      'violated',
    ],
    [
      '503 comes, and asks to wait',
      [...used, refused(), again({ status: 503, retryAfter: '9' })],
      {},
      'violated',
    ],
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
    [
      'others were on their way when it came',
      [...used, refused(), refused({ at: 0.62, stage: 'invalid' })],
      { unsent },
      'not-tested',
    ],
    [
      'others were on their way, and one was let through',
      [...used, refused(), again({ at: 0.62, stage: 'invalid', operation: 'getPet' })],
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

describe('a request is refused again', () => {
  const reset = NOON + 31;
  const refusedAgain = (at: number, change: Answer = {}): Answer =>
    again({ at, status: 429, remaining: 0, retryAfter: '1', ...change });
  const sharedWith = (run: Run) => (answers: readonly Answer[]) => judgeRecovery(shown(answers, run));
  const finding = sharedWith({});
  const quick = [...downTo(0, { reset }), refused({ reset })];

  test.each<[what: string, answers: readonly Answer[]]>([
    ['as soon as the next window may have begun', [...quick, refusedAgain(31.5)]],
    ['long after it', [...quick, refusedAgain(322, { retryAfter: '30' })]],
    [
      'one second after a Retry-After of zero',
      [...downTo(0, { reset }), refused({ reset, retryAfter: '0' }), refusedAgain(1.7)],
    ],
    [
      'in a bucket that gives one back each second',
      [
        ...downTo(0, exhausting).map((each, index) => ({ ...each, at: index / 100, reset: NOON + 1 })),
        refused({ at: 0.6, reset: NOON + 1, retryAfter: '1' }),
        refusedAgain(2.6, { reset: NOON + 3 }),
      ],
    ],
    [
      'by a limiter that counts wrong keys, for which Remaining falls',
      [
        ...downTo(40, { reset }),
        { key: 'absent', status: 401, reset },
        { operation: 'getPet', remaining: 38, reset },
        ...downTo(0, { reset }).slice(22),
        refused({ reset }),
        refusedAgain(31.5),
      ],
    ],
  ])('%s: a key is presumed to be ours alone, and only --shared-key says otherwise', (_what, answers) => {
    expect(finding(answers)).toMatchObject({
      status: 'violated',
      reason: 'GET /pets got 429 again after the time that Retry-After states',
    });
    expect(sharedWith({ sharedKey: true })(answers)).toMatchObject({
      status: 'not-tested',
      untested: 'shared-key',
    });
  });

  test('after requests that were sent one at a time showed others, who explain it', () => {
    const withOthers = falling([59, 58, 57, 56, 50, 49, 48, 20, 0], { reset });
    expect(finding([...withOthers, refused({ reset }), refusedAgain(31.5)])).toMatchObject({
      status: 'not-tested',
      untested: 'shared-key',
      reason: 'a request was refused again, which other users of the key can explain',
    });
  });

  test('and others are seen only later: they explain nothing that came before', () => {
    const later = falling([59, 58, 57, 56, 50, 49], { stage: 'recover', reset: NOON + 91 });
    const answers = [
      ...quick,
      refusedAgain(31.5),
      ...later.map((each, index) => ({ ...each, at: 40 + index })),
    ];
    expect(finding(answers).status).toBe('violated');
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
        kind: 'sequence',
        repetition: { kind: 'after-refusal' },
        reason: 'GET /pets got 429 again after the time that Retry-After states',
        expected: 'a request is let through after 30 s, unless others use the key (--shared-key)',
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
      [...used, refused(), { operation: 'getPet', remaining: 0, at: 0.612, inFlight: 2 }, refusedAgain],
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
        kind: 'sequence',
        headers: ['Retry-After'],
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
    expect(judgeRecovery(shown([...used, counted], { unsent: [unsentRecovery] })).cause).toBeUndefined();
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

  test.each<[what: string, answers: Answer[]]>([
    ['whatever the headers say', [{ status: 503 }, ...used, refused(), again({ status: 503, remaining: 0 })]],
    ['if the headers say that it was let through', [...used, refused(), again({ status: 503 })]],
    ['if the headers say nothing', [...used, refused(), again({ status: 503, remaining: undefined })]],
  ])('a service that breaks then does not say that it still refuses: %s', (_what, answers) => {
    expect(judgeRecovery(shown(answers))).toMatchObject({
      status: 'not-tested',
      untested: 'blocked',
      reason: 'cannot be judged: recover: returned 503',
      cause: 'listPets.200',
      evidence: [answers.length],
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

describe('a request is refused again at the date that Retry-After states', () => {
  const until = (seconds: number) => new Date((NOON + seconds) * 1_000).toUTCString();
  const again429 = (at: number) => again({ at, status: 429, remaining: 0, retryAfter: '30' });

  test('which the clock of the server may not have reached, as no Date tells it', () => {
    const undated = refused({ retryAfter: until(20), isDated: false });
    expect(judgeRecovery(shown([...used, undated, again429(22)]))).toMatchObject({
      status: 'not-tested',
      untested: 'inconclusive',
      evidence: [62, 61],
    });
  });

  test('which any clock has reached five minutes later', () => {
    const undated = refused({ retryAfter: until(20), isDated: false });
    expect(judgeRecovery(shown([...used, undated, again429(322)])).status).toBe('violated');
  });

  test.each<[what: string, first: Partial<Answer>, at: number]>([
    ['which it has reached by its Date', { retryAfter: until(20) }, 22],
    ['or rather after seconds, which need no clock', { retryAfter: '20', isDated: false }, 22],
  ])('%s', (_what, first, at) => {
    expect(judgeRecovery(shown([...used, refused(first), again429(at)])).status).toBe('violated');
  });
});

test('others need not wait: what they send before the time that Retry-After states says nothing', () => {
  const tooSoon: Answer = { status: 429, remaining: 0, retryAfter: '10', at: 20 };
  const judgedWith = (later: Answer) => {
    const evidence = shown([...used, refused(), tooSoon, { remaining: 59, ...later }]);
    const judged = evidence.judged.map((each) => ({
      ...each,
      exchange: { ...each.exchange, recorded: 'traffic' as const },
    }));
    return judgeRecovery({ ...evidence, judged });
  };
  // The first 429 came at 0.61 s. Retry-After may be rounded down to seconds.
  expect(judgedWith({ at: 31.7 })).toMatchObject({ status: 'met', evidence: [63, 61] });
  expect(judgedWith({ at: 31.6 })).toMatchObject({ status: 'not-tested', untested: 'not-planned' });
});
