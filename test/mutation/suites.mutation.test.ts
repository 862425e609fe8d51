/// <reference types="vite/client" />
import { test } from 'vitest';
import { isRecorded, RECORDED_OPTIONS, readRecordings } from '../../scripts/recordings.ts';
import type { Subject } from '../../src/selfcheck/selfcheck.ts';

const nameOf = (subject: Subject) =>
  'fault' in subject ? `fault ${subject.fault.id}` : `variant ${subject.variant.id}`;

// What is mutated is loaded where a failure is that of a test: of a file without tests Stryker would say that its mutant
// survived.
for (const load of [
  () => import('../../src/contract/load.unit.test.ts'),
  () => import('../../src/run/plan.unit.test.ts'),
  ...Object.values(import.meta.glob('../../src/probes/*.unit.test.ts')),
])
  await load().catch((error: unknown) =>
    test('the unit tests load', () => {
      throw error;
    }),
  );

test('every fault is found by what it violates alone, every variant passes', async () => {
  const { loadContract } = await import('../../src/contract/load.ts');
  const { judge } = await import('../../src/run/judge-outcome.ts');
  const { makePlan } = await import('../../src/run/plan.ts');
  const { conductChanged, compareWithCatalogue, subjects } = await import('../../src/selfcheck/selfcheck.ts');
  const { allChecks } = await import('../../suites/index.ts');
  const contract = loadContract();
  const plan = makePlan(contract, allChecks(contract), RECORDED_OPTIONS);
  // What sends the same brings back the same, and is to be judged in the same words: only another plan is executed.
  const isSame = isRecorded(plan);
  const byName = new Map(subjects().map((subject) => [nameOf(subject), subject]));
  for (const { id, outcome, findings } of readRecordings()) {
    const subject = byName.get(id);
    if (!subject) throw new Error(`${id} is recorded, and not in the catalogue`);
    const run = isSame
      ? judge(contract, plan, RECORDED_OPTIONS, outcome)
      : await conductChanged(contract, plan, subject);
    const { problems } = compareWithCatalogue(contract, subject, run);
    if (problems.length > 0) throw new Error(`${id}: ${problems.join('; ')}`);
    const differing = Object.entries(run.findings).find(
      ([name, finding]) => JSON.stringify(finding) !== findings[name],
    );
    if (isSame && differing) throw new Error(`${id}: ${differing[0]} is ${JSON.stringify(differing[1])}`);
  }
}, 1_800_000);
