import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import type { Fault } from '../../src/reference/faults/fault.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { ofBundled } from '../../src/run/options.ts';
import { sharedPlans } from '../../src/run/plan.ts';
import { compareWithCatalogue, conductChanged, optionsOfTrial } from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';

const contract = loadContract();
const checks = allChecks(contract);
const planFor = sharedPlans();

/** What is found of a fault with bursts of at most so many requests. */
async function foundOf(fault: Fault, concurrency: number): Promise<readonly string[]> {
  const options = ofBundled(contract.ratePlans, { ...optionsOfTrial({ fault }), concurrency });
  const run = await conductChanged(contract, planFor(contract, checks, options), { fault }, options);
  return compareWithCatalogue(contract, { fault }, run).violated;
}

const races = faults.filter(({ isRace }) => isRace).map((fault) => [fault.id, fault] as const);

// The recorded runs have bursts of four.
test.each(races)('%s is found by bursts of two, and not one at a time', async (_, fault) => {
  expect(await foundOf(fault, 1)).toEqual([]);
  const found = await foundOf(fault, 2);
  expect(found.filter((id) => !fault.violates.includes(id))).toEqual([]);
  expect(found).not.toEqual([]);
});
