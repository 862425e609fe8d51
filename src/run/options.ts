import type { RatePlan } from '../model/contract.ts';
import { DAY_S } from '../model/rate-plan.ts';
import type { Network } from '../session/http/connect.ts';

/** The options of a run, as plain data: they cross into the worker that conducts it. */
export interface RunOptions {
  /** Without one, the bundled reference is judged, in virtual time. */
  baseUrl?: string;
  apiUrl?: string;
  apiKey?: string;
  /** Where the key was taken from, as its user knows the place: the name of a variable, or an option. */
  keyFrom?: string;
  plan?: string;
  /** Requests per minute and day of a custom plan. */
  limits?: RatePlan;
  /** An int64, in decimal. */
  categoryId?: string;
  sharedKey: boolean;
  readOnly: boolean;
  /** Which window is used up. The day's costs a day's requests. */
  exhaust: 'minute' | 'day' | 'none';
  /** Requirement ids, globs, sections or operations; all where empty. */
  only: readonly string[];
  /** Advisories count as violations. */
  strict: boolean;
  /** The version of petspec by whose requirements is judged; without one the newest. */
  set?: string;
  /** ms for one request. */
  timeout: number;
  /** Seconds. */
  maxWait: number;
  /** Seconds after which the run ends with what is known; by what it may send and wait where it is not stated. */
  maxTime?: number;
  concurrency: number;
  headers: readonly (readonly [name: string, value: string])[];
  /** The certificate of the target is not verified; a report says so. */
  insecure: boolean;
  /** Certificates and proxies, where connections are not made directly and with the usual roots. */
  network?: Omit<Network, 'insecure'>;
}

export const DEFAULT_OPTIONS: RunOptions = {
  sharedKey: false,
  readOnly: false,
  exhaust: 'minute',
  only: [],
  strict: false,
  timeout: 10_000,
  maxWait: 90,
  concurrency: 4,
  headers: [],
  insecure: false,
};

/** The user asked for something that cannot be done: one line that says what, and what to do. Exit status 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/**
 * @throws UsageError where figures are stated beside a plan that has its own: judged by them, a service of that plan
 *   would seem to violate the interface
 */
export function refuseListedFigures(
  plans: Readonly<Record<string, RatePlan>>,
  { plan, limits }: Pick<RunOptions, 'plan' | 'limits'>,
): void {
  if (plan === undefined || !limits || Object.keys(plans[plan] ?? {}).length === 0) return;
  const stated = [
    ...(limits.minute === undefined ? [] : ['--limit']),
    ...(limits.day === undefined ? [] : ['--day-limit']),
  ];
  const custom = Object.keys(plans).filter((name) => Object.keys(plans[name] ?? {}).length === 0);
  throw new UsageError(
    `${stated.join(' and ')} ${stated.length === 1 ? 'states' : 'state'} a custom plan (${custom.join(', ')}); the figures of --plan ${plan} are those of the interface: leave one of them out`,
  );
}

/** The figures to go by: those of the stated plan, and in their place what the user stated of a custom one. */
export function statedLimits(
  plans: Readonly<Record<string, RatePlan>>,
  { plan, limits }: RunOptions,
): RatePlan | undefined {
  const figures = plan === undefined ? undefined : plans[plan];
  return figures || limits ? { ...figures, ...limits } : undefined;
}

/** The options of a run without a target: they state the plan of the bundled reference, the smallest one by default. */
export function ofBundled(plans: Readonly<Record<string, RatePlan>>, options: RunOptions): RunOptions {
  if (options.baseUrl !== undefined) return options;
  const [smallest = 'free'] = Object.keys(plans);
  // Virtual time costs nothing: until midnight is not too long.
  const maxWait = options.exhaust === 'day' ? Math.max(options.maxWait, 2 * DAY_S) : options.maxWait;
  return { ...options, maxWait, plan: options.plan ?? smallest };
}
