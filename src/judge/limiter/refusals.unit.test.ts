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
import { judgeEnforced, noRefusal } from './refusals.ts';

/** So many answers alike. */
const times = (count: number, answer: Answer): Answer[] => Array.from({ length: count }, () => answer);
const used = downTo(0, exhausting);
const unsentExhaustion = { probe: probeOf(exhausting).id, reason: 'the window is too far away' };

describe('over the limit comes a 429, in outline', () => {
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

describe('no 429 comes, and some requests remain', () => {
  const mostTwice = [...downTo(10, exhausting), ...downTo(10, exhausting)];

  test.each([
    [18, '18 requests remain'],
    [1, '1 request remains'],
  ])('the limit was not used up: %i', (left, words) => {
    expect(judgeEnforced(shown(downTo(left, exhausting)))).toMatchObject({
      status: 'not-tested',
      untested: 'no-refusal',
      reason: `the limit was not used up: ${words}`,
    });
  });

  test('a bucket gave one back, and the last request took it', () => {
    const slowly = [
      ...downTo(0, exhausting),
      { ...exhausting, at: 2, remaining: 0 },
      { ...exhausting, at: 4, remaining: 1 },
    ];
    const answers = [...slowly, { ...exhausting, at: 4.1, remaining: 0 }].map((each) => ({
      ...each,
      reset: '',
    }));
    expect(judgeEnforced(shown(answers))).toMatchObject({
      status: 'not-tested',
      untested: 'no-refusal',
      reason: 'the last request that remained was sent, and none after it',
    });
  });

  test.each<[what: string, before: readonly number[], status: string]>([
    ['took none off, and others did', [59, 58, 57], 'not-tested'],
    ['took none off, and no other did', [57, 57, 57], 'violated'],
    ['went on after the others used it up', Array.from({ length: 60 }, (_, index) => 59 - index), 'violated'],
  ])('those that should use up the limit %s', (_what, before, status) => {
    const answers = [
      ...falling(before, { operation: 'createPet', stage: 'create', status: 201 }),
      ...falling(Array(60).fill(before.at(-1)), exhausting),
    ];
    expect(judgeEnforced(shown(answers)).status).toBe(status);
  });

  test('more than the limit are let through', () => {
    expect(mostTwice.length).toBe(100);
    expect(judgeEnforced(shown(mostTwice)).status).toBe('violated');
  });

  test('nor does an exhaustion that is too long to be kept explain that more are let through', () => {
    const evidence = shown(mostTwice);
    const judged = evidence.judged.filter((_, index) => index !== 45);
    expect(judgeEnforced({ ...evidence, judged }).status).toBe('violated');
  });
});

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
        reason:
          'GET /pets got 200 as the 70th request of the minute; no honest limiter does that, the nearest is a fixed window',
        expected: 'status 429: 0 requests left',
        received: 'status 200 with X-RateLimit-Remaining: 50',
        evidence: [70, 69],
      },
    ],
    [
      'it never does, and the headers say nothing',
      [...times(61, { ...exhausting, limit: undefined, reset: '' })],
      {},
      {
        status: 'violated',
        kind: 'sequence',
        reason: expect.stringContaining('no request was refused, however many were sent'),
        expected: 'status 429 after 60 requests in a minute',
        received: '61 requests accepted',
        evidence: [61, 60, 59],
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
        reason: 'GET /pets got 503 over the limit, in place of 429',
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

  test.each<[what: string, instead: Answer[], finding: object]>([
    ['comes to others as well', [refused({ status: 500 })], { status: 'not-tested', cause: 'listPets.200' }],
    [
      'comes, and another one to others',
      [refused({ status: 503 })],
      { status: 'violated', received: 'status 503' },
    ],
    [
      'comes once, and then the 429',
      [refused({ status: 503 }), refused()],
      { status: 'met', evidence: [62] },
    ],
    ['comes again and again', times(2, refused({ status: 503 })), { status: 'violated', evidence: [61, 62] }],
    [
      'comes again and again, without any header',
      times(2, { ...exhausting, status: 503, limit: undefined, reset: '' }),
      { status: 'violated', evidence: [61, 62] },
    ],
  ])('a 5xx %s', (_what, instead, finding) => {
    const [first, ...others] = used;
    const once = { ...first, stage: 'list', status: 500 } as const;
    expect(judgeEnforced(shown([once, ...others, ...instead]))).toMatchObject(finding);
  });

  test('what was sent without being refused is counted', () => {
    const answers: Answer[] = [
      { remaining: 9 },
      { key: 'absent', status: 401 },
      ...times(60, { ...exhausting, remaining: 9 }),
    ];
    expect(judgeEnforced(shown(answers))).toMatchObject({
      status: 'violated',
      exercised: true,
      reason: expect.stringContaining('no request was refused, however many were sent'),
      expected: 'status 429 after 60 requests in a minute',
      received: '61 requests accepted',
      evidence: [62, 61, 60],
    });
    const untold = { plan: '', limits: {} };
    expect(judgeEnforced(shown(answers, untold))).toMatchObject({
      expected: 'status 429 after 60 requests in a minute',
    });
  });

  test('the limit is that of the stated plan, and a Limit that differs is to blame', () => {
    const stated = { plan: 'custom', limits: { minute: 100 } };
    const accepted = (count: number) => times(count, { ...exhausting, limit: undefined, reset: '' });
    expect(judgeEnforced(shown(accepted(101), stated))).toMatchObject({
      expected: 'status 429 after 100 requests in a minute',
    });
    expect(judgeEnforced(shown(times(5, { ...exhausting, remaining: 9 }), stated))).toMatchObject({
      status: 'not-tested',
      untested: 'blocked',
      cause: 'rate-limit.plan',
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
        kind: 'sequence',
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
    reason:
      'no 429 came: GET /pets got 503 over the limit, in place of 429, without X-RateLimit-Remaining, Retry-After',
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
  expect(noRefusal(shown(downTo(40))).cause).toBeUndefined();
});
