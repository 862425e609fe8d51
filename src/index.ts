import { allChecks } from '../suites/index.ts';
import { loadContract } from './contract/load.ts';
import { conductJob, recordOf } from './harness/job.ts';
import { DEFAULT_OPTIONS, type RunOptions, UsageError } from './harness/options.ts';
import { makePlan } from './harness/plan.ts';
import { assemble } from './report/assemble.ts';
import type { Report } from './report/model.ts';
import { withDropped } from './report/spent.ts';

export type { RunOptions } from './harness/options.ts';
export { UsageError } from './harness/options.ts';
export { type Reference, type ReferenceOptions, startReference } from './reference/index.ts';
export type { Report, RequirementResult, Verdict } from './report/model.ts';
export { type Clock, realClock, VirtualClock } from './session/clock.ts';

/**
 * Judges a target, or the bundled reference where none is named, and returns the report; writes and prints nothing.
 * @throws UsageError where the options ask for what cannot be done
 */
export async function run(options: Partial<RunOptions> = {}): Promise<Report> {
  const contract = loadContract();
  const checks = allChecks(contract);
  const job = { options: { ...DEFAULT_OPTIONS, ...options } };
  const { baseUrl, apiUrl, apiKey, plan: name } = job.options;
  for (const address of [baseUrl, apiUrl]) {
    if (address !== undefined && !URL.canParse(address)) throw new UsageError(`${address}: is no URL`);
  }
  if (baseUrl !== undefined && !apiKey) throw new UsageError('the key of the target is missing: apiKey');
  if (name !== undefined && !Object.hasOwn(contract.plans, name))
    throw new UsageError(`${name}: there is no such plan`);
  const plan = makePlan(contract, checks, job.options);
  const conducted = await conductJob(contract, plan, job);
  const report = assemble(contract, recordOf(contract, checks, plan, job, conducted), conducted.exchanges);
  const { dropped = 0 } = conducted;
  return dropped === 0 ? report : { ...report, requests: withDropped(report.requests, dropped) };
}
