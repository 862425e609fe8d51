import { expect, test } from 'vitest';
import { readRecordings } from '../../scripts/recordings.ts';
import { loadContract } from '../../src/contract/load.ts';
import { judge } from '../../src/harness/conduct.ts';
import { DEFAULT_OPTIONS } from '../../src/harness/options.ts';
import { makePlan } from '../../src/harness/plan.ts';
import { allChecks } from '../../suites/index.ts';
// In one file with the recordings: each file costs a worker.
import '../../src/judge/exchange.unit.test.ts';
import '../../src/judge/limiter.unit.test.ts';

/** The reference's runs state its plan. */
const OPTIONS = { ...DEFAULT_OPTIONS, plan: 'free' };

test('every fault and every variant is judged as it was recorded', () => {
  const contract = loadContract();
  const plan = makePlan(contract, allChecks(contract), DEFAULT_OPTIONS);
  for (const { id, outcome, findings } of readRecordings()) {
    const judged = Object.entries(judge(contract, plan, OPTIONS, outcome).findings);
    const differing = judged.find(([name, finding]) => JSON.stringify(finding) !== findings[name]);
    if (differing)
      throw new Error(
        `${id}: ${differing[0]} is ${JSON.stringify(differing[1])}, not ${findings[differing[0]]}`,
      );
    expect(judged.length).toBe(Object.keys(findings).length);
  }
}, 120_000);
