/// <reference types="vite/client" />
import { expect, test } from 'vitest';
import { isRecorded, RECORDED_OPTIONS, readRecordings } from '../../scripts/recordings.ts';

// Together with the unit tests in one file: each file costs a worker. What a mutant keeps from loading fails as a test:
// of a file without tests Stryker would say that its mutant survived.
const unitTests = import.meta.glob([
  '../../src/judge/**/*.unit.test.ts',
  // What the animal store does not have, the documents of users do.
  '../own-interface/*.unit.test.ts',
  '../tiny-interface/*.unit.test.ts',
]);
for (const [file, load] of Object.entries(unitTests))
  await load().catch((error: unknown) =>
    test(`${file} loads`, () => {
      throw error;
    }),
  );

test('every fault and every variant is judged as it was recorded', async () => {
  const { loadContract } = await import('../../src/contract/load.ts');
  const { judge } = await import('../../src/run/judge-outcome.ts');
  const { makePlan } = await import('../../src/run/plan.ts');
  const { allChecks } = await import('../../suites/index.ts');
  const contract = loadContract();
  const plan = makePlan(contract, allChecks(contract), RECORDED_OPTIONS);
  expect(isRecorded(plan)).toBe(true);
  for (const { id, outcome, findings } of readRecordings()) {
    const judged = Object.entries(judge(contract, plan, RECORDED_OPTIONS, outcome).findings);
    expect(judged.length).toBe(Object.keys(findings).length);
    const differing = judged.find(([name, finding]) => JSON.stringify(finding) !== findings[name]);
    if (!differing) continue;
    const [name, finding] = differing;
    throw new Error(`${id}: ${name} is ${JSON.stringify(finding)}, not ${findings[name]}`);
  }
}, 600_000);
