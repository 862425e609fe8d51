import type { Contract, Credential, RatePlan } from '../model/contract.ts';
import { needsKeyOfRun } from '../model/http/credential.ts';
import { DAY_S } from '../model/limits/rate-plan.ts';
import type { InterfaceSource } from '../model/report/report.ts';
import { didYouMean, UsageError } from '../model/usage-error.ts';
import type { Network } from '../session/http/connect.ts';
import { type StatedName, stated, usageError } from './settings/stated-name.ts';

/** The options of a run, as plain data: vitest copies it to the tests that conduct the run. */
export interface RunOptions {
  /** Base URL of the target. Default: the bundled reference is judged, in virtual time. */
  baseUrl?: string | undefined;
  /** Base URL of the message API. Without it, the requirements of the message API are not tested. */
  apiUrl?: string | undefined;
  /** Base URLs of the other servers of the interface, by name. */
  servers?: Readonly<Record<string, string>> | undefined;
  /** Path of the OpenAPI document, or of its folder, by which to judge. Default: the bundled interface. */
  interface?: string | undefined;
  /** Where that document was fetched from, if its path is a copy. Only the command line has it. */
  interfaceSource?: InterfaceSource | undefined;
  /** Path of a file with values for requests: parameters and bodies, by operation. */
  example?: string | undefined;
  /** API key of the target. */
  apiKey?: string | undefined;
  /** The source of the key for messages to the user: the name of an environment variable, or an option. */
  keyFrom?: string | undefined;
  /** A shell command that makes another key when the service no longer accepts this key. Only the command line has it. */
  apiKeyCommand?: string | undefined;
  /** The valid key of another user, by an interface other than the bundled one. A ledger has `[hidden]`. */
  secondKey?: string | undefined;
  /** Keys that an operation needs together, by the names of their schemes in the document. A ledger has `[hidden]`. */
  keys?: Readonly<Record<string, string>> | undefined;
  /** The same keys of another user, by an interface other than the bundled one. A ledger has `[hidden]`. */
  secondKeys?: Readonly<Record<string, string>> | undefined;
  /** Rate plan of the key, such as `free`. Default: taken from the rate-limit headers if they leave no doubt. */
  plan?: string | undefined;
  /** Requests per minute and per day of a custom plan. */
  limits?: RatePlan | undefined;
  /** Id of a category that exists, an int64 in decimal. Default: taken from the listing, or else 1. */
  categoryId?: string | undefined;
  /** Whether others use the key during the run. Default: false. */
  sharedKey: boolean;
  /** Send no POST requests. Default: false. */
  readOnly: boolean;
  /** By an interface other than the bundled one: create, change and remove things. Default: false, petspec only reads. */
  write?: boolean | undefined;
  /** The host and port of the target, which is disposable: every operation is sent, also to what the run did not create. Only the command line has it. */
  sandbox?: string | undefined;
  /** The rate limit to use up. `day` costs all requests of a day. Default: `minute`. */
  exhaust: 'minute' | 'day' | 'none';
  /** Requirement ids, globs, sections or operations to judge. Default: empty, which means all. */
  only: readonly string[];
  /** Ids of requirements to judge because an earlier run found them violated (`--only-violated`). Default: none. */
  violatedBefore?: readonly string[] | undefined;
  /** Count advisories as violations. Default: false. */
  strict: boolean;
  /** The version of petspec whose requirements apply. Default: the newest. */
  set?: string | undefined;
  /**
   * Draws how the valid requests vary, a whole number from 0 up. Default: that of the set of requirements, so that two
   * runs send the same. `none`: no request varies, as in runs of older versions.
   */
  seed?: number | 'none' | undefined;
  /**
   * Stop at the recovery, so that the window after it is left to others who use the key. Default: false, the run uses most of
   * that window. It makes no difference with a budget, or where the limit of a minute is not used up.
   */
  frugal?: boolean | undefined;
  /**
   * Requests with the key at the base address in all: those that the run does not need go on testing, in as many windows as
   * they take. Default: no more than the run needs.
   */
  budget?: number | undefined;
  /**
   * The day as which the dates of the document are read, `YYYY-MM-DD`: from the day of its removal, an operation may be gone.
   * Default: the day of each request.
   */
  asOf?: string | undefined;
  /** Maximum time for one request, in ms. Default: 10000. */
  timeout: number;
  /** Maximum time to wait for a rate limit, in seconds. Default: 90. */
  maxWait: number;
  /** Maximum time for the run, in seconds. Default: derived from the plan of the run. */
  maxTime?: number | undefined;
  /** Maximum number of requests at the same time. Default: 64. */
  concurrency: number;
  /** Headers to send with every request. Default: none. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Send a W3C trace context of its own with every request, so that findings name their traces. Default: false. */
  traceparent?: boolean | undefined;
  /** Do not verify the certificate of the target; the report says so. Default: false. */
  insecure: boolean;
  /** Further typed words that commands repeat: paths of files and of the folder for reports. They hold no secret. */
  words?: readonly string[] | undefined;
  /** Certificates and proxies, unless connections are direct and trust the usual roots. */
  network?: Omit<Network, 'insecure'> | undefined;
}

/** Larger seeds would draw the same as smaller ones. */
export const MAX_SEED = 2 ** 32 - 1;

/** The limits of a custom plan; the option is that of the limit per minute. */
export const LIMITS: StatedName = { option: '--limit', setting: "'limits'" };

export const DEFAULT_OPTIONS: RunOptions = {
  sharedKey: false,
  readOnly: false,
  exhaust: 'minute',
  only: [],
  strict: false,
  timeout: 10_000,
  maxWait: 90,
  concurrency: 64,
  headers: [],
  insecure: false,
};

/**
 * Refuses limits for a plan that has its own: a service of that plan would seem to violate the interface.
 * @throws UsageError if both are stated
 */
export function refuseListedFigures(
  plans: Readonly<Record<string, RatePlan>>,
  { plan, limits }: Pick<RunOptions, 'plan' | 'limits'>,
): void {
  if (plan === undefined || !limits || Object.keys(plans[plan] ?? {}).length === 0) return;
  const option = [
    ...(limits.minute === undefined ? [] : ['--limit']),
    ...(limits.day === undefined ? [] : ['--day-limit']),
  ].join(' and ');
  const custom = Object.keys(plans).filter((name) => Object.keys(plans[name] ?? {}).length === 0);
  throw usageError`${{ ...LIMITS, option }} cannot be used with ${stated('plan', plan)}, which has fixed limits; use ${stated('plan', custom.join(' or '))}, or leave out one of them`;
}

/** @throws UsageError if writing is asked for with the bundled interface, or together with reading only */
export function refuseWrongWriting({
  write,
  readOnly,
  interface: document,
}: Pick<RunOptions, 'write' | 'readOnly' | 'interface'>): void {
  if (!write) return;
  if (readOnly) throw usageError`cannot combine ${stated('write')} and ${stated('readOnly')}; leave one out`;
  if (document === undefined)
    throw usageError`${stated('write')} is for an interface of your own; name it with ${stated('interface')}, or leave out ${stated('write')}`;
}

/** @throws UsageError if the disposable target is not the target of the run, or the run only reads */
export function refuseWrongSandbox({
  sandbox,
  baseUrl,
  write,
}: Pick<RunOptions, 'sandbox' | 'baseUrl' | 'write'>): void {
  if (sandbox === undefined) return;
  if (!write) throw new UsageError('--sandbox is for runs that write; add --write, or leave it out');
  if (baseUrl === undefined)
    throw new UsageError('--sandbox: no target named; name the target, and repeat its host and port');
  const { protocol, host } = new URL(baseUrl);
  const stated = `${protocol}//${sandbox}`;
  const isHost = /^[\w.:[\]-]+$/.test(sandbox) && URL.canParse(stated);
  if (!isHost || new URL(stated).host !== host)
    throw new UsageError(
      `--sandbox '${sandbox}' is not the target, whose host is ${host}; repeat that if it is disposable`,
    );
}

/** @throws UsageError if a limit is stated that the interface does not document */
export function refuseUnsaidLimit(
  { requirements, file }: { requirements: readonly { id: string }[]; file?: string | undefined },
  { limits }: Pick<RunOptions, 'limits'>,
): void {
  if (file === undefined || !limits || requirements.some(({ id }) => id === 'rate-limit.enforced')) return;
  throw usageError`${LIMITS}: the interface documents no 429, or has no GET without an id in its path to use up the limit with; leave out ${LIMITS}`;
}

/** The option for an id that the bodies of the bundled interface refer to. */
export const REFERENCE_OPTION = '--category-id';

/** @throws UsageError if an option is stated that has no effect with the user's interface */
export function refuseUnused(
  { file, ratePlans }: Pick<Contract, 'file' | 'ratePlans'>,
  options: RunOptions,
): void {
  if (file === undefined) return;
  if (options.categoryId !== undefined)
    throw usageError`${stated('categoryId')} names a category of animals; for an interface of your own, use ${stated('example')}`;
  if (options.exhaust === 'day' && statedLimits(ratePlans, options)?.day === undefined)
    throw usageError`${stated('exhaust', 'day')}: the limit of a day is unknown; state it with ${{ ...LIMITS, option: '--day-limit' }}`;
}

/** Whether each needed key is the whole value of `Authorization`: then it may name its scheme, as in `Token 1a2b`. */
export function isKeyWholeValue({ operations }: Pick<Contract, 'operations'>): boolean {
  const secured = operations.filter(needsKeyOfRun);
  return secured.length > 0 && secured.every(({ credential }) => credential && isWholeValue(credential));
}

/** Whether a key is the whole value of `Authorization`. */
export function isWholeValue({ name, scheme }: Credential): boolean {
  return name.toLowerCase() === 'authorization' && scheme === undefined;
}

/** @throws UsageError if the stated plan is not among the names */
export function refuseUnknownPlan(plan: string | undefined, names: readonly string[]): void {
  if (plan === undefined || names.includes(plan)) return;
  if (names.length === 0)
    throw usageError`${stated('plan')}: the interface has no rate plans; list them in its requirements.yaml, or leave out ${stated('plan')}`;
  throw usageError`${stated('plan')}: unknown plan '${plan}'; expected one of ${names.join(', ')}${didYouMean(plan, names)}`;
}

/** @throws UsageError if an address is stated for a server that the interface does not have */
export function refuseUnknownServers(
  { operations }: Pick<Contract, 'operations'>,
  { servers = {}, apiUrl }: Pick<RunOptions, 'servers' | 'apiUrl'>,
): void {
  const names = [...new Set(operations.map(({ address }) => address))].filter(
    (address) => address !== 'baseUrl',
  );
  const stated = [...(apiUrl === undefined ? [] : ['apiUrl']), ...Object.keys(servers)];
  const stranger = stated.find((name) => !names.includes(name));
  if (stranger === undefined) return;
  const offer = names.length === 0 ? 'has no other server' : `has ${names.join(', ')}`;
  throw new UsageError(
    `unknown server '${stranger}'; beside the target the interface ${offer}${didYouMean(stranger, names)}`,
  );
}

/** The limits of the stated plan, overridden by the stated limits. */
export function statedLimits(
  plans: Readonly<Record<string, RatePlan>>,
  { plan, limits }: RunOptions,
): RatePlan | undefined {
  const figures = plan === undefined ? undefined : plans[plan];
  return figures || limits ? { ...figures, ...limits } : undefined;
}

/** The options of a run. Without a target they get the plan of the bundled reference, by default the smallest plan. */
export function ofBundled(plans: Readonly<Record<string, RatePlan>>, options: RunOptions): RunOptions {
  if (options.baseUrl !== undefined) return options;
  const [smallest = 'free'] = Object.keys(plans);
  // Virtual time costs nothing, so the run can wait until midnight.
  const maxWait = options.exhaust === 'day' ? Math.max(options.maxWait, 2 * DAY_S) : options.maxWait;
  return { ...options, maxWait, plan: options.plan ?? smallest };
}
