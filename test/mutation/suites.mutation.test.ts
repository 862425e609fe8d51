import { test } from 'vitest';
import { isRecorded, RECORDED_OPTIONS, readRecordings } from '../../scripts/recordings.ts';
import { loadContract } from '../../src/contract/load.ts';
import { judge } from '../../src/harness/conduct.ts';
import { makePlan } from '../../src/harness/plan.ts';
import {
  conductDeviation,
  holdAgainstCatalogue,
  type Subject,
  subjects,
} from '../../src/harness/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';

const nameOf = (subject: Subject) =>
  'fault' in subject ? `fault ${subject.fault.id}` : `variant ${subject.variant.id}`;

test('every fault is found by what it violates alone, every variant passes', async () => {
  const contract = loadContract();
  const plan = makePlan(contract, allChecks(contract), RECORDED_OPTIONS);
  // What sends the same brings back the same: only another plan has to be executed.
  const isSame = isRecorded(plan);
  const byName = new Map(subjects().map((subject) => [nameOf(subject), subject]));
  for (const { id, outcome } of readRecordings()) {
    const subject = byName.get(id);
    if (!subject) throw new Error(`${id} is recorded, and not in the catalogue`);
    const run = isSame
      ? judge(contract, plan, RECORDED_OPTIONS, outcome)
      : await conductDeviation(contract, plan, subject);
    const { problems } = holdAgainstCatalogue(contract, subject, run);
    if (problems.length > 0) throw new Error(`${id}: ${problems.join('; ')}`);
  }
}, 1_800_000);
