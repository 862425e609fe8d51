import { loadContract } from '../../src/contract/load.ts';
import { judge } from '../../src/run/judging/judge-outcome.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { makePlan, type RunPlan } from '../../src/run/plan.ts';
import { compareWithCatalogue, conductChanged, nameOf, subjects } from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';
import { judgedParts, type Recording, recordedPlans } from './recordings.ts';
import { digestOfSent, type SentRecording } from './sent-requests.ts';

/** Compares what a run sends with what it sent before the change. @returns the difference in words, or undefined if there is none */
export async function resend({ id, sent }: SentRecording): Promise<string | undefined> {
  return (await digestOfSent(id)) === sent ? undefined : `${id} sends other requests`;
}

/**
 * Makes a function that says how a run is judged in another way than it was recorded; undefined if it is not. If the plan sends
 * other requests than those that were recorded, the fault or the variant is run again, and compared with the catalog.
 */
export function replay(): (recording: Recording) => Promise<string | undefined> {
  const contract = loadContract();
  const checks = allChecks(contract);
  const isRecorded = recordedPlans();
  const byName = new Map(subjects().map((subject) => [nameOf(subject), subject]));
  const plans = new Map<string, { plan: RunPlan; isSame: boolean }>();
  const planFor = (options: RunOptions) => {
    const key = JSON.stringify(options);
    const known = plans.get(key);
    if (known) return known;
    const plan = makePlan(contract, checks, options);
    const made = { plan, isSame: isRecorded(key, plan) };
    plans.set(key, made);
    return made;
  };
  return async ({ id, options, outcome, judged }) => {
    const { plan, isSame } = planFor(options);
    if (isSame) {
      const parts = judgedParts(judge(contract, plan, options, outcome));
      if (parts.length !== Object.keys(judged).length) return `${parts.length} parts are judged`;
      const [name, part] = parts.find(([name, part]) => JSON.stringify(part) !== judged[name]) ?? [];
      return name && `${name} is ${JSON.stringify(part)}, not ${judged[name]}`;
    }
    const subject = byName.get(id);
    if (!subject) return `${id} is not in the catalogue`;
    const run = await conductChanged(contract, plan, subject, options);
    return compareWithCatalogue(contract, subject, run).problems[0];
  };
}
