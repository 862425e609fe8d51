import { describe, expect, test } from 'vitest';
import { limiterFaults } from '../../src/reference/faults/index.ts';
import type { LimiterSettings } from '../../src/reference/index.ts';
import { limiterVariants } from '../../src/reference/variants/index.ts';
import { isNightly, sampled } from '../nightly/sampled.ts';
import {
  excess,
  intoClosedWindows,
  type Logged,
  lastWindow,
  loggedRun,
  refilledIn,
  withKey,
} from './logged-run.ts';

const plan = { minute: 60, day: 1_000 };

/** What nothing foretells: others use the key. As many as are under way may then arrive after the 429. */
const UNFORESEEN = ['shared-key-by-request', 'shared-key-by-second'];

/** What a request counts together with, if each path counts by itself. */
const pathOf = (each?: Logged) => (each?.operation === 'createPet' ? 'listPets' : each?.operation);

/** Whether the limiter counts such a request together with the one that it refused in the end. */
function counts(settings: Partial<LimiterSettings>, refused: Logged | undefined): (each: Logged) => boolean {
  const { covers = 'all', scope, apart = [], counts4xx = true, givenBack } = settings;
  const isApart = (each?: Logged) => each?.operation !== undefined && apart.includes(each.operation);
  return (each) =>
    (covers === 'all' || (each.operation !== undefined && covers.includes(each.operation))) &&
    (scope !== 'key-and-operation' || each.operation === refused?.operation) &&
    (scope !== 'key-and-path' || pathOf(each) === pathOf(refused)) &&
    (scope !== 'key-and-method' || each.method === refused?.method) &&
    isApart(each) === isApart(refused) &&
    ((counts4xx && givenBack !== '4xx') ||
      each.status === undefined ||
      each.status < 400 ||
      each.status === 429);
}

/** Requests but for those that a cache answers: these are sent until Remaining shows that they do not count. */
function withoutCached(log: readonly Logged[], { freeRepeats = [] }: Partial<LimiterSettings>): Logged[] {
  return log.filter(
    ({ operation, isRepeat }) => !isRepeat || operation === undefined || !freeRepeats.includes(operation),
  );
}

/** Their Remaining may be old, so that a read is sent again to see it fall; and then another one is repeated. */
const OLD = ['remaining-frozen', 'remaining-frozen-slow'];

/** With a larger limit in mid-run, a run sends what it announced. */
const UPGRADED = 'upgraded';
const MOST = 131 + 15;

/** The matrix tries other sizes. */
const AT_ONCE = isNightly ? [1, 4, 16] : [16];

const variantsAt = (concurrency: number) =>
  sampled(limiterVariants, 14, ({ id }) => id, `requests to limiters, ${concurrency} at once`);

describe.each(AT_ONCE)('%i at once', (concurrency) => {
  test.each(variantsAt(concurrency).map((variant) => [variant.id, variant] as const))(
    '%s: one request over the limit and one after, none into a closed window',
    async (id, variant) => {
      const run = await loggedRun({ plan, changes: [variant], options: { plan: 'free', concurrency } });
      const settings = variant.settings?.limiter ?? {};
      const log = withoutCached(run.log, settings);
      // What is in front of a limiter rejects before it counts.
      const sent = withKey(log).filter(({ status }) => status !== 403);
      const counted = sent.filter(
        counts(
          settings,
          sent.find(({ status }) => status === 429),
        ),
      );
      const { requests, refusedAfter } = lastWindow(counted);
      const refilled = refilledIn(refusedAfter, plan.minute, settings.algorithm);
      const allowed = plan.minute + (settings.leeway ?? 0) + 2 + refilled;
      expect(requests.length).toBeLessThanOrEqual(id === UPGRADED ? MOST : allowed);
      if (!OLD.includes(id)) expect(excess(log)).toEqual([]);
      expect(intoClosedWindows(run.log)).toBeLessThanOrEqual(UNFORESEEN.includes(id) ? concurrency - 1 : 0);
      expect(run.violated).toEqual([]);
      expect(Object.keys(run.untested).sort()).toEqual([...(variant.untested ?? [])].sort());
    },
  );
});

/** Headers that say what is not so: the plan is stated, and our own count foresees the 429. */
const LIARS = limiterFaults.filter(({ violates: [id] }) =>
  /^rate-limit\.(falls|remaining|reset|constant|plan)$|^X-RateLimit-/.test(id),
);

/** It says at any time that nothing remains: the run waits for the next window, and has too few requests left for a 429. */
const SAYS_USED_UP = 'remaining-random';

/** A few: what no honest limiter explains takes long to prove. */
const TRIED = sampled(LIARS, 2, ({ id }) => id, 'requests to limiters whose headers are wrong');

test.each(TRIED.map((fault) => [fault.id, fault] as const))(
  '%s: the headers are wrong, the plan tells when to go one at a time',
  async (_id, fault) => {
    const { log } = await loggedRun({
      plan,
      changes: [fault],
      options: { plan: 'free', concurrency: 16 },
      ...(fault.start === undefined ? {} : { start: Date.parse(fault.start) }),
    });
    expect(log.some(({ status }) => status === 429)).toBe(fault.id !== SAYS_USED_UP);
    expect(intoClosedWindows(log)).toBe(0);
  },
);
