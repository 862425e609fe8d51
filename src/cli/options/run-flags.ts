import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../../model/usage-error.ts';
import {
  flagOf,
  OPTIONS,
  type OptionName,
  type OptionRow,
  optionGroups,
  optionRows,
} from '../../run/settings/option-table.ts';
import { optionOf } from '../../run/settings/stated-name.ts';
import { isInterfaceUrl } from './network/fetched-interface.ts';
import {
  day,
  digest,
  exhaustible,
  headerLine,
  int64,
  patterns,
  seed,
  serverAddress,
  wholeNumber,
} from './option-values.ts';

/** What `--help` says about the target of a command. */
export const TARGET_HELP =
  'base URL, such as https://staging.example.com/v1, or a target name from the configuration';

/** Readers of values, by kind. A value without a reader stays as it was typed. */
const READERS: Readonly<Partial<Record<OptionRow['kind'], (text: string, earlier: never) => unknown>>> = {
  count: wholeNumber,
  seed,
  path: (path) => (isInterfaceUrl(path) ? path : resolve(path)),
  int64,
  day,
  digest,
  window: exhaustible,
  ids: patterns,
  servers: serverAddress,
};

/** Adds the options that say how a target is judged: all but those for the reports. */
export function addRunFlags(command: Command): void {
  refuseBothExhaustions(command);
  addOptions(
    command,
    optionRows.map(([name]) => name),
  );
}

/** Adds options, each in the group to which it belongs. */
export function addOptions(command: Command, wanted: readonly OptionName[]): Command {
  for (const { group, names } of optionGroups())
    for (const name of names.filter((candidate) => wanted.includes(candidate)))
      addOption(command.optionsGroup(`${group}:`), name);
  return command;
}

function addOption(command: Command, name: OptionName): void {
  const { kind, words, no, default: standard }: OptionRow = OPTIONS[name];
  const reader = kind === 'headers' ? headerLine(optionOf(name)) : READERS[kind];
  const meaning = standard === undefined ? words : `${words} (default: ${standard})`;
  if (reader) command.option(flagOf(name), meaning, reader as (text: string, earlier: unknown) => unknown);
  else command.option(flagOf(name), meaning);
  if (no !== undefined) command.option(optionOf(name).replace('--', '--no-'), no);
}

/** The options of an interface, of the key, and of headers, certificates and proxies. */
export const INTERFACE_OPTIONS = ['interface', 'interfaceDigest', 'interfaceHeader', 'example'] as const;
export const KEY_OPTIONS = ['apiKey', 'apiKeyFile'] as const;
export const CONNECTION_OPTIONS = optionGroups().find(({ group }) => group === 'Connection')?.names ?? [];

/** Refuses an option beside its negation, because commander would silently take the later one. */
function refuseBothExhaustions(command: Command): void {
  const stated = new Set<string>();
  for (const name of ['exhaust', 'no-exhaust'])
    command.on(`option:${name}`, (value) => {
      if (value !== 'none') stated.add(name);
      if (stated.size > 1) throw new UsageError('cannot combine --exhaust and --no-exhaust; leave one out');
    });
}
