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

describe.each(PLANS)('%s', (_name, plan, options) => {
  test.each<[used: string, limiter: Partial<LimiterSettings>]>([
    ['unused', {}],
    ['with 5 left', { used: { left: 5 } }],
  ])('a key %s: one request over the limit, and one to see that it recovers', async (_used, limiter) => {
    const run = await loggedRun({ plan, limiter, options });
    const { requests } = lastWindow(withKey(run.log));
    expect(requests.length).toBeLessThanOrEqual(plan.minute + 2);
    expect(run.log.filter(({ status }) => status === 429).length).toBe(1);
    expect(excess(run.log)).toEqual([]);
    expect([run.violated, run.untested]).toEqual([[], {}]);
  });

  test('a key with none left: the 429 that it begins with is the one that shows the limit', async () => {
    const unused = withKey((await loggedRun({ plan, options })).log);
    const run = await loggedRun({ plan, options, limiter: { used: { left: 0 } } });
    expect(run.log.filter(({ status }) => status === 429).length).toBe(1);
    expect(run.log[0]?.status).toBe(429);
    // What was refused is sent again; what used up the limit elsewhere is not.
    expect(withKey(run.log).length).toBeLessThan(unused.length);
    expect(excess(run.log)).toEqual([]);
    expect([run.violated, run.untested]).toEqual([[], {}]);
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

/** Runs on Pro and Business take long. */
const TRIED_PLANS = PLANS.slice(0, isNightly ? 3 : 1);

describe.each(TRIED_PLANS)('%s, whatever is counted how', (_name, plan, options) => {
  test.each(ALGORITHMS)('%s', async (algorithm) => {
    for (const resetMeans of ['full', 'next'] as const) {
      const run = await loggedRun({ plan, options, limiter: { algorithm, resetMeans } });
      const { requests, refusedAfter } = lastWindow(withKey(run.log));
      const refilled = refilledIn(refusedAfter, plan.minute, algorithm);
      expect(requests.length).toBeLessThanOrEqual(plan.minute + 2 + refilled);
      expect(excess(run.log)).toEqual([]);
      expect(intoClosedWindows(run.log)).toBe(0);
      expect([run.violated, run.untested]).toEqual([[], {}]);
    }
  });
});

test('the functional probes are the first part of the exhaustion: an unused key on Free takes 62', async () => {
  const run = await loggedRun({ plan: { minute: 60, day: 1_000 }, options: { plan: 'free' } });
  expect(withKey(run.log).length).toBe(62);
});

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
