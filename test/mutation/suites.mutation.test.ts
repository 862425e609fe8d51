import { test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { type Subject, subjects, tryDeviation } from '../../src/harness/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';

/** One fault of each requirement first: most mutants are killed by what their own check no longer finds. */
function tellingFirst(all: readonly Subject[]): Subject[] {
  const seen = new Set<string>();
  const isFirst = (subject: Subject) => {
    const [requirement = ''] = 'fault' in subject ? subject.fault.violates : [];
    const isNew = !seen.has(requirement);
    seen.add(requirement);
    return isNew;
  };
  const first = all.filter(isFirst);
  return [...first, ...all.filter((each) => !first.includes(each))];
}

test('every fault is found by what it violates alone, every variant passes', async () => {
  const contract = loadContract();
  const checks = allChecks(contract);
  for (const subject of tellingFirst(subjects())) {
    const { kind, id, problems } = await tryDeviation(contract, checks, subject);
    if (problems.length > 0) throw new Error(`${kind} ${id}: ${problems.join('; ')}`);
  }
}, 900_000);
