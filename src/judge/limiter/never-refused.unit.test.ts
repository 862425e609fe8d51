import { describe, expect, test } from 'vitest';
import {
  type Answer,
  downTo,
  exhausting,
  falling,
  lowOnce,
  NOON,
  probeOf,
  shown,
  tooManyOrders,
} from '../../../test/limiters/limited-runs.ts';
import type { Evidence } from '../evidence/check.ts';
import { judgeEnforced } from './refusals.ts';

const times = (count: number, answer: Answer): Answer[] => Array.from({ length: count }, () => answer);
/** Answers without any of the headers: what is let through is all that shows. */
const silently = (count: number): Answer[] => times(count, { ...exhausting, limit: undefined, reset: '' });
const noAnswer = { kind: 'reset', phase: 'headers', message: 'connection reset' } as const;
const NEVER_REFUSED = {
  status: 'violated',
  reason: expect.stringMatching(
    /^the \d1st request of the minute got 200; no request was refused, however many were sent$/,
  ),
};

describe('the requests that should use up the limit were not sent', () => {
  const unsent = (change: object) => [{ probe: probeOf(exhausting).id, reason: 'not now', ...change }];
  const low = shown(lowOnce);
  const above = shown(falling([59, 61]));
  test.each<[reason: string, evidence: Evidence, kind: string, cause: string | undefined]>([
    ['nothing shows what counts by a Remaining that is too low', low, 'not-exhaustible', 'rate-limit.count'],
    ['all that was announced is sent', low, 'most-sent', 'rate-limit.count'],
    [
      'nothing shows what counts by a Remaining above the limit',
      above,
      'not-exhaustible',
      'rate-limit.remaining',
    ],
    ['nothing shows what counts by a right Remaining', shown(downTo(40)), 'not-exhaustible', undefined],
    ['the wait is too long', low, 'wait-too-long', undefined],
  ])(
    'as %s: a Remaining that is wrong is to blame only if it decided that',
    (_what, evidence, kind, cause) => {
      const finding = judgeEnforced({ ...evidence, unsent: unsent({ kind }) as Evidence['unsent'] });
      expect(finding).toMatchObject({ status: 'not-tested', untested: kind, reason: 'not now' });
      expect('cause' in finding ? finding.cause : undefined).toBe(cause);
    },
  );

  test('as another request failed: that one is to blame', () => {
    const rejected: Answer = { operation: 'createPet', stage: 'create', status: 404 };
    const evidence = shown([rejected, ...downTo(40)], { unsent: unsent({ cause: probeOf(rejected).id }) });
    expect(judgeEnforced(evidence)).toMatchObject({ status: 'not-tested', cause: 'createPet.201' });
  });

  test('and no limit is known', () => {
    expect(judgeEnforced(shown(downTo(40), { plan: '', limits: {} }))).toMatchObject({
      status: 'not-tested',
      reason: 'this run did not use up the limit',
    });
  });
});

describe('no request was refused', () => {
  test('messages and requests without a response are not among those that were accepted', () => {
    const others: Answer[] = [
      { operation: 'sendMessage', status: 201, limit: undefined, reset: '' },
      { operation: 'getPet', failure: noAnswer },
    ];
    expect(judgeEnforced(shown([...others, ...silently(61)]))).toMatchObject({
      ...NEVER_REFUSED,
      received: '61 requests accepted',
    });
  });

  test('the limit is that of the headers, if no plan is known', () => {
    const { limits: _, ...evidence } = shown(times(80, { ...exhausting, limit: 70 }), { plan: '' });
    expect(judgeEnforced(evidence)).toMatchObject({
      ...NEVER_REFUSED,
      expected: 'status 429 after 70 requests in a minute',
    });
  });

  test.each<[what: string, count: number, finding: object]>([
    [
      'as many as the limit',
      60,
      {
        status: 'not-tested',
        untested: 'blocked',
        reason: 'Remaining says that the limit is used up, and it is not',
        cause: 'rate-limit.remaining',
        evidence: [60, 59, 58],
      },
    ],
    ['one more', 61, NEVER_REFUSED],
  ])('a Remaining that is wrong excuses %s', (_what, count, finding) => {
    const answers = times(count, { ...exhausting, remaining: 61 });
    expect(judgeEnforced(shown(answers))).toMatchObject(finding);
  });

  test('where all of the limit is left after each of many requests, it may cover only others', () => {
    expect(judgeEnforced(shown(times(61, { ...exhausting, remaining: 60 })))).toMatchObject({
      status: 'not-tested',
      untested: 'no-refusal',
      reason: 'all of the limit is left after each request at the base address: it may cover only others',
    });
  });

  test('where no limit is known, a 429 is due in the end', () => {
    expect(judgeEnforced(shown(silently(61), { plan: '', limits: {} }))).toMatchObject({
      status: 'violated',
      expected: 'status 429 in the end',
      received: '61 requests accepted',
    });
  });

  test('what others use as well cannot be told from requests that do not count', () => {
    const answers = times(61, { ...exhausting, remaining: 50 });
    expect(judgeEnforced(shown(answers, { sharedKey: true }))).toMatchObject({
      status: 'not-tested',
      untested: 'shared-key',
      reason:
        'no request was refused; as other users of the key use it up, Remaining does not tell which requests count',
      evidence: [61, 60, 59],
    });
  });

  test('and no more than the limit were let through', () => {
    const answers = times(60, { ...exhausting, remaining: 57 });
    expect(judgeEnforced(shown(answers))).toMatchObject({
      status: 'not-tested',
      untested: 'no-refusal',
      reason: 'no more requests were let through than the limit allows',
      evidence: [60, 59, 58],
    });
    expect(judgeEnforced(shown([...answers, ...answers.slice(0, 1)]))).toMatchObject(NEVER_REFUSED);
  });

  test('a single response does not tell that its request took the last', () => {
    expect(judgeEnforced(shown([{ ...exhausting, remaining: 5 }]))).toMatchObject({
      untested: 'no-refusal',
      reason: 'no more requests were let through than the limit allows',
    });
  });

  test('what is left is what the last response says that has a Remaining', () => {
    const answers = [...downTo(18, exhausting), exhausting];
    expect(judgeEnforced(shown(answers))).toMatchObject({
      untested: 'no-refusal',
      reason: 'the limit was not used up: 18 requests remain',
    });
  });

  test('how many are left is not known if the count of one of two addresses is only presumed to be explained', () => {
    const message: Answer = { operation: 'sendMessage', status: 202, remaining: 59, reset: NOON + 60 };
    const answers = [message, ...tooManyOrders.map((each) => ({ ...each, ...exhausting }))];
    expect(judgeEnforced(shown(answers))).toMatchObject({ status: 'not-tested', untested: 'shared-key' });
  });

  test('a varied request that is rejected says nothing of the limit', () => {
    const varied = { ...exhausting, status: 400, variation: 'unknown-parameter' } as const;
    expect(judgeEnforced(shown([varied, ...silently(61)]))).toMatchObject(NEVER_REFUSED);
  });

  test('a varied request without a response may be the one that was refused', () => {
    const varied = { ...exhausting, failure: noAnswer, variation: 'unknown-parameter' } as const;
    expect(judgeEnforced(shown([varied, ...silently(61)]))).toMatchObject({
      status: 'not-tested',
      untested: 'blocked',
      evidence: [1],
    });
  });
});

describe('none is left, and the last ones were let through', () => {
  /** A bucket of 60 that gets one a second: two requests a second, and at the end one in `pause` seconds. */
  function bucket(pause: number): Answer[] {
    let left = 60;
    let at = 0;
    return Array.from({ length: 126 }, (_, index) => {
      const since = index < 120 ? 0.5 : pause;
      at += since;
      left = Math.min(60, left + since) - 1;
      return { ...exhausting, at, remaining: Math.max(0, Math.floor(left)), reset: '' };
    });
  }

  test('as one comes back each second', () => {
    expect(judgeEnforced(shown(bucket(1)))).toMatchObject({
      status: 'not-tested',
      untested: 'no-refusal',
      reason: 'requests came back as fast as they were sent; --concurrency sends them faster',
      evidence: [126, 125, 124],
    });
  });

  test('faster than they come back', () => {
    expect(judgeEnforced(shown(bucket(0.25)))).toMatchObject({ status: 'violated' });
  });
});

describe('those that should use up the limit take none off', () => {
  const unchanged = falling(Array(61).fill(57), exhausting);

  test.each<[what: string, change: Answer]>([
    ['messages, which another address counts', { operation: 'sendMessage', status: 201 }],
    ['requests with a wrong key', { key: 'absent', status: 401 }],
  ])('%s do not show that others do', (_what, change) => {
    const answers = [...falling([59, 58, 57], change), ...unchanged];
    expect(judgeEnforced(shown(answers)).status).toBe('violated');
  });

  test('one that does takes one off, which comes back', () => {
    const added = falling([59, 58, 57], { operation: 'createPet', stage: 'create', status: 201 });
    const other: Answer = { ...exhausting, operation: 'getPet', remaining: 56, at: 0.5 };
    const later: Answer = { ...exhausting, remaining: 57, at: 1.5 };
    const answers = [...added, ...unchanged, other, later].map((each) => ({ ...each, reset: '' }));
    expect(judgeEnforced(shown(answers))).toMatchObject({
      untested: 'no-refusal',
      reason: 'the limit was not used up: 57 requests remain',
    });
  });

  test('as many are left as the last one says', () => {
    const added = falling([59, 58, 57], { operation: 'createPet', stage: 'create', status: 201 });
    const later = { ...exhausting, remaining: 58, at: 1.5 };
    const answers = [...added, ...unchanged, later].map((each) => ({ ...each, reset: '' }));
    expect(judgeEnforced(shown(answers))).toMatchObject({
      untested: 'no-refusal',
      reason: 'the limit was not used up: 58 requests remain',
    });
  });
});
