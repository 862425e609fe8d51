import { dirname, resolve } from 'node:path';
import { CONFIG_FILE, type Config, type ConfiguredTarget, PATHS } from '../../config/config.ts';
import { overriddenBy } from '../../config/override.ts';
import type { RatePlan } from '../../model/contract.ts';
import { type RunOptions, UsageError } from '../../run/options.ts';
import { type RunFlags, runOptions } from './run-options.ts';

/** A target with all that is known of it: from the command line, and from the configuration that names it. */
export interface ResolvedTarget {
  /** Its name in the configuration. */
  name?: string;
  options: RunOptions;
  /** Absolute path of the file of its known violations. */
  baseline?: string;
}

/** What is no address for certain: a name from the configuration, or a mistyped one. */
const NAME = /^[\w-]+$/;

/**
 * What a command is to work on: an address, a name from the configuration, or the bundled reference where there is
 * neither. What the flags state wins over the configuration.
 * @param plans the plans of the interface
 * @throws UsageError with one line: what is wrong, and what to do
 */
export async function resolveTarget(
  target: string | undefined,
  flags: RunFlags,
  plans: Readonly<Record<string, RatePlan>>,
): Promise<ResolvedTarget> {
  if (target === undefined || !NAME.test(target)) {
    if (flags.config !== undefined)
      throw new UsageError('--config goes with the name of one of its targets, or with --all');
    return { options: runOptions(target, flags, plans) };
  }
  const config = await configOf(flags);
  if (!config)
    throw new UsageError(
      `${target}: is no URL, and no ${CONFIG_FILE} here or in a folder above names it (petspec init writes one)`,
    );
  const configured = config.targets.find(({ name }) => name === target);
  if (!configured) {
    const { didYouMean } = await import('../../model/nearest.ts');
    const names = config.targets.map(({ name }) => name);
    throw new UsageError(
      `${target}: ${config.file} has no target of this name; it has ${names.join(', ')}${didYouMean(target, names)}`,
    );
  }
  return resolveConfigured(config, configured, flags, plans);
}

/** Every target of the configuration, resolved as if it were named alone. @throws UsageError as `resolveTarget` */
export async function resolveAll(
  flags: RunFlags,
  plans: Readonly<Record<string, RatePlan>>,
): Promise<(ResolvedTarget & { name: string })[]> {
  const config = await configOf(flags);
  if (!config)
    throw new UsageError(
      `--all: there is no ${CONFIG_FILE} here or in a folder above (petspec init writes one; --config names one)`,
    );
  return config.targets.map((configured) => resolveConfigured(config, configured, flags, plans));
}

/** Loaded when it is asked for: most runs need none. */
async function configOf({ config }: RunFlags): Promise<Config | undefined> {
  const { readConfig } = await import('./config-file.ts');
  return readConfig(config);
}

function resolveConfigured(
  config: Config,
  configured: ConfiguredTarget,
  flags: RunFlags,
  plans: Readonly<Record<string, RatePlan>>,
): ResolvedTarget & { name: string } {
  const { name, baseUrl, place } = configured;
  const { baseline, ...settings } = withPaths(overriddenBy(configured, flags), dirname(config.file));
  try {
    return {
      name,
      options: runOptions(baseUrl, { ...settings, ...flags, header: headersOf(configured, flags) }, plans),
      ...(baseline === undefined ? {} : { baseline }),
    };
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${place}: ${name}: ${error.message}`);
    throw error;
  }
}

/** Settings with their paths resolved: these are relative to the configuration. */
function withPaths(settings: ConfiguredTarget, folder: string): ConfiguredTarget {
  const paths = PATHS.flatMap((name) => {
    const path = settings[name];
    return path === undefined ? [] : [[name, resolve(folder, path)]];
  });
  return { ...settings, ...Object.fromEntries(paths) };
}

/** Headers of the configuration and of the command line; the latter's where both have one. */
function headersOf(
  { headers = {} }: ConfiguredTarget,
  { header = [] }: RunFlags,
): (readonly [string, string])[] {
  const replaced = new Set(header.map(([name]) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  return [...kept, ...header];
}
