import { allChecks } from '../suites/index.ts';
import { type Clock, realClock } from './model/clock.ts';
import type { Report } from './model/report/report.ts';
import { assemble } from './report/assemble.ts';
import { conductBundled } from './run/bundled.ts';
import { conduct } from './run/conduct.ts';
import { contractOf } from './run/contract-of.ts';
import { recordOf } from './run/job.ts';
import {
  DEFAULT_OPTIONS,
  ofBundled,
  type RunOptions,
  refuseListedFigures,
  UsageError,
} from './run/options.ts';
import { makePlan } from './run/plan.ts';

export { type Clock, realClock, VirtualClock } from './model/clock.ts';
export type { Report, RequirementResult, Verdict } from './model/report/report.ts';
export { type Reference, type ReferenceOptions, startReference } from './reference/index.ts';
export type { RunOptions } from './run/options.ts';
export { UsageError } from './run/options.ts';

/** What a script asks for; what it leaves out, or undefined, is as on the command line. */
export type RunSettings = { [Name in keyof RunOptions]?: RunOptions[Name] | undefined } & {
  /** The time that the target goes by, too: with a `VirtualClock`, no window of its limiter is waited for. */
  clock?: Clock | undefined;
};

/**
 * Judges a target, or the bundled reference where none is named, and returns the report; writes and prints nothing.
 * @throws UsageError where the options ask for what cannot be done
 */
export async function run({ clock = realClock, ...settings }: RunSettings = {}): Promise<Report> {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const options: RunOptions = { ...DEFAULT_OPTIONS, ...Object.fromEntries(given) };
  const contract = contractOf(options);
  const checks = allChecks(contract);
  for (const name of ['baseUrl', 'apiUrl'] as const) {
    const address = options[name];
    if (address !== undefined) options[name] = withoutSlash(address);
  }
  const { baseUrl, apiUrl, apiKey = '', plan: name } = options;
  if (baseUrl !== undefined && !apiKey) throw new UsageError('the key of the target is missing: apiKey');
  if (name !== undefined && !Object.hasOwn(contract.ratePlans, name))
    throw new UsageError(`${name}: there is no such plan`);
  refuseListedFigures(contract.ratePlans, options);
  const stated = ofBundled(contract.ratePlans, options);
  const plan = makePlan(contract, checks, stated);
  const target = { baseUrl: baseUrl ?? '', apiKey, ...(apiUrl === undefined ? {} : { apiUrl }) };
  const conducted =
    baseUrl === undefined
      ? await conductBundled(contract, plan, stated, clock === realClock ? {} : { clock })
      : await conduct(contract, plan, stated, target, { clock });
  const record = recordOf(contract, checks, plan, { options: stated }, conducted);
  return assemble(contract, record, conducted.exchanges);
}

/** An address as paths are appended to it. @throws UsageError where it is none */
function withoutSlash(address: string): string {
  if (!URL.canParse(address)) throw new UsageError(`${address}: is no URL`);
  return address.replace(/\/+$/, '');
}
