import { describe, expect, test } from 'vitest';
import {
  type Answer,
  downTo,
  exhausting,
  NOON,
  type Run,
  refused,
  shown,
} from '../../../test/limited-runs.ts';
import { judgeEnforced } from './refusals.ts';

/** So many answers alike. */
const times = (count: number, answer: Answer): Answer[] => Array.from({ length: count }, () => answer);

describe('no more are let through than the limit, its refill and a few', () => {
  const reset = NOON + 60;
  const let60 = (change: Answer = {}) => times(60, { ...exhausting, remaining: 50, reset, ...change });
  const end = refused({ reset });

  test.each<[what: string, answers: Answer[], status: string]>([
    ['64 in a second', times(64, { ...exhausting, remaining: 50, reset }), 'met'],
    ['65 in a second', times(65, { ...exhausting, remaining: 50, reset }), 'violated'],
    [
      '120 in a minute',
      Array.from({ length: 120 }, (_, index) => ({ ...exhausting, remaining: 50, reset, at: index / 2 })),
      'met',
    ],
    ['60, and 60 to another operation', [...let60(), ...let60({ operation: 'getPet' })], 'met'],
    ['60, and 60 by the day’s headers', [...let60(), ...let60({ limit: 1_000 })], 'met'],
    ['60, and 60 before the window', [...let60({ reset: reset - 30 }), ...let60()], 'met'],
    ['60, and 60 just before', [...let60({ reset: reset - 29 }), ...let60()], 'violated'],
    ['60, and 60 without Reset', [...let60({ reset: 'soon' }), ...let60()], 'met'],
  ])('%s', (_what, answers, status) => {
    const last = { ...end, at: Math.max(...answers.map(({ at }, index) => at ?? (index + 1) / 100)) + 0.01 };
    expect(judgeEnforced(shown([...answers, last])).status).toBe(status);
  });

  test.each<[what: string, answers: Answer[], run: Run]>([
    ['after the refusal', [...let60(), end, ...let60()], {}],
    ['of others as well', [...let60(), ...let60(), end], { sharedKey: true }],
    [
      'of a day, as the figures say',
      [...let60(), ...let60(), end],
      { plan: 'custom', limits: { minute: 10, day: 60 } },
    ],
    [
      'without Limit',
      [...let60({ limit: undefined }), ...let60({ limit: undefined }), { ...end, limit: undefined }],
      {},
    ],
  ])('%s: that says nothing', (_what, answers, run) => {
    expect(judgeEnforced(shown(answers, run)).status).toBe('met');
  });

  test('says how many', () => {
    expect(judgeEnforced(shown([...let60(), ...let60(), end]))).toMatchObject({
      status: 'violated',
      exercised: true,
      reason: 'more requests were let through than the limit',
      expected: 'status 429 after 60 requests',
      received: '120 requests let through',
      evidence: [121],
    });
  });
});

describe('not one more than the limit, where the headers leave no other reading', () => {
  const used = downTo(0, exhausting);
  const more = { ...exhausting, remaining: 0 };
  const judged = (answers: readonly Answer[], run: Run = {}) => judgeEnforced(shown(answers, run));

  test('one more is let through', () => {
    expect(judged([...used, more, refused()])).toMatchObject({
      status: 'violated',
      exercised: true,
      reason: 'more requests were let through than the limit',
      expected: 'status 429 after 60 requests',
      received: '61 requests let through',
      evidence: [62, 61],
    });
  });

  test.each<[what: string, answers: Answer[]]>([
    [
      'some of the requests were under way together',
      [...used.map((each, index) => (index < 4 ? { ...each, inFlight: index + 1 } : each)), more, refused()],
    ],
    [
      'other operations count as well',
      [...used.map((each, index) => (index < 9 ? { ...each, operation: 'getPet' } : each)), more, refused()],
    ],
    ['Retry-After is rounded up where Reset is not', [...used, more, refused({ retryAfter: '31' })]],
  ])('%s', (_what, answers) => {
    expect(judged(answers).status).toBe('violated');
  });

  const earlier = { ...exhausting, reset: NOON + 1, remaining: 7 };
  test.each<[reading: string, answers: Answer[], run?: Run]>([
    ['as many as the limit', [...used, refused()]],
    [
      'more is refilled little by little, and Retry-After says so',
      [...used, more, refused({ retryAfter: '1' })],
    ],
    ['what Reset and Retry-After mean is not the same', [...used, more, refused({ retryAfter: '20' })]],
    [
      'Reset moves with what is refilled',
      [...used, { ...more, resetIn: 31 }, refused({ resetIn: 31, retryAfter: '31' })],
    ],
    ['some of the limit was spent before', [...used.slice(1), more, refused()]],
    ['spent before, and refilled', [...used.slice(1), more, more, refused()]],
    [
      'the window is another one than at the start',
      [...times(3, earlier), ...used.slice(3), more, more, refused()],
    ],
    ['the last two were under way together', [...used, { ...more, inFlight: 2 }, refused()]],
    ['a message has its own count', [...used, { remaining: 0, operation: 'sendMessage' }, refused()]],
    [
      'an answer to another operation, which may not count',
      [...used, { remaining: 0, operation: 'getPet' }, refused()],
    ],
    ['an answer that may be free', [...used, { remaining: 0, status: 404, operation: 'getPet' }, refused()]],
    ['others use the key', [...used, more, refused()], { sharedKey: true }],
    ['no Retry-After', [...used, more, refused({ retryAfter: 'later' })]],
    [
      'no Reset',
      [
        ...used.map((each) => ({ ...each, reset: 'soon' })),
        { ...more, reset: 'soon' },
        refused({ reset: 'soon' }),
      ],
    ],
    [
      'the headers are the day’s',
      [...downTo(0, { ...exhausting, limit: 60 }), more, refused()],
      { plan: 'custom', limits: { minute: 10, day: 60 } },
    ],
  ])('%s: nothing is certain', (_reading, answers, run) => {
    expect(judged(answers, run).status).toBe('met');
  });
});
