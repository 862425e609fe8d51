import { describe, expect, test } from 'vitest';
import type { LimiterSettings, Plan } from '../../src/reference/index.ts';
import { limiterVariants } from '../../src/reference/variants/limiters.ts';
import { type Logged, type LoggedRun, loggedRun, repeated, withKey } from './logged-run.ts';

/** Interface: Rate limits by plan; and two that somebody agreed upon. */
const PLANS: readonly [name: string, plan: Plan, options: object][] = [
  ['free', { minute: 60, day: 1_000 }, { plan: 'free' }],
  ['pro', { minute: 300, day: 10_000 }, { plan: 'pro' }],
  ['business', { minute: 1_000, day: 100_000 }, { plan: 'business' }],
  ['10 a minute', { minute: 10, day: 1_000 }, { limits: { minute: 10, day: 1_000 } }],
  ['5 a minute', { minute: 5, day: 1_000 }, { limits: { minute: 5, day: 1_000 } }],
];

/** Whoever waits for a window waits longer than this (ms); requests one after the other take 5 each. */
const PAUSE = 1_000;

/** What the issue allows whatever the plan: nothing is sent twice, and nothing beyond these. */
function expectFrugal({ log }: LoggedRun): void {
  expect(repeated(log)).toEqual([]);
  const wrongKeys = log.filter(({ listener, key }) => listener === 'animals' && key !== 'valid');
  expect(wrongKeys.length).toBeLessThanOrEqual(12);
  expect(log.filter(({ listener }) => listener === 'messages').length).toBeLessThanOrEqual(6);
  const added = log.filter(({ operation, status }) => operation === 'createPet' && status === 201);
  expect(added.length).toBeLessThanOrEqual(16);
}

/** The requests of the window that was used up and of what came after it: from the last wait before the 429 on. */
function lastWindow(sent: readonly Logged[]): { requests: readonly Logged[]; refusedAfter: number } {
  const refused = sent.findIndex(({ status }) => status === 429);
  const from = sent.findLastIndex(
    ({ at }, index) => index > 0 && index <= refused && at - (sent[index - 1]?.at ?? at) >= PAUSE,
  );
  const requests = sent.slice(Math.max(0, from));
  return { requests, refusedAfter: (sent[refused]?.at ?? 0) - (requests[0]?.at ?? 0) };
}

describe.each(PLANS)('%s', (_name, plan, options) => {
  test.each<[used: string, limiter: Partial<LimiterSettings>]>([
    ['unused', {}],
    ['with 5 left', { used: { left: 5 } }],
  ])('a key %s: one request over the limit, and one to see that it recovers', async (_used, limiter) => {
    const run = await loggedRun({ plan, limiter, options });
    const { requests } = lastWindow(withKey(run.log));
    expect(requests.length).toBeLessThanOrEqual(plan.minute + 2);
    expect(run.log.filter(({ status }) => status === 429).length).toBe(1);
    expectFrugal(run);
    expect([run.violated, run.untested]).toEqual([[], {}]);
  });

  test('a key with none left: the 429 that it begins with is the one that shows the limit', async () => {
    const unused = withKey((await loggedRun({ plan, options })).log);
    const run = await loggedRun({ plan, options, limiter: { used: { left: 0 } } });
    expect(run.log.filter(({ status }) => status === 429).length).toBe(1);
    expect(run.log[0]?.status).toBe(429);
    // What was refused is sent again; what used up the limit elsewhere is not.
    expect(withKey(run.log).length).toBeLessThan(unused.length);
    expectFrugal(run);
    expect([run.violated, run.untested]).toEqual([[], {}]);
  });
});

test('the functional probes are the first part of the exhaustion: an unused key on Free takes 62', async () => {
  const run = await loggedRun({ plan: { minute: 60, day: 1_000 }, options: { plan: 'free' } });
  expect(withKey(run.log).length).toBe(62);
});

describe('on Free, whatever the limiter', () => {
  const plan = { minute: 60, day: 1_000 };

  /** Whether the limiter counts a request that is answered so, together with those that were refused in the end. */
  function counts(
    settings: Partial<LimiterSettings>,
    refused: Logged | undefined,
  ): (each: Logged) => boolean {
    const { covers = 'all', scope, counts4xx = true } = settings;
    return ({ operation, status }) =>
      (covers === 'all' || (operation !== undefined && covers.includes(operation))) &&
      (scope !== 'key-and-operation' || operation === refused?.operation) &&
      (counts4xx || status === undefined || status < 400 || status === 429);
  }

  test.each(limiterVariants.map((variant) => [variant.id, variant] as const))('%s', async (_id, variant) => {
    for (const concurrency of [1, 4, 16]) {
      const run = await loggedRun({ plan, deviations: [variant], options: { plan: 'free', concurrency } });
      const sent = withKey(run.log);
      const settings = variant.settings?.limiter ?? {};
      const counted = counts(
        settings,
        sent.find(({ status }) => status === 429),
      );
      const { requests, refusedAfter } = lastWindow(sent.filter(counted));
      const isRefilled = ['token-bucket', 'gcra'].includes(settings.algorithm ?? '');
      const refilled = isRefilled ? Math.floor((plan.minute * refusedAfter) / 60_000) : 0;
      expect(requests.length).toBeLessThanOrEqual(plan.minute + 2 + refilled);
      expectFrugal(run);
      expect(run.violated).toEqual([]);
      expect(Object.keys(run.untested).sort()).toEqual([...(variant.untested ?? [])].sort());
    }
  });
});
