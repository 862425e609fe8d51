import { describe, expect, test } from 'vitest';
import {
  type Answer,
  again,
  downTo,
  falling,
  NOON,
  type Run,
  refused,
  shown,
} from '../../../test/limiters/limited-runs.ts';
import { judgeEarly } from './early-refusal.ts';

const noAnswer = { kind: 'reset', phase: 'headers', message: 'connection reset' } as const;
/** A 429 that says nothing of what is left. */
const silent = (change: Answer = {}): Answer => refused({ remaining: undefined, ...change });
const wrongKeys = (count: number): Answer[] =>
  Array.from({ length: count }, () => ({ key: 'absent', status: 401, limit: undefined, reset: '' }));
const others = falling([56, 53, 48, 44]);

describe('a 429 comes too early', () => {
  test.each<[what: string, answers: Answer[], run?: Run]>([
    ['thirty are left', [...downTo(30), silent()]],
    ['three are left', [...downTo(3), silent()]],
    ['two are left', [...downTo(2), silent()]],
    ['one was left, and the 429 says none', [...downTo(1), refused()]],
    ['Retry-After is longer than needed', [...downTo(30), silent({ retryAfter: '64' })]],
    ['the 429 says that all are left', [...downTo(0), refused({ remaining: 60 })]],
    ['the 429 says that some are left, whoever uses the key', [...others, refused({ remaining: 40 })]],
    ['and whatever the user says', [...downTo(30), refused({ remaining: 29 })], { sharedKey: true }],
    [
      'no request took as many as are left, even with those of others',
      [...falling([9, 7, 4]), refused({ remaining: 3 })],
      { sharedKey: true },
    ],
    ['fewer wrong keys came than are left', [...downTo(6), ...wrongKeys(4), silent()]],
    [
      'another operation told the rest',
      [...downTo(12), ...falling([11, 10, 9, 8], { operation: 'getPet' }), silent()],
    ],
    [
      'a request without a response may have counted, but only one',
      [...falling([31, 30]), { operation: 'getPet', failure: noAnswer }, silent()],
    ],
    [
      'the window before was used up, and this one is not',
      [
        ...downTo(0, { reset: NOON + 1 }),
        ...downTo(30, { at: 2, reset: NOON + 61 }).map((each, index) => ({ ...each, at: 2 + index / 100 })),
        silent({ at: 3, reset: NOON + 61 }),
      ],
    ],
    [
      'messages have a count of their own',
      [...downTo(50).flatMap((each) => [each, { operation: 'sendMessage', remaining: 9 }]), silent()],
    ],
    [
      'simultaneous requests do not show others',
      [...falling([56, 52, 48, 44], { at: 0.05, inFlight: 4 }), silent()],
    ],
  ])('%s', (_what, answers, run) => {
    expect(judgeEarly(shown(answers, run))).toMatchObject({ status: 'violated', exercised: true });
  });

  test('the finding names the nearest limiter and shows what excludes it', () => {
    expect(judgeEarly(shown([...downTo(30), silent(), again()]))).toMatchObject({
      reason:
        'GET /pets got 429 while Remaining was 30; no honest limiter does that, the nearest is a fixed window',
      expected: 'no 429: 30 requests left',
      received: 'status 429 with X-RateLimit-Remaining: absent',
      evidence: [31, 30],
    });
    expect(judgeEarly(shown([refused({ remaining: 29 })]))).toMatchObject({
      expected: 'X-RateLimit-Remaining: 0 in a 429',
      received: 'status 429 with X-RateLimit-Remaining: 29',
      evidence: [1],
    });
  });
});

describe('a 429 comes in time', () => {
  test.each<[what: string, answers: Answer[], run?: Run]>([
    ['Remaining is used up', [...downTo(0), refused()]],
    ['part of a request is left, and Remaining is rounded up', [...downTo(1), silent()]],
    ['others use the key, the user says', [...downTo(30), refused()], { sharedKey: true }],
    ['others use the key, as Remaining showed', [...others, refused()]],
    ['as many wrong keys came as are left: they may count', [...downTo(6), ...wrongKeys(6), silent()]],
    [
      'a request without a response may have counted',
      [...falling([2, 1]), { operation: 'getPet', failure: noAnswer }, silent()],
    ],
    [
      'other operations used up the rest',
      [{ remaining: 59 }, ...downTo(0, { operation: 'createPet', status: 201 }).slice(1), refused()],
    ],
    [
      'each operation has its own count',
      [{ remaining: 2 }, { operation: 'getPet', remaining: 40 }, refused()],
    ],
    [
      'a request takes more than is left',
      [
        ...falling([9, 6, 3]).map((each, index) => ({ ...each, at: index })),
        refused({ remaining: 2, at: 3 }),
      ],
    ],
    [
      'a request may take more than is left, as others use the key',
      [...falling([9, 6, 3]), refused({ remaining: 2 })],
      { sharedKey: true },
    ],
  ])('%s', (_what, answers, run) => {
    expect(judgeEarly(shown(answers, run))).toMatchObject({ status: 'met', exercised: true });
  });
});

test('a 429 comes in time although messages have a count of their own', () => {
  const answers: Answer[] = [...downTo(0), { operation: 'sendMessage', remaining: 9 }, refused()];
  expect(judgeEarly(shown(answers))).toMatchObject({ status: 'met', exercised: true, evidence: [62] });
});

test('a run that does not keep all of its exchanges explains nothing', () => {
  const evidence = shown([...downTo(0), refused()]);
  const judged = evidence.judged.filter((_, index) => index !== 30);
  expect(judgeEarly({ ...evidence, judged })).toMatchObject({ status: 'met', exercised: true });
});

test('a Remaining that is wrong before does not tell how early a 429 comes', () => {
  const risen = [...downTo(40), { remaining: 55 }];
  expect(judgeEarly(shown([...risen, refused({ remaining: 30 })]))).toEqual({
    status: 'not-tested',
    untested: 'contradicted',
    exercised: false,
    reason: expect.stringMatching(/^contradicted: Remaining rose from 40 to 55 with GET \/pets/),
    cause: 'rate-limit.count',
    evidence: [22],
  });
  expect(judgeEarly(shown([...risen, refused()]))).toMatchObject({ status: 'met' });
});

describe('a 429 says nothing about it', () => {
  const otherWindow = 'the window that refused it showed no Remaining before';
  const day = { limit: 1_000, resetIn: 40_000 };

  test.each<[what: string, answers: Answer[], reason: string]>([
    ['nothing came before', [refused()], 'the key was used up before this run'],
    ['nothing before showed Remaining', [{}, refused()], 'the key was used up before this run'],
    [
      'the day is used up, by Retry-After',
      [...downTo(30), refused({ remaining: 29, retryAfter: '40000' })],
      otherWindow,
    ],
    [
      'the headers are those of the day',
      [...falling([999, 998], day), refused({ ...day, remaining: 998 })],
      otherWindow,
    ],
    ['the headers before were those of the day', [...falling([999, 998], day), refused()], otherWindow],
    [
      'and the day is used up later',
      [...falling([1, 0], day), refused(), refused({ ...day, retryAfter: '40000' })],
      otherWindow,
    ],
  ])('%s', (_what, answers, reason) => {
    const { length } = answers.slice(0, 1 + answers.findIndex((each) => each.status === 429));
    const evidence = [length];
    expect(judgeEarly(shown(answers))).toMatchObject({ status: 'met', exercised: false, reason, evidence });
  });

  test.each<[what: string, answers: Answer[]]>([
    ['no 429 came', downTo(40)],
    ['only a wrong key got one', [...downTo(30), { key: 'absent', status: 429 }]],
  ])('%s: not tested', (_what, answers) => {
    expect(judgeEarly(shown(answers))).toMatchObject({ status: 'not-tested', untested: 'no-refusal' });
  });
});

describe('a 429 to a request that was sent twice, as the service closed the connection', () => {
  const twice = refused({ isRepeated: true });

  test('the first time it may have been let through, and have taken the last', () => {
    expect(judgeEarly(shown([...downTo(1), refused()]))).toMatchObject({ status: 'violated' });
    expect(judgeEarly(shown([...downTo(1), twice]))).toMatchObject({ status: 'met' });
  });

  test('it has not taken more than one', () => {
    expect(judgeEarly(shown([...downTo(4), twice]))).toMatchObject({ status: 'violated' });
  });
});
