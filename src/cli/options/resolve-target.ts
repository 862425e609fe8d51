import { dirname, resolve } from 'node:path';
import {
  CONFIG_FILE,
  type Config,
  type ConfiguredTarget,
  overriddenBy,
  PATHS,
  withHeaders,
} from '../../config/config.ts';
import { didYouMean, UsageError } from '../../model/usage-error.ts';
import { visible } from '../../model/visible.ts';
import { type Interface, interfaceOf } from '../../run/contract-of.ts';
import { ofBundled, type RunOptions } from '../../run/options.ts';
import { keepSecret } from '../output/secrets.ts';
import { withMadeKey } from './api-key.ts';
import { readConfig } from './named-file.ts';
import { certificatesOf } from './network/certificates.ts';
import { fetchedInterface, isInterfaceUrl } from './network/fetched-interface.ts';
import { isLoopback, proxiesFor } from './network/proxy-variables.ts';
import { type RunFlags, runOptions } from './run-options.ts';

/** A target with its options, from the command line and from the configuration. */
interface ResolvedTarget {
  /** Its name in the configuration. */
  name?: string;
  options: RunOptions;
  /** Absolute path of its baseline. */
  baseline?: string | undefined;
  /** The interface that it is judged by. */
  judging: Interface;
}

/** A target of the configuration with its options. */
export type NamedTarget = ResolvedTarget & { name: string };

/** The form of a target name. No URL has it. */
const NAME = /^[\w-]+$/;

/**
 * Resolves the target of a command: a URL, a name from the configuration, or the bundled reference if there is neither.
 * The flags override the configuration.
 * @throws UsageError with one line
 */
export async function resolveTarget(target: string | undefined, given: RunFlags): Promise<ResolvedTarget> {
  const fetched = await withFetchedInterface(given);
  const flags = target === undefined ? fetched : await withMadeKey(fetched);
  try {
    return await resolveWith(target, flags);
  } catch (error) {
    if (!(error instanceof UsageError) || !flags.interfaceSource || flags.interface === undefined)
      throw error;
    // The message names the address of the document, not its copy.
    throw new UsageError(error.message.replaceAll(flags.interface, flags.interfaceSource.url));
  }
}

/** The options of a run with a copy of the document whose URL they name; prints the URL and the digest. */
async function withFetchedInterface(flags: RunFlags): Promise<RunFlags> {
  const { interface: named = '', interfaceHeader = [], insecure = false } = flags;
  const isUrl = isInterfaceUrl(named) && URL.canParse(named);
  const network = isUrl ? { ...certificatesOf(flags), proxies: proxiesFor([named], process.env) } : {};
  keepSecret({ headers: interfaceHeader, network });
  const fetched = await fetchedInterface(flags, { ...network, insecure });
  if (!fetched) return flags;
  const { file, ...interfaceSource } = fetched;
  process.stderr.write(`interface ${interfaceSource.url}, SHA-256 ${interfaceSource.digest}\n`);
  return { ...flags, interface: file, interfaceSource };
}

async function resolveWith(target: string | undefined, flags: RunFlags): Promise<ResolvedTarget> {
  if (target === undefined || !NAME.test(target)) {
    if (flags.config !== undefined)
      throw new UsageError('--config: no target named; name a target of the configuration, or use --all');
    const judging = await interfaceOf(flags);
    const options = runOptions(target, flags, judging.contract);
    // Without a target, a run by the user's interface is only planned, as a service would get it.
    const isBundled = judging.contract.file === undefined;
    return { options: isBundled ? ofBundled(judging.contract.ratePlans, options) : options, judging };
  }
  const config = await readConfig(flags.config);
  if (!config)
    throw new UsageError(
      `unknown target '${target}': not a URL, and there is no ${CONFIG_FILE} here or in a parent folder; petspec init writes one`,
    );
  const configured = config.targets.find(({ name }) => name === target);
  if (!configured) {
    const names = config.targets.map(({ name }) => name);
    throw new UsageError(
      `${config.file}: unknown target '${target}'; expected one of ${names.join(', ')}${didYouMean(target, names)}`,
    );
  }
  return resolveConfigured(config, configured, flags);
}

/** Resolves every target of the configuration. @throws UsageError like `resolveTarget` */
export async function resolveAll(flags: RunFlags): Promise<NamedTarget[]> {
  const config = await readConfig(flags.config);
  if (!config)
    throw new UsageError(
      `--all: no ${CONFIG_FILE} here or in a parent folder; name one with --config, or write one with petspec init`,
    );
  const interfaces = sharedInterfaces();
  return Promise.all(
    config.targets.map((configured) => resolveConfigured(config, configured, flags, interfaces)),
  );
}

/** Loads each interface once: many targets share an interface. */
function sharedInterfaces(): typeof interfaceOf {
  const loading = new Map<string, Promise<Interface>>();
  return ({ interface: path, set, example, asOf, sandbox }) => {
    const key = JSON.stringify([path, set, example, asOf, sandbox]);
    const judging = loading.get(key) ?? interfaceOf({ interface: path, set, example, asOf, sandbox });
    loading.set(key, judging);
    return judging;
  };
}

async function resolveConfigured(
  config: Config,
  configured: ConfiguredTarget,
  flags: RunFlags,
  load = interfaceOf,
): Promise<NamedTarget> {
  const { name, baseUrl, place, headers = {} } = configured;
  const { baseline, ...settings } = withPaths(leftBy(flags, configured), dirname(config.file));
  const header = withHeaders(Object.entries(headers), flags.header ?? []);
  try {
    const stated = { ...settings, ...flags, header };
    const judging = await load(stated);
    const effective = baseline === undefined ? stated : { baseline, ...stated };
    return {
      name,
      judging,
      options: runOptions(baseUrl, effective, judging.contract),
      baseline,
    };
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${place}: ${name}: ${error.message}`);
    throw error;
  }
}

/** The settings of a target that the flags do not override. */
function leftBy(flags: RunFlags, configured: ConfiguredTarget): ConfiguredTarget {
  const { apiUrl, ...settings } = overriddenBy(configured, flags);
  // --server apiUrl is --api-url.
  const isStated = flags.server?.some(([name]) => name === 'apiUrl');
  return isStated || apiUrl === undefined ? settings : { ...settings, apiUrl };
}

/** Resolves the paths in settings, which are relative to the configuration. */
function withPaths(settings: ConfiguredTarget, folder: string): ConfiguredTarget {
  const paths = PATHS.flatMap((name) => {
    const path = settings[name];
    if (typeof path !== 'string') return [];
    return [[name, isInterfaceUrl(path) ? path : resolve(folder, path)]];
  });
  return { ...settings, ...Object.fromEntries(paths) };
}

/**
 * The warnings about the options of a run, a line each. They are printed before anything is sent, even with --quiet.
 * @param leftOut the parts of the user's files that are not used, a line each
 */
export function renderWarnings(
  options: RunOptions,
  { apiKey: typed, secondKey }: Pick<RunFlags, 'apiKey' | 'secondKey'>,
  leftOut: readonly string[] = [],
): string {
  const { insecure, baseUrl, apiUrl, servers = {}, apiKey } = options;
  const addresses = [baseUrl, apiUrl, ...Object.values(servers)]
    .filter((address) => address !== undefined)
    .map((address) => new URL(address));
  const readable = addresses.filter((url) => url.protocol === 'http:' && !isLoopback(url));
  const lines = [
    ...leftOut,
    ...(secondKey === undefined
      ? []
      : ['--second-key: other users of this machine can see it; use PETSPEC_SECOND_KEY']),
    ...(typed !== undefined
      ? ['--api-key: other users of this machine can see it; use PETSPEC_API_KEY or --api-key-file']
      : []),
    ...(insecure && baseUrl !== undefined
      ? [`--insecure: CERTIFICATES ARE NOT VERIFIED. Anyone who answers for ${visible(baseUrl)} gets the key`]
      : []),
    ...(apiKey === undefined
      ? []
      : [...new Set(readable.map(({ origin }) => origin))].map(
          (origin) => `${visible(origin)}: plain http; anyone on the network can read the key; use https`,
        )),
  ];
  return lines.map((line) => `petspec: warning: ${line}\n`).join('');
}
