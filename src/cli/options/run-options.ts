import type { TargetSettings } from '../../config/config.ts';
import type { Contract, RatePlan } from '../../model/contract.ts';
import type { InterfaceSource } from '../../model/report/report.ts';
import { UsageError } from '../../model/usage-error.ts';
import type { Format } from '../../report/files/formats.ts';
import type { TerminalPage } from '../../report/text/terminal.ts';
import {
  DEFAULT_OPTIONS,
  type RunOptions,
  refuseListedFigures,
  refuseUnknownPlan,
  refuseUnknownServers,
  refuseUnsaidLimit,
  refuseUnused,
  refuseWrongSandbox,
  refuseWrongWriting,
} from '../../run/options.ts';
import type { OptionValues } from '../../run/settings/option-table.ts';
import { fromHere } from '../../run/settings/stated-options.ts';
import { address } from '../../run/settings/values.ts';
import { refuseKeyInAddress } from '../../secrets/address-secrets.ts';
import { keysOf } from './keys-of-target.ts';
import { certificatesOf } from './network/certificates.ts';
import { proxiesFor } from './network/proxy-variables.ts';

/** The options of `petspec run`, as commander parses them. Options that the user did not state are missing. */
export interface RunFlags
  extends Omit<OptionValues, 'exhaust'>,
    Pick<TargetSettings, 'apiKeyVariable' | 'servers'> {
  /** False with `--no-exhaust`. */
  exhaust?: OptionValues['exhaust'] | false;
  /** Set if `interface` is the copy of a fetched document. */
  interfaceSource?: InterfaceSource;
  /** The ids that the report of `--only-violated` found violated. */
  violatedBefore?: readonly string[];
  config?: string;
  all?: boolean;
  /** Seconds to wait at most until the target answers. */
  waitFor?: number;
  ui?: boolean;
  out: string;
  format?: readonly Format[];
  quiet?: boolean;
  verbose?: boolean;
}

export const DEFAULTS = DEFAULT_OPTIONS;

/** The parts of a contract that options are checked by. */
export type OptionContract = Pick<Contract, 'ratePlans' | 'operations' | 'requirements' | 'file'>;

/**
 * Checks the options of a run and fills in the defaults.
 * @throws UsageError with one line
 */
export function runOptions(
  target: string | undefined,
  flags: RunFlags,
  contract: OptionContract,
): RunOptions {
  const { ratePlans: plans } = contract;
  const { plan, categoryId, exhaust = DEFAULTS.exhaust } = flags;
  refuseUnknownPlan(plan, Object.keys(plans));
  refuseWrongWriting({ ...flags, readOnly: flags.readOnly ?? false });
  if (target === undefined) refuseWithoutTarget(flags);
  const options: RunOptions = {
    ...addressesOf(target, flags, contract),
    interface: flags.interface,
    interfaceSource: flags.interfaceSource,
    example: flags.example,
    headers: flags.header ?? [],
    // A real key must not reach the bundled reference, which has its own.
    ...(target === undefined ? {} : keysOf(flags, contract)),
    plan,
    ...limitsOf(flags, contract),
    categoryId,
    sharedKey: flags.sharedKey ?? false,
    readOnly: flags.readOnly ?? false,
    write: flags.write || undefined,
    sandbox: flags.sandbox,
    exhaust: exhaust || 'none',
    only: flags.only ?? [],
    violatedBefore: flags.violatedBefore,
    strict: flags.strict ?? false,
    set: flags.set,
    seed: flags.seed,
    frugal: flags.frugal || undefined,
    asOf: flags.asOf,
    ...budgetOf(flags, target === undefined, plans),
    timeout: flags.timeout ?? DEFAULTS.timeout,
    maxWait: flags.maxWait ?? DEFAULTS.maxWait,
    maxTime: flags.maxTime,
    concurrency: flags.concurrency ?? DEFAULTS.concurrency,
    traceparent: flags.traceparent || undefined,
    insecure: flags.insecure ?? false,
    ...wordsOf(flags),
  };
  refuseUnused(contract, options);
  refuseWrongSandbox(options);
  const { apiKey, secondKey, keys = {}, secondKeys = {}, baseUrl, apiUrl, servers = {} } = options;
  const serverOptions = Object.entries(servers).map(([name, url]) => [`--server ${name}`, url]);
  for (const key of [apiKey, secondKey, ...Object.values(keys), ...Object.values(secondKeys)])
    refuseKeyInAddress(key, { target: baseUrl, '--api-url': apiUrl, ...Object.fromEntries(serverOptions) });
  return options;
}

/** The default folder for the reports. */
export const OUT = 'reports';

/**
 * The stated options that do not affect what is sent: the files that are read and written, and the level of detail. It leaves out
 * --write-baseline, because the run has written that file, and petspec overwrites none.
 */
function wordsOf(flags: RunFlags): Pick<RunOptions, 'words'> {
  const { apiKeyFile, authFile, ca, clientCert, clientKey, baseline, out, format, quiet, verbose } = flags;
  const paths = {
    '--api-key-file': apiKeyFile,
    '--auth-file': authFile,
    '--ca': ca,
    '--client-cert': clientCert,
    '--client-key': clientKey,
    '--baseline': baseline,
    '--out': out === OUT ? undefined : out,
  };
  const words = [
    ...Object.entries(paths).flatMap(([option, path]) =>
      path === undefined ? [] : [option, fromHere(path)],
    ),
    ...(format === undefined ? [] : ['--format', format.join(',')]),
    ...(quiet ? ['--quiet'] : []),
    ...(verbose ? ['--verbose'] : []),
  ];
  return words.length === 0 ? {} : { words };
}

/** The addresses of a run, and how to reach them. @throws UsageError if an address is not a URL or not of the interface */
function addressesOf(
  target: string | undefined,
  flags: RunFlags,
  { operations }: OptionContract,
): Pick<RunOptions, 'baseUrl' | 'apiUrl' | 'servers' | 'network'> {
  const baseUrl = target === undefined ? undefined : address(target, 'target', '--header');
  const statedApiUrl =
    flags.apiUrl === undefined ? undefined : address(flags.apiUrl, '--api-url', '--header');
  const { apiUrl = statedApiUrl, ...servers } = serversOf(flags);
  const named = apiUrl === undefined ? servers : { ...servers, apiUrl };
  refuseUnknownServers({ operations }, { servers: named });
  const addresses = [baseUrl, apiUrl, ...Object.values(servers)].filter((url) => url !== undefined);
  return {
    baseUrl,
    apiUrl,
    servers: Object.keys(servers).length === 0 ? undefined : servers,
    network: { ...certificatesOf(flags), proxies: proxiesFor(addresses, process.env) },
  };
}

/** The limits that the user stated. @throws UsageError if the interface or the plan leaves no room for them */
function limitsOf({ plan, limit, dayLimit }: RunFlags, contract: OptionContract): Pick<RunOptions, 'limits'> {
  const limits: RatePlan = {
    ...(limit === undefined ? {} : { minute: limit }),
    ...(dayLimit === undefined ? {} : { day: dayLimit }),
  };
  if (Object.keys(limits).length === 0) return {};
  refuseUnsaidLimit(contract, { limits });
  refuseListedFigures(contract.ratePlans, { plan, limits });
  return { limits };
}

/** The addresses of the other servers by name: from the command line, over those of the configuration. @throws UsageError */
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

/** A deep run uses so many times the limit. */
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

/** @throws UsageError if an option without a target states something that the bundled reference has itself */
function refuseWithoutTarget({
  apiKey,
  secondKey,
  apiKeyCommand,
  apiKeyFile,
  authFile,
  apiUrl,
  server,
  interface: document,
}: RunFlags): void {
  const refuse = (option: string, what: string) => {
    throw new UsageError(`${option}: no target named; the bundled reference has its own ${what}`);
  };
  if (apiKeyCommand !== undefined) refuse('--api-key-command', 'key');
  if (apiKey !== undefined) refuse('--api-key', 'key');
  if (secondKey !== undefined) refuse('--second-key', 'key');
  if (apiKeyFile !== undefined) refuse('--api-key-file', 'key');
  if (authFile !== undefined) refuse('--auth-file', 'key');
  if (document !== undefined) return;
  if (apiUrl !== undefined) refuse('--api-url', 'addresses');
  if (server !== undefined) refuse('--server', 'addresses');
}

/** The level of detail on the terminal. */
export function detailOf({ quiet, verbose }: Pick<RunFlags, 'quiet' | 'verbose'>): TerminalPage['detail'] {
  if (quiet) return 'quiet';
  return verbose ? 'verbose' : 'usual';
}
