import { type Clock, realClock, VirtualClock } from './model/clock.ts';
import { needsKeyOfRun } from './model/http/credential.ts';
import { inTurns } from './model/large/steps.ts';
import type { Report } from './model/report/report.ts';
import { UsageError } from './model/usage-error.ts';
import { assembling } from './report/assemble/assemble.ts';
import { conduct } from './run/conduct.ts';
import { interfaceOf } from './run/contract-of.ts';
import { recordOf } from './run/job.ts';
import {
  DEFAULT_OPTIONS,
  isKeyWholeValue,
  ofBundled,
  type RunOptions,
  refuseListedFigures,
  refuseUnknownPlan,
  refuseUnknownServers,
  refuseUnsaidLimit,
  refuseUnused,
  refuseWrongWriting,
} from './run/options.ts';
import { planning } from './run/plan.ts';
import { refuseWrongSettings } from './run/settings/settings.ts';
import { inSettings } from './run/settings/stated-name.ts';
import { address, keyProblem } from './run/settings/values.ts';
import { refuseKeyInAddress } from './secrets/address-secrets.ts';

export { type Clock, realClock, VirtualClock } from './model/clock.ts';
export type { Report, RequirementResult, Verdict } from './model/report/report.ts';
export { UsageError } from './model/usage-error.ts';
export { type Reference, type ReferenceOptions, startReference } from './reference/index.ts';

/** The options of a run. They are those of `petspec run`. */
type PublicRunOptions = Omit<RunOptions, 'keyFrom' | 'network' | 'sandbox' | 'violatedBefore' | 'words'>;

export type { PublicRunOptions as RunOptions };

/** The settings of {@link run}. A setting that is missing or undefined has the default of `petspec run`. */
export type RunSettings = { [Name in keyof PublicRunOptions]?: PublicRunOptions[Name] | undefined } & {
  /**
   * The clock of the run (default: `realClock`). If a target on the same `VirtualClock` is judged, nobody waits for a
   * rate limit.
   */
  clock?: Clock | undefined;
};

/**
 * Judges a target, or the bundled reference if there is no `baseUrl`, and returns the report. Writes no files and prints
 * nothing. A target that violates the interface does not throw: see `verdict` and `requirements` of the report.
 *
 * @throws UsageError that names a setting that is not valid: for example an unknown plan, a base URL that cannot be
 *   parsed, or a target without an API key
 * @example
 * const report = await run({ baseUrl: 'https://staging.example.com/v1', apiKey, plan: 'free' });
 * if (report.verdict !== 'conformant') console.error(report.because);
 */
export function run(settings: RunSettings = {}): Promise<Report> {
  return inSettings(() => runWith(settings));
}

async function runWith(all: RunSettings): Promise<Report> {
  refuseWrongSettings(all);
  const { clock = realClock, ...settings } = all;
  const begunAt = clock.now();
  // A key from an environment variable that is not set may be empty.
  const isMissing = ([name, value]: [string, unknown]) =>
    value === undefined || (name === 'apiKey' && value === '');
  const given = Object.entries(settings).filter((each) => !isMissing(each));
  const options: PublicRunOptions = { ...DEFAULT_OPTIONS, ...Object.fromEntries(given) };
  const { contract, checks } = await interfaceOf(options);
  for (const name of ['baseUrl', 'apiUrl'] as const) {
    const url = options[name];
    if (url !== undefined) options[name] = address(url, `'${name}'`);
  }
  if (options.servers)
    options.servers = Object.fromEntries(
      Object.entries(options.servers).map(([server, url]) => [server, address(url, "'servers'")]),
    );
  if (options.apiKey !== undefined) {
    const problem = keyProblem(options.apiKey, isKeyWholeValue(contract));
    if (problem !== undefined) throw new UsageError(`'apiKey': ${problem}`);
    options.apiKey = options.apiKey.trim();
  }
  refuseUnknownServers(contract, options);
  refuseWrongWriting(options);
  refuseUnsaidLimit(contract, options);
  const { baseUrl, apiUrl, servers, apiKey = '', secondKey, keys, secondKeys, plan: name } = options;
  if (baseUrl === undefined && contract.file !== undefined)
    throw new UsageError("missing 'baseUrl'; the bundled reference has its own interface");
  if (baseUrl !== undefined && !apiKey && contract.operations.some(needsKeyOfRun))
    throw new UsageError("missing 'apiKey', the API key of the target");
  for (const key of [apiKey, secondKey, ...Object.values(keys ?? {}), ...Object.values(secondKeys ?? {})])
    refuseKeyInAddress(key, { baseUrl, apiUrl, ...servers });
  refuseUnknownPlan(name, Object.keys(contract.ratePlans));
  refuseUnused(contract, options);
  refuseListedFigures(contract.ratePlans, options);
  const stated = ofBundled(contract.ratePlans, options);
  const plan = await inTurns(planning(contract, checks, stated));
  const target = {
    baseUrl: baseUrl ?? '',
    apiKey,
    ...(apiUrl === undefined ? {} : { apiUrl }),
    ...(servers === undefined ? {} : { servers }),
    ...(secondKey === undefined ? {} : { secondKey }),
    ...(keys === undefined ? {} : { keys }),
    ...(secondKeys === undefined ? {} : { secondKeys }),
  };
  const conducted =
    baseUrl === undefined
      ? await (await import('./run/bundled.ts')).conductBundled(
          contract,
          plan,
          stated,
          clock === realClock ? {} : { clock },
        )
      : await conduct(contract, plan, stated, target, { clock, begunAt });
  const record = recordOf(contract, checks, plan, { options: stated }, conducted);
  if (clock instanceof VirtualClock) record.virtualTime = true;
  return inTurns(assembling({ contract, checks }, record, conducted.exchanges, plan));
}
