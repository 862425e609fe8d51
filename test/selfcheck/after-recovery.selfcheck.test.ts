import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { DEFAULT_OPTIONS, ofBundled } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { planOfTrial, type Subject, tryChange } from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';
import { sampled } from '../nightly/sampled.ts';

const contract = loadContract();
const frugal = makePlan(
  contract,
  allChecks(contract),
  ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, frugal: true }),
);

const later = faults.filter(({ isAfterRecovery }) => isAfterRecovery);

test.each(sampled(later, 5, ({ id }) => id, 'a frugal run').map((fault) => [fault.id, fault] as const))(
  'the recorded run finds it, and a frugal run does not: %s',
  async (_id, fault) => {
    const { isAfterRecovery: _, ...plain } = fault;
    expect((await tryChange(contract, frugal, { fault: plain })).violated).toEqual([]);
  },
);

/** What the further requests of a run could hide, or show as faults of other requirements. */
const HARD = ['banned-after-429', 'reset-now', 'never-reopens', 'retry-after-half', 'late-by-one'];
const others = faults.filter(({ budget, isAfterRecovery }) => budget === undefined && !isAfterRecovery);
const some = new Set(sampled(others, 4, ({ id }) => id, 'a whole run'));

test.each(
  others
    .filter((each) => HARD.includes(each.id) || some.has(each))
    .map((fault) => [fault.id, fault] as const),
)('a run finds as a frugal one does: %s', async (_id, fault) => {
  const subject: Subject = { fault: { ...fault, isAfterRecovery: true } };
  expect((await tryChange(contract, planOfTrial(contract, subject), subject)).problems).toEqual([]);
});

const whole = makePlan(contract, allChecks(contract), ofBundled(contract.ratePlans, DEFAULT_OPTIONS));

test.each(sampled(variants, 16, ({ id }) => id, 'variants of default runs'))(
  'a run accuses no variant: $id',
  async (variant) => {
    const { violated, problems } = await tryChange(contract, whole, { variant });
    expect([violated, problems]).toEqual([[], []]);
  },
);
