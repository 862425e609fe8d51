/// <reference types="vite/client" />
import { expect, test } from 'vitest';
import { isRecorded, RECORDED_OPTIONS, readRecordings } from '../../scripts/recordings.ts';
import { loadContract } from '../../src/contract/load.ts';
import { judge } from '../../src/harness/conduct.ts';
import { makePlan } from '../../src/harness/plan.ts';
import { allChecks } from '../../suites/index.ts';

// Together with the unit tests in one file: each file costs a worker.
import.meta.glob('../../src/judge/*.unit.test.ts', { eager: true });

test('every fault and every variant is judged as it was recorded', () => {
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
