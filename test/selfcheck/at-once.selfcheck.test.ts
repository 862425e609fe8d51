import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { isProblem } from '../../src/model/finding.ts';
import type { Fault } from '../../src/reference/faults/fault.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { conductBundled } from '../../src/run/bundled.ts';
import { DEFAULT_OPTIONS, ofBundled } from '../../src/run/options.ts';
import { sharedPlans } from '../../src/run/plan.ts';
import { idsWith, startOf } from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';

const contract = loadContract();
const checks = allChecks(contract);
const planFor = sharedPlans();

/** What is found of a service with these faults by bursts of at most so many requests. */
async function foundOf(changes: readonly Fault[], concurrency: number): Promise<readonly string[]> {
  const options = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, frugal: true, concurrency });
  const circumstances = { changes, ...startOf({}), connections: 'memory' } as const;
  const plan = planFor(contract, checks, options);
  return idsWith(await conductBundled(contract, plan, options, circumstances), isProblem);
}

const races = faults.filter(({ isRace }) => isRace);

test('all of them together are not found one at a time', async () => {
  expect(await foundOf(races, 1)).toEqual([]);
});

// The recorded runs have bursts of four.
test.each(races.map((fault) => [fault.id, fault] as const))(
  '%s is found by bursts of two',
  async (_, fault) => {
    const found = await foundOf([fault], 2);
    expect(found.filter((id) => !fault.violates.includes(id))).toEqual([]);
    expect(found).not.toEqual([]);
  },
);
