import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { DEFAULT_OPTIONS } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { brokenPromises } from '../../src/selfcheck/promises.ts';
import {
  changeOf,
  compareWithCatalogue,
  conductChanged,
  nameOf,
  type Subject,
  subjects,
} from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';
import { drawn, isNightly } from '../nightly/sampled.ts';
import { isKeyShared } from '../secrets/shared-key.ts';

const contract = loadContract();
const checks = allChecks(contract);

const musts = new Set(contract.requirements.filter(({ level }) => level === 'must').map(({ id }) => id));

/** Requirements of the limiter and its headers. */
const LIMITER = /^(?:rate-limit\.|X-RateLimit-|Retry-After|TooManyRequests)/;

/** Those whose limiter or its headers differ. */
const limiters = subjects().filter((subject) =>
  'fault' in subject
    ? subject.fault.violates.some((id) => LIMITER.test(id))
    : subject.variant.settings?.limiter !== undefined,
);

/**
 * All at night; else a few limiters, others for each size, as a run takes up to 1,500 requests.
 * @param always what only this size shows, by id
 */
function wanted(size: string, always: readonly string[]): readonly Subject[] {
  if (isNightly) return subjects();
  const shown = subjects().filter((each) => always.includes(changeOf(each).id));
  return [...new Set([...drawn(limiters, 3, nameOf, `promises, ${size}`), ...shown])];
}

describe.each([
  ['pro', { plan: 'pro' }, []],
  ['business', { plan: 'business' }, []],
  // Whether a block is over shows in the second window.
  ['twice the limit', { plan: 'free', budget: 120 }, ['blocked-after-limit']],
] as const)('%s', (size, more, always) => {
  const options = { ...DEFAULT_OPTIONS, ...more };
  const { most } = makePlan(contract, checks, options).cost;

  test.each(wanted(size, always).map((subject) => [changeOf(subject).id, subject] as const))(
    '%s',
    async (id, subject) => {
      const run = await conductChanged(contract, makePlan(contract, checks, options), subject, {
        ...options,
        sharedKey: isKeyShared(id),
      });
      expect(run.log.length).toBeGreaterThan(0);
      expect(brokenPromises(most, run)).toEqual([]);
      if ('fault' in subject) return;
      // A variant conforms, however many requests look at it. A slow one leaves a large limit untested.
      const { violated } = compareWithCatalogue(contract, subject, run);
      expect(violated.filter((id) => musts.has(id))).toEqual([]);
      expect([run.rootCause, run.hints]).toEqual([undefined, []]);
    },
  );
});
