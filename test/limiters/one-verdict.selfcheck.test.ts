import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { limiterFaults } from '../../src/reference/faults/limiter/limiter.ts';
import { DEFAULT_OPTIONS, ofBundled } from '../../src/run/options.ts';
import { makePlan, type RunPlan } from '../../src/run/plan.ts';
import { compareWithCatalogue, conductChanged } from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';
import { isNightly } from '../nightly/sampled.ts';

const contract = loadContract();
const checks = allChecks(contract);

const SEEDS = [1, 2, 3, 4, 5];
const AT_A_TIME = [1, 2, 4];

/** Faults that several requirements could report: by day, they are tried with each seed once. */
const TOLD_APART = [
  'retry-after-half',
  'never-reopens',
  'late-limit-plus-one',
  'late-refund',
  'given-back-additions',
  'refused-503-front',
];

/** Only shown by as many requests at a time as the catalogue says. */
const NOT_ALONE = ['remaining-is-limit-less-one'];

const chosen = limiterFaults.filter(({ id, budget }) =>
  isNightly ? budget === undefined && !NOT_ALONE.includes(id) : TOLD_APART.includes(id),
);

const plans = new Map<string, RunPlan>();

test.each(chosen.map((fault) => [fault.id, fault] as const))(
  '%s has one verdict and one requirement, whatever the seed and however many requests go at a time',
  async (_, fault) => {
    for (const [index, seed] of SEEDS.entries())
      for (const concurrency of isNightly ? AT_A_TIME : [AT_A_TIME[index % AT_A_TIME.length] ?? 1]) {
        const options = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, seed, concurrency });
        const key = `${seed} ${concurrency}`;
        const plan = plans.get(key) ?? makePlan(contract, checks, options);
        plans.set(key, plan);
        const run = await conductChanged(contract, plan, { fault }, options);
        const { violated, problems } = compareWithCatalogue(contract, { fault }, run);
        expect({ key, violated, problems }).toEqual({ key, violated: [fault.violates[0]], problems: [] });
      }
  },
);
