import { loadContract } from '../../src/contract/load.ts';
import { type Finding, isProblem } from '../../src/model/finding.ts';
import { delayed } from '../../src/reference/changes/wire-changes.ts';
import type { Change } from '../../src/reference/index.ts';
import { PLANS } from '../../src/reference/settings.ts';
import { conductBundled } from '../../src/run/bundled.ts';
import { DEFAULT_OPTIONS, ofBundled, type RunOptions } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { allChecks } from '../../suites/index.ts';
import { type Cell, limiterOf } from './cells.ts';

const contract = loadContract();
const checks = allChecks(contract);

/** How long the reference takes for a response without more latency (ms). */
const OWN_MS = 5;

/** A quarter into a minute, half a day before midnight. */
const START = Date.UTC(2026, 10, 21, 12, 0, 15);

/** What a run against the limiter of a cell violates, with the reasons; and whether the limit was seen to hold. */
export interface CellRun {
  violated: Readonly<Record<string, string>>;
  enforced: Finding | undefined;
}

/** Runs against the limiter of a cell, in virtual time. */
export async function runCell(cell: Cell): Promise<CellRun> {
  const options: RunOptions = {
    ...DEFAULT_OPTIONS,
    plan: cell.plan,
    concurrency: cell.size,
    sharedKey: cell.others !== 'nobody',
  };
  const plan = makePlan(contract, checks, ofBundled(contract.ratePlans, options));
  const { findings } = await conductBundled(contract, plan, options, {
    changes: [changeOf(cell), delayed({}, cell.latency)],
    connections: cell.connections,
    start: START,
  });
  const violated = Object.entries(findings).filter(([, finding]) => isProblem(finding));
  return {
    violated: Object.fromEntries(violated.map(([id, { reason = '' }]) => [id, reason])),
    enforced: findings.TooManyRequests,
  };
}

function changeOf(cell: Cell): Change {
  return { settings: { clockSkew: cell.clockSkew, limiter: limiterOf(cell) } };
}

/**
 * Whether the limit can be used up within half a window, nobody else uses it, and all reads of an address count together: then a run has
 * to see that it is enforced. At the reference's own pace, a bucket of a few seconds is refilled as fast.
 */
export function fits({ plan, latency, size, window, counted, others }: Cell): boolean {
  const isOwn = counted.endsWith('address') || counted.endsWith('addresses');
  const ms = Math.max(latency, OWN_MS);
  return isOwn && others === 'nobody' && (PLANS[plan].minute * ms) / size <= (window * 1_000) / 4;
}
