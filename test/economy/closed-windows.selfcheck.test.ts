import { describe, expect, test } from 'vitest';
import { limiterFaults } from '../../src/reference/faults/limiter.ts';
import { limiterVariants } from '../../src/reference/variants/limiters.ts';
import { intoClosedWindows, loggedRun } from './logged-run.ts';

const plan = { minute: 60, day: 1_000 };
const CONCURRENCIES = [1, 4, 16];

/** What nothing foretells: others use the key. As many as are under way may then arrive after the 429. */
const UNFORESEEN = ['shared-key-by-request', 'shared-key-by-second'];

describe('nothing is sent with a key after its 429 and before Retry-After has passed', () => {
  test.each(limiterVariants.map((variant) => [variant.id, variant] as const))('%s', async (id, variant) => {
    for (const concurrency of CONCURRENCIES) {
      const { log } = await loggedRun({
        plan,
        deviations: [variant],
        options: { plan: 'free', concurrency },
      });
      const most = UNFORESEEN.includes(id) ? concurrency - 1 : 0;
      expect([concurrency, intoClosedWindows(log) <= most]).toEqual([concurrency, true]);
    }
  });
});

/** Headers that say what is not so: the plan is stated, and our own count foresees the 429. */
const LIARS = limiterFaults.filter(({ violates: [id] }) =>
  /^rate-limit\.(falls|remaining|reset|constant|plan)$|^X-RateLimit-/.test(id),
);

describe('nor where the headers lie, are malformed or absent: the plan tells', () => {
  test.each(LIARS.map((fault) => [fault.id, fault] as const))('%s', async (_id, fault) => {
    const { log } = await loggedRun({
      plan,
      deviations: [fault],
      options: { plan: 'free', concurrency: 16 },
      ...(fault.start === undefined ? {} : { start: Date.parse(fault.start) }),
    });
    expect(intoClosedWindows(log)).toBe(0);
  });
});
