import { randomInt } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import type { TargetSettings } from '../../config/config.ts';
import type { Contract, RatePlan } from '../../model/contract.ts';
import { didYouMean } from '../../model/nearest.ts';
import type { Format } from '../../report/formats/formats.ts';
import type { Page } from '../../report/text/terminal.ts';
import {
  DEFAULT_OPTIONS,
  MAX_SEED,
  type RunOptions,
  refuseListedFigures,
  refuseUnknownServers,
  refuseUnsaidLimit,
  refuseWrongWriting,
  UsageError,
} from '../../run/options.ts';
import { apiKeyOf, type KeyFlags, keyVariable, placeOfKey } from './api-key.ts';
import { certificatesOf } from './certificates.ts';
import { proxiesFor } from './proxy-variables.ts';

/** The options of `petspec run`, as commander parses them. Options that the user did not state are missing. */
export interface RunFlags extends KeyFlags, Omit<TargetSettings, 'baseUrl' | 'exhaust' | 'headers'> {
  config?: string;
  /** As stated on the command line; `servers` is of the configuration. */
  server?: (readonly [name: string, url: string])[];
  all?: boolean;
  /** False with `--no-exhaust`. */
  exhaust?: RunOptions['exhaust'] | false;
  ui?: boolean;
  only?: string[];
  traceparent?: boolean;
  /** A report whose violations are judged again. */
  onlyViolated?: string;
  /** The ids that this report found violated. */
  violatedBefore?: readonly string[];
  strict?: boolean;
  set?: string;
  seed?: number;
  budget?: number;
  deep?: boolean;
  writeBaseline?: string;
  dryRun?: boolean;
  header?: (readonly [string, string])[];
  out: string;
  format?: readonly Format[];
  quiet?: boolean;
  verbose?: boolean;
}

export const DEFAULTS = DEFAULT_OPTIONS;

/** What the options are checked by. */
export type Yardstick = Pick<Contract, 'ratePlans' | 'operations' | 'requirements' | 'file'>;

/**
 * Checks the options of a run and fills in the defaults.
 * @throws UsageError with one line
 */
export function runOptions(target: string | undefined, flags: RunFlags, contract: Yardstick): RunOptions {
  const { ratePlans: plans, operations } = contract;
  const { plan, limit, dayLimit, categoryId, exhaust = DEFAULTS.exhaust } = flags;
  const baseUrl = target === undefined ? undefined : address(target, 'target');
  refuseUnknownPlan(plan, Object.keys(plans));
  refuseWrongWriting({ readOnly: false, ...flags });
  if (target === undefined) refuseWithoutTarget(flags);
  // A real key must not reach the bundled reference, which has its own.
  const apiKey = target === undefined ? undefined : apiKeyOf(flags, process.env);
  const isAsked = operations.some(({ secured }) => secured);
  if (target !== undefined && isAsked && !apiKey && !flags.dryRun)
    throw new UsageError(
      `missing API key; set the environment variable ${keyVariable(flags)}, or name a file with --api-key-file`,
    );
  const limits: RatePlan = {
    ...(limit === undefined ? {} : { minute: limit }),
    ...(dayLimit === undefined ? {} : { day: dayLimit }),
  };
  const hasLimits = Object.keys(limits).length > 0;
  refuseUnsaidLimit(contract, hasLimits ? { limits } : {});
  if (hasLimits) refuseListedFigures(plans, { ...(plan === undefined ? {} : { plan }), limits });
  const ownApiUrl = flags.apiUrl === undefined ? undefined : address(flags.apiUrl, '--api-url');
  const { apiUrl = ownApiUrl, ...servers } = serversOf(flags);
  refuseUnknownServers({ operations }, { servers });
  const addresses = [baseUrl, apiUrl, ...Object.values(servers)].filter((each) => each !== undefined);
  const network = { ...certificatesOf(flags), proxies: proxiesFor(addresses, process.env) };
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiUrl === undefined ? {} : { apiUrl }),
    ...(Object.keys(servers).length === 0 ? {} : { servers }),
    ...(flags.interface === undefined ? {} : { interface: flags.interface }),
    ...(flags.example === undefined ? {} : { example: flags.example }),
    ...(apiKey === undefined ? {} : { apiKey, keyFrom: placeOfKey(flags) }),
    ...(plan === undefined ? {} : { plan }),
    ...(hasLimits ? { limits } : {}),
    ...(categoryId === undefined ? {} : { categoryId }),
    sharedKey: flags.sharedKey ?? false,
    readOnly: flags.readOnly ?? false,
    ...(flags.write ? { write: true } : {}),
    exhaust: exhaust || 'none',
    only: flags.only ?? [],
    ...(flags.violatedBefore === undefined ? {} : { violatedBefore: flags.violatedBefore }),
    strict: flags.strict ?? false,
    ...(flags.set === undefined ? {} : { set: flags.set }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...budgetOf(flags, target === undefined, plans),
    timeout: flags.timeout ?? DEFAULTS.timeout,
    maxWait: flags.maxWait ?? DEFAULTS.maxWait,
    ...(flags.maxTime === undefined ? {} : { maxTime: flags.maxTime }),
    concurrency: flags.concurrency ?? DEFAULTS.concurrency,
    headers: flags.header ?? [],
    ...(flags.traceparent ? { traceparent: true } : {}),
    insecure: flags.insecure ?? false,
    network,
  };
}

/** The addresses of the other servers by name: of the command line, or else of the configuration. @throws UsageError */
export function serversOf({
  server = [],
  servers = {},
  apiUrl,
}: Pick<RunFlags, 'server' | 'servers' | 'apiUrl'>): Record<string, string> {
  const stated: Record<string, string> = { ...servers };
  for (const [name, url] of server) {
    if (name === 'apiUrl' && apiUrl !== undefined)
      throw new UsageError('--api-url and --server apiUrl are the same; leave one out');
    stated[name] = address(url, `--server ${name}`);
  }
  return stated;
}

/** Adds one more `--server`. @throws UsageError if it is not name=url */
export function serverAddress(
  text: string,
  earlier: (readonly [string, string])[] = [],
): (readonly [string, string])[] {
  const [, name, url] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || url === undefined)
    throw new UsageError(
      `--server: '${text}' is not name=url; expected one like --server files.example.com=http://localhost:4000`,
    );
  return [...earlier, [name, url]];
}

/** How many times the limit a deep run takes. */
const DEEP = 10;

/**
 * The budget of a run: as stated, or ten times the limit.
 * @throws UsageError if that is unknown or more than a day allows, or if both are stated
 */
function budgetOf(
  { budget, deep, plan, limit, dayLimit }: Pick<RunFlags, 'budget' | 'deep' | 'plan' | 'limit' | 'dayLimit'>,
  isBundled: boolean,
  plans: Readonly<Record<string, RatePlan>>,
): Pick<RunOptions, 'budget'> {
  if (!deep) return budget === undefined ? {} : { budget };
  if (budget !== undefined) throw new UsageError('cannot combine --deep and --budget; leave one out');
  const [smallest = ''] = Object.keys(plans);
  const listed = plans[plan ?? (isBundled ? smallest : '')];
  const minute = limit ?? listed?.minute;
  const day = dayLimit ?? listed?.day;
  if (minute === undefined)
    throw new UsageError('--deep: the limit of the key is unknown; state it with --plan or --limit');
  if (day !== undefined && DEEP * minute > day)
    throw new UsageError(
      `--deep: the key has ${day} requests a day, and a deep run takes ${DEEP * minute}; name a budget with --budget`,
    );
  return { budget: DEEP * minute };
}

/** @throws UsageError if a plan is stated that is not one of these */
export function refuseUnknownPlan(plan: string | undefined, names: readonly string[]): void {
  if (plan !== undefined && !names.includes(plan))
    throw new UsageError(
      `--plan: unknown plan '${plan}'; expected one of ${names.join(', ')}${didYouMean(plan, names)}`,
    );
}

/** Refuses what the bundled reference has of its own. */
function refuseWithoutTarget({ apiKey, apiKeyFile, apiUrl, server, interface: own }: RunFlags): void {
  if ((apiKey ?? apiKeyFile) !== undefined)
    throw new UsageError('--api-key: no target named; the bundled reference has its own key');
  if ((apiUrl ?? server) !== undefined && own === undefined)
    throw new UsageError('--api-url: no target named; the bundled reference has its own message API');
}

/** A base URL without a slash at its end. @throws UsageError if it is not an http or https URL */
export function address(text: string, where: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    const what = /^https?:/i.test(text) ? 'a valid URL' : 'an http or https URL';
    throw new UsageError(
      `${where}: '${text}' is not ${what}; expected one like https://staging.example.com/v1`,
    );
  }
  if (url.username || url.password)
    throw new UsageError(
      `${where}: user and password in the URL are not supported; send the headers of a gateway with --header`,
    );
  if (url.search || url.hash)
    throw new UsageError(`${where}: '${url.origin}${url.pathname}' has a query or a fragment; leave it out`);
  return url.href.replace(/\/+$/, '');
}

/** The value of `--exhaust`. @throws InvalidArgumentError, which commander reports */
export function exhaustible(text: string): RunOptions['exhaust'] {
  if (text === 'minute' || text === 'day' || text === 'none') return text;
  throw new InvalidArgumentError('expected minute, day or none.');
}

/** @throws InvalidArgumentError, which commander reports */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('expected a positive integer.');
  return value;
}

/** Reads a whole number within bounds. @throws InvalidArgumentError, which commander reports */
export function between(least: number, most: number, expected: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(expected);
  };
}

/** The value of `--port`. */
export const portNumber = between(0, 65_535, 'expected a port from 1 to 65535, or 0 for any free port.');

/** The value of `--seed`: a number, or one that is drawn. @throws InvalidArgumentError, which commander reports */
export function seed(text: string): number {
  if (text === 'random') return randomInt(MAX_SEED + 1);
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > MAX_SEED)
    throw new InvalidArgumentError(`expected random, or an integer from 0 to ${MAX_SEED}.`);
  return value;
}

/** @throws InvalidArgumentError, which commander reports */
export function int64(text: string): string {
  if (!/^-?\d{1,19}$/.test(text) || BigInt.asIntN(64, BigInt(text)) !== BigInt(text))
    throw new InvalidArgumentError('expected an int64.');
  return text;
}

/** Adds one more `--header`. @throws UsageError without the value, which may be a secret and which commander would quote */
export function headerLine(
  text: string,
  earlier: (readonly [string, string])[] = [],
): (readonly [string, string])[] {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined || /[^\t\x20-\xff]/.test(value))
    throw new UsageError("--header: not a valid header; expected 'name: value'");
  if (name.toLowerCase() === 'authorization')
    throw new UsageError('--header: Authorization carries the API key; set it with PETSPEC_API_KEY');
  return [...earlier, [name, value]];
}

/** Adds one more value of a repeatable option. */
export function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

/** A choice of an option. @throws UsageError if it is not one of these */
export function chosen<Name extends string>(option: string, name: string, names: readonly Name[]): Name {
  const found = names.find((each) => each === name);
  if (found) return found;
  throw new UsageError(`--${option}: unknown ${option} '${name}'; expected one of ${names.join(', ')}`);
}

/** The values of an option that are separated by commas. */
export function separated(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** Adds one more `--only`, or several with commas. @throws UsageError if it is empty, because that would not mean all */
export function patterns(text: string, earlier: string[] = []): string[] {
  const names = separated(text);
  if (names.length === 0)
    throw new UsageError('--only: no requirement named; leave it out to judge everything');
  return [...earlier, ...names];
}

/** The level of detail on the terminal. */
export function detailOf({ quiet, verbose }: Pick<RunFlags, 'quiet' | 'verbose'>): Page['detail'] {
  if (quiet) return 'quiet';
  return verbose ? 'verbose' : 'usual';
}
