import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { limiterFaults } from '../../src/reference/faults/limiter/limiter.ts';
import { limiterVariants } from '../../src/reference/variants/limiter/limiter.ts';
import { DEFAULT_OPTIONS, ofBundled } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { compareWithCatalogue, conductChanged } from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';
import { sampled } from '../nightly/sampled.ts';
import { isKeyShared } from '../secrets/shared-key.ts';

const contract = loadContract();
const checks = allChecks(contract);

/** Faults that say nothing wrong on these plans, or that cannot be shown there. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  'late-by-one-sliding-log pro': 'a sliding counter gives back one request of 300 within a second',
  'late-by-one-sliding-log business': 'a sliding counter gives back one request of 1,000 within a second',
  'remaining-starts-one-less pro': 'it takes 300 ms for each response: no minute has 300 of them',
  'remaining-starts-one-less business': 'it takes 300 ms for each response: no minute has 1,000 of them',
  'remaining-is-limit-less-one business, 1 at a time': 'no minute has 1,000 responses of 100 ms',
  'remaining-above-401 business': 'the Remaining that it tells is that of a whole window there',
  'retry-after-tens business, 1 at a time': 'Retry-After is 40 s there',
  'retry-after-tens business, 16 at a time': 'Retry-After is 40 s there',
  'sliding-segments-reset-full business, 1 at a time': 'no minute has 1,000 responses of 150 ms',
  'sliding-segments-reset-next business, 1 at a time': 'no minute has 1,000 responses of 150 ms',
  'reset-next-whole-sliding-counter pro, 1 at a time': 'no minute has 300 responses of 300 ms',
  'reset-full-whole-sliding-counter pro, 1 at a time': 'no minute has 300 responses of 250 ms',
  'reset-full-minute-whole-sliding-counter pro, 1 at a time': 'no minute has 300 responses of 300 ms',
  'reset-next-whole-sliding-counter business, 1 at a time': 'no minute has 1,000 responses of 300 ms',
  'reset-full-whole-sliding-counter business, 1 at a time': 'no minute has 1,000 responses of 250 ms',
  'reset-full-minute-whole-sliding-counter business, 1 at a time': 'no minute has 1,000 responses of 300 ms',
  'upgraded business': 'there is no larger plan',
};

/** Which requirement is violated in place of the one of the catalogue. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'remaining-is-limit-less-one free, 1 at a time': 'rate-limit.early',
  // A bucket of 300 refills as fast as these requests come, so that it is the refusal that no honest limiter explains.
  'remaining-is-limit-less-one pro, 1 at a time': 'rate-limit.early',
  // In the five seconds of a run it falls once, which is less than it has to.
  'remaining-of-another-key business': 'rate-limit.count',
  // A sliding counter of 300 explains one request too many, but not the lot of 50 that comes after it.
  'late-by-one-token-bucket-in-lots pro, 1 at a time': 'rate-limit.count',
};

/** What only such a run shows is tried each time. */
const ALWAYS = [
  'reopened-half free, 16 at a time',
  'reads-and-writes-sliding-counter-next free, 16 at a time',
  'remaining-by-two free, 1 at a time',
  'reads-and-writes-bucket pro, 16 at a time',
  'remaining-at-least-one pro, 16 at a time',
  'remaining-jumps pro, 16 at a time',
  'remaining-of-response-quick pro, 16 at a time',
];

const RUNS = [
  { plan: 'free', concurrency: 16 },
  { plan: 'pro', concurrency: 1 },
  { plan: 'pro', concurrency: 16 },
  { plan: 'business', concurrency: 1 },
  { plan: 'business', concurrency: 16 },
  { plan: 'free', concurrency: 1 },
];

describe.each(RUNS)('on $plan, $concurrency at a time', ({ plan, concurrency }) => {
  const options = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, plan, concurrency });
  const planned = makePlan(contract, checks, options);
  const at = (id: string) => [`${id} ${plan}`, `${id} ${plan}, ${concurrency} at a time`];
  const known = (id: string, of: Readonly<Record<string, string>>) =>
    at(id)
      .map((each) => of[each])
      .find(Boolean);
  const chosen = <T extends { id: string }>(all: readonly T[]) => {
    const always = all.filter(({ id }) => ALWAYS.some((each) => at(id).includes(each)));
    const shown = all.filter(({ id }) => !known(id, NOT_SHOWN));
    const some = sampled(shown, 2, ({ id }) => id, `limiters on ${plan}, ${concurrency} at a time`);
    return [...new Set([...always, ...some])].map((each) => [each.id, each] as const);
  };

  // What only a budget shows is tried with one by the self-check.
  const shownByRun = limiterFaults.filter(({ budget }) => budget === undefined);

  test.each(chosen(shownByRun))('fault %s is found by what it violates alone', async (id, fault) => {
    const elsewhere = known(id, ELSEWHERE);
    const expected = elsewhere ? { ...fault, violates: [elsewhere] as [string] } : fault;
    const run = await conductChanged(contract, planned, { fault }, options);
    expect(compareWithCatalogue(contract, { fault: expected }, run).problems).toEqual([]);
  });

  test.each(chosen(limiterVariants))('variant %s passes', async (id, variant) => {
    const run = await conductChanged(
      contract,
      planned,
      { variant },
      { ...options, sharedKey: isKeyShared(id) },
    );
    expect(compareWithCatalogue(contract, { variant }, run).problems).toEqual([]);
  });
});
