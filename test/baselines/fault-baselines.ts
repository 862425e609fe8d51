import { withBaseline } from '../../src/baseline/baseline.ts';
import { readBaseline, renderBaseline } from '../../src/baseline/baseline-file.ts';
import { loadContract } from '../../src/contract/load.ts';
import type { Report } from '../../src/model/report/report.ts';
import type { Fault } from '../../src/reference/faults/fault.ts';
import { assemble } from '../../src/report/assemble/assemble.ts';
import { recordOf } from '../../src/run/job.ts';
import type { Conducted } from '../../src/run/judging/judge-outcome.ts';
import { ofBundled, type RunOptions } from '../../src/run/options.ts';
import { type RunPlan, sharedPlans } from '../../src/run/plan.ts';
import { conductChanged, optionsOfTrial } from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';
import { recordedRun } from '../recorded/recorded-run.ts';

const contract = loadContract();
const checks = allChecks(contract);
const makePlan = sharedPlans();
const names = {
  requirements: contract.requirements.map(({ id }) => id),
  operations: contract.operations.map(({ id }) => id),
};

/** How a run of a fault differs from the others. */
export type Differing = Pick<RunOptions, 'seed' | 'concurrency'>;

interface FaultRun {
  how: string;
  report: Report;
  plan: RunPlan;
}

/** Runs a fault in a way. */
export async function runOf(fault: Fault, differing: Differing): Promise<FaultRun> {
  const options = ofBundled(contract.ratePlans, { ...optionsOfTrial({ fault }), ...differing });
  const plan = makePlan(contract, checks, options);
  const run = await conductChanged(contract, plan, { fault }, options);
  return reportOf(`seed ${differing.seed}, bursts of ${differing.concurrency}`, { run, plan, options });
}

/** The run of a fault that was recorded. */
export function recordedRunOf(fault: Fault): FaultRun {
  return reportOf('the recording', recordedRun({ fault }));
}

function reportOf(
  how: string,
  { run, plan, options }: { run: Conducted; plan: RunPlan; options: RunOptions },
): FaultRun {
  const record = recordOf(contract, checks, plan, { options }, run);
  return { how, report: assemble({ contract, checks }, record, run.exchanges, plan), plan };
}

/**
 * Writes a baseline from each of these runs of a fault that finds it.
 * @returns what does not match, a line for each baseline and run: violations that it does not know, and entries that no longer hold
 */
export function mismatchesOf(fault: Fault, runs: readonly FaultRun[]): string[] {
  const finding = runs.filter(({ report }) =>
    report.requirements.some(({ status }) => status === 'violated'),
  );
  return finding.flatMap(({ how, report, plan }) => {
    const known = readBaseline('known.yaml', renderBaseline(report, plan), names);
    const listed = known.entries.map(({ requirement }) => requirement);
    // One seed may show what another does not, if a fault violates two requirements.
    const isOther = (id: string) => fault.violates.includes(id) && !listed.includes(id);
    return runs.flatMap((other) => {
      const { unknown = [], stale = [] } = withBaseline(other.report, known, other.plan).baseline ?? {};
      const wrong = [
        ...unknown.filter((id) => !isOther(id)),
        ...stale.map(({ requirement }) => `${requirement} (stale)`),
      ];
      return wrong.length === 0 ? [] : [`${fault.id}: of ${how}, against ${other.how}: ${wrong.join(', ')}`];
    });
  });
}
