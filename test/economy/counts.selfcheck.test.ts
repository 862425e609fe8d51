import { describe, expect, test } from 'vitest';
import type { LimiterSettings, Plan } from '../../src/reference/index.ts';
import { isNightly } from '../nightly/sampled.ts';
import {
  excess,
  intoClosedWindows,
  type Logged,
  lastWindow,
  loggedRun,
  refilledIn,
  withKey,
} from './logged-run.ts';

/** Interface: Rate limits by plan; and two that somebody agreed upon. */
const PLANS: readonly [name: string, plan: Plan, options: object][] = [
  ['free', { minute: 60, day: 1_000 }, { plan: 'free' }],
  ['pro', { minute: 300, day: 10_000 }, { plan: 'pro' }],
  ['business', { minute: 1_000, day: 100_000 }, { plan: 'business' }],
  ['10 a minute', { minute: 10, day: 1_000 }, { limits: { minute: 10, day: 1_000 } }],
  ['5 a minute', { minute: 5, day: 1_000 }, { limits: { minute: 5, day: 1_000 } }],
];

/** Runs on Pro and Business take long. */
const TRIED = isNightly ? PLANS : PLANS.filter(([, { minute }]) => minute <= 60);

describe.each(TRIED)('%s', (_name, plan, options) => {
  const runOf = (used?: LimiterSettings['used']) =>
    loggedRun({ plan, options, ...(used === undefined ? {} : { limiter: { used } }) });

  test('one request over the limit, and one to see that it recovers, whatever is left of a key', async () => {
    const [unused, nearlyUsed, used] = [await runOf(), await runOf({ left: 5 }), await runOf({ left: 0 })];
    for (const { log, violated, untested } of [unused, nearlyUsed, used]) {
      expect(log.filter(({ status }) => status === 429).length).toBe(1);
      expect(excess(log)).toEqual([]);
      expect([violated, untested]).toEqual([[], {}]);
    }
    for (const { log } of [unused, nearlyUsed])
      expect(lastWindow(withKey(log)).requests.length).toBeLessThanOrEqual(plan.minute + 2);
    // The 429 that it begins with shows the limit: what was refused is sent again; what used up the limit elsewhere is not.
    expect(used.log[0]?.status).toBe(429);
    expect(withKey(used.log).length).toBeLessThan(withKey(unused.log).length);
    // The functional probes are the first part of the exhaustion.
    if (plan.minute === 60) expect(withKey(unused.log).length).toBe(62);
  });
});

/** Ways of counting that refill or roll at their own pace, which is faster the larger the plan. */
const ALGORITHMS: readonly LimiterSettings['algorithm'][] = [
  'fixed-window',
  'first-request-window',
  'sliding-log',
  'sliding-counter',
  'token-bucket',
  'token-bucket-in-lots',
  'gcra',
];

/** Each with one meaning of Reset, and by night with each. */
const COUNTED = ALGORITHMS.flatMap((algorithm, index) => {
  const meanings = ['full', 'next'] as const;
  const tried = isNightly ? meanings : meanings.slice(index % 2).slice(0, 1);
  return tried.map((resetMeans) => ({ algorithm, resetMeans }));
});

describe.each(TRIED.filter(([, { minute }]) => minute >= 60))(
  '%s, whatever is counted how',
  (_name, plan, options) => {
    test.each(COUNTED)('$algorithm, Reset means $resetMeans', async (limiter) => {
      const run = await loggedRun({ plan, options, limiter });
      const { requests, refusedAfter } = lastWindow(withKey(run.log));
      const refilled = refilledIn(refusedAfter, plan.minute, limiter.algorithm);
      expect(requests.length).toBeLessThanOrEqual(plan.minute + 2 + refilled);
      expect(excess(run.log)).toEqual([]);
      expect(intoClosedWindows(run.log)).toBe(0);
      expect([run.violated, run.untested]).toEqual([[], {}]);
    });
  },
);

describe('the measures themselves', () => {
  /** Requests that arrive 10 ms after each other and are answered at once, unless told otherwise. */
  const logOf = (changes: readonly Partial<Logged>[]): Logged[] =>
    changes.map((change, index) => ({
      number: index + 1,
      at: index * 10,
      listener: 'animals',
      connection: 1,
      operation: 'listPets',
      method: 'GET',
      path: `/v1/pets?n=${index}`,
      key: 'valid',
      status: 200,
      body: '',
      isRepeat: false,
      answeredAt: change.at ?? index * 10,
      wait: 0,
      ...change,
    }));
  const refused = { status: 429, wait: 1_000 };

  test('requests into a closed window are counted, those before it closed and after it opened are not', () => {
    expect(intoClosedWindows(logOf([{}, refused, { at: 1_010 }]))).toBe(0);
    expect(intoClosedWindows(logOf([{}, refused, { at: 1_009 }]))).toBe(1);
    expect(intoClosedWindows(logOf([refused, {}, { key: 'invalid' }, { listener: 'messages' }]))).toBe(3);
    expect(intoClosedWindows(logOf([{ ...refused, answeredAt: 15 }, {}, {}]))).toBe(1);
  });

  test('the last window begins after the last wait before the 429, and has no end', () => {
    const { requests, refusedAfter } = lastWindow(
      logOf([{}, { at: 2_000 }, { at: 2_010 }, { ...refused, at: 2_500 }, { at: 9_000 }]),
    );
    expect(requests.map(({ number }) => number)).toEqual([2, 3, 4, 5]);
    expect(refusedAfter).toBe(500);
    expect(lastWindow(logOf([refused, {}])).requests.length).toBe(2);
  });

  test('what is sent again, and more than there may be, is told', () => {
    const again = { path: '/v1/pets/1' };
    const list = { path: '/v1/pets?limit=1' };
    expect(excess(logOf([list, list, list, again]))).toEqual([]);
    expect(excess(logOf([list, list, list, again, { ...again, ...refused }]))).toEqual([]);
    expect(excess(logOf([list, list, list, again, again]))).toEqual(['sent again: GET /v1/pets/1 ']);
    const adding = { method: 'POST', path: '/v1/pets', added: '1' };
    expect(excess(logOf([list, list, list, list, adding, again, again, again]))).toEqual([]);
    expect(excess(logOf([list, list, list, list, list, adding, again, again, again, again]))).toEqual([
      'sent again: GET /v1/pets/1 ',
    ]);
    const many = (count: number, change: Partial<Logged>) =>
      logOf(Array<Partial<Logged>>(count).fill(change));
    const created = Array.from({ length: 17 }, (_, index) => ({ body: `${index}` }));
    expect(excess(many(13, { key: 'invalid' }))).toEqual(['13 requests with wrong keys, at most 12']);
    expect(excess(many(7, { key: 'invalid', listener: 'messages' }))).toEqual(['7 messages, at most 6']);
    expect(
      excess(
        logOf(created.map((each) => ({ ...each, method: 'POST', operation: 'createPet', status: 201 }))),
      ),
    ).toEqual(['17 animals, at most 16']);
  });
});
