import { describe, expect, test } from 'vitest';
import type { LimiterSettings, Plan } from '../../src/reference/index.ts';
import { excess, lastWindow, loggedRun, withKey } from './logged-run.ts';

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

test('the functional probes are the first part of the exhaustion: an unused key on Free takes 62', async () => {
  const run = await loggedRun({ plan: { minute: 60, day: 1_000 }, options: { plan: 'free' } });
  expect(withKey(run.log).length).toBe(62);
});
