import { loadContract } from '../../src/contract/load.ts';
import { REFERENCE_KEY } from '../../src/run/bundled.ts';
import { judgeReceived } from '../../src/run/judging/judge-hidden.ts';
import type { Conducted } from '../../src/run/judging/judge-outcome.ts';
import { ofBundled, type RunOptions } from '../../src/run/options.ts';
import type { RunPlan } from '../../src/run/plan.ts';
import { secretsOfRun } from '../../src/secrets/secrets-of-run.ts';
import { nameOf, optionsOfTrial, planOfTrial, type Subject } from '../../src/selfcheck/selfcheck.ts';
import { recordings } from './recordings.ts';

const contract = loadContract();
let recorded: ReturnType<typeof recordings> | undefined;

/** A run that was recorded, judged again as it was when it ended. */
export interface RecordedRun {
  run: Conducted;
  plan: RunPlan;
  options: RunOptions;
}

/** Judges the recorded run of a fault or a variant, which takes less than to run it. */
export function recordedRun(subject: Subject): RecordedRun {
  recorded ??= recordings();
  const outcome = recorded.get(nameOf(subject))?.();
  if (!outcome) throw new Error(`${nameOf(subject)} is not recorded: npm run record`);
  const plan = planOfTrial(contract, subject);
  const options = ofBundled(contract.ratePlans, { ...optionsOfTrial(subject), seed: plan.seed });
  const secrets = secretsOfRun(contract, { ...outcome.target, apiKey: REFERENCE_KEY, headers: [] });
  return { run: judgeReceived(contract, plan, options, outcome, secrets, new Map()), plan, options };
}
