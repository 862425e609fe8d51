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
import { isRecorded, RECORDED_OPTIONS, type Recording } from './recordings.ts';

const nameOf = (subject: Subject) =>
  'fault' in subject ? `fault ${subject.fault.id}` : `variant ${subject.variant.id}`;

/**
 * What tells whether a run is judged as it was recorded: it returns how it is not. If the requests are others than those that
 * were recorded, the fault or the variant is run again, and what is found is compared with the catalogue.
 */
export function replay(): (recording: Recording) => Promise<string | undefined> {
  const contract = loadContract();
  const plan = makePlan(contract, allChecks(contract), RECORDED_OPTIONS);
  if (isRecorded(plan))
    return async ({ outcome, findings }) => {
      const judged = Object.entries(judge(contract, plan, RECORDED_OPTIONS, outcome).findings);
      if (judged.length !== Object.keys(findings).length) return `${judged.length} requirements are judged`;
      const [name, finding] =
        judged.find(([name, finding]) => JSON.stringify(finding) !== findings[name]) ?? [];
      return name && `${name} is ${JSON.stringify(finding)}, not ${findings[name]}`;
    };
  const byName = new Map(subjects().map((subject) => [nameOf(subject), subject]));
  return async ({ id }) => {
    const subject = byName.get(id);
    if (!subject) return `${id} is not in the catalogue`;
    const run = await conductChanged(contract, plan, subject);
    return compareWithCatalogue(contract, subject, run).problems[0];
  };
}
