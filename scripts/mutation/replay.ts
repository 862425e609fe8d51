import { loadContract } from '../../src/contract/load.ts';
import { judge } from '../../src/run/judge-outcome.ts';
import { makePlan } from '../../src/run/plan.ts';
import {
  compareWithCatalogue,
  conductChanged,
  type Subject,
  subjects,
} from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';
import { isRecorded, judgedParts, RECORDED_OPTIONS, type Recording } from './recordings.ts';

const nameOf = (subject: Subject) =>
  'fault' in subject ? `fault ${subject.fault.id}` : `variant ${subject.variant.id}`;

/**
 * Makes a function that says how a run is judged in another way than it was recorded; undefined if it is not. If the plan sends
 * other requests than those that were recorded, the fault or the variant is run again, and compared with the catalog.
 */
export function replay(): (recording: Recording) => Promise<string | undefined> {
  const contract = loadContract();
  const plan = makePlan(contract, allChecks(contract), RECORDED_OPTIONS);
  if (isRecorded(plan))
    return async ({ outcome, judged }) => {
      const parts = judgedParts(judge(contract, plan, RECORDED_OPTIONS, outcome));
      if (parts.length !== Object.keys(judged).length) return `${parts.length} parts are judged`;
      const [name, part] = parts.find(([name, part]) => JSON.stringify(part) !== judged[name]) ?? [];
      return name && `${name} is ${JSON.stringify(part)}, not ${judged[name]}`;
    };
  const byName = new Map(subjects().map((subject) => [nameOf(subject), subject]));
  return async ({ id }) => {
    const subject = byName.get(id);
    if (!subject) return `${id} is not in the catalogue`;
    const run = await conductChanged(contract, plan, subject);
    return compareWithCatalogue(contract, subject, run).problems[0];
  };
}
