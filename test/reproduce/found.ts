import { loadContract } from '../../src/contract/load.ts';
import { type Finding, isProblem, repeated } from '../../src/model/finding.ts';
import type { Reproduction, Unrepeatable } from '../../src/model/report/reproduction.ts';
import type { Fault } from '../../src/reference/faults/fault.ts';
import { reproductionOf } from '../../src/reproduction/reproduction.ts';
import { collectRequests } from '../../src/reproduction/requests.ts';
import { REFERENCE_KEY } from '../../src/run/bundled.ts';
import { isSeen } from '../../src/run/confirming/shown-again.ts';
import { type Conducted, judge } from '../../src/run/judging/judge-outcome.ts';
import { ofBundled } from '../../src/run/options.ts';
import { probeIn, type RunPlan } from '../../src/run/plan.ts';
import { optionsOfTrial, startOf } from '../../src/selfcheck/selfcheck.ts';
import { recordedRun } from '../recorded/recorded-run.ts';
import { play } from './played.ts';

const contract = loadContract();

/** A violation of the recorded run of a fault, and how it is seen again. */
export interface Found {
  id: string;
  finding: Finding;
  reproduction: Reproduction | Unrepeatable | undefined;
  run: Conducted;
  plan: RunPlan;
}

/** What the recorded run of a fault found. */
export function foundOf(fault: Fault): Found[] {
  const { run, plan } = recordedRun({ fault });
  const problems = Object.entries(run.findings).filter(([, each]) => isProblem(each));
  // As a report does, which cites the evidence of all.
  const wanted = Object.values(run.findings).flatMap(({ evidence, repetition }) => [
    ...evidence,
    ...(repetition ? repeated(repetition) : []),
  ]);
  const requests = collectRequests(contract, new Set(wanted));
  for (const each of run.exchanges) requests.add(each);
  const source = {
    contract,
    probes: { get: probeIn(plan) },
    requests,
    target: run.target,
    plan: run.plan ?? null,
  };
  return problems.map(([id, finding]) => ({
    id,
    finding,
    reproduction: reproductionOf(finding, source),
    run,
    plan,
  }));
}

/** Whether a reproduction shows its violation to a reference with these faults. */
export async function isShown(
  { id, finding, run, plan }: Found,
  reproduction: Reproduction,
  fault: Fault,
  faults: readonly Fault[],
): Promise<boolean> {
  const named = { baseUrl: run.target.baseUrl, apiUrl: run.target.apiUrl ?? null };
  const { exchanges, baseUrl } = await play(reproduction, named, {
    key: REFERENCE_KEY,
    changes: faults,
    ...startOf(fault),
  });
  const { used: _, takenApart: __, unconfirmed: ___, ...rest } = run;
  const outcome = { ...rest, target: { ...run.target, baseUrl }, exchanges, unsent: [] };
  const options = ofBundled(contract.ratePlans, { ...optionsOfTrial({ fault }), seed: plan.seed });
  const judged = judge(contract, plan, options, outcome);
  if (judged.findings[id]?.status === finding.status) return true;
  return reproduction.shape !== 'after-wait' && isSeen(id, finding, exchanges);
}
