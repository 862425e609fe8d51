import type { Command } from 'commander';
import type { Contract } from '../../model/contract.ts';
import { UsageError } from '../../model/usage-error.ts';
import type { Format } from '../../report/files/formats.ts';
import type { Servers } from '../../traffic/match-operation.ts';
import { FORMAT_HELP, formats, patterns, separated } from './option-values.ts';

/** The options of every command that judges something other than a run, and reports it like a run. */
export interface JudgingFlags {
  only?: string[];
  strict?: boolean;
  baseline?: string;
  writeBaseline?: string;
  out: string;
  format?: readonly Format[];
  quiet?: boolean;
  verbose?: boolean;
}

/**
 * Adds these options to a command.
 * @param exact when a baseline makes the exit status 0
 * @param verbose what `--verbose` prints
 */
export function withJudgingOptions(
  command: Command,
  { exact, verbose }: { exact: string; verbose: string },
): Command {
  return command
    .option('--only <ids>', 'judge only these requirement ids, globs, sections or operations', patterns)
    .option('--strict', 'count advisories as violations')
    .option('--baseline <file>', `file of known violations; exit 0 if ${exact}`)
    .option('--write-baseline <file>', 'write the violations to a baseline file')
    .option('--out <dir>', 'folder for the reports', 'reports')
    .option('--format <names>', FORMAT_HELP, formats)
    .option('--quiet', 'print only the violations and the verdict')
    .option('--verbose', verbose);
}

/** @throws UsageError if both are stated */
export function refuseQuietAndVerbose({ quiet, verbose }: { quiet?: boolean; verbose?: boolean }): void {
  if (quiet && verbose) throw new UsageError('cannot combine --quiet and --verbose; leave one out');
}

/**
 * Reads the values of an option that is repeatable or comma-separated, without duplicates.
 * @throws UsageError if the text holds no name: an empty variable of a script would quietly mean something else
 */
export function names(option: string): (text: string, earlier?: readonly string[]) => string[] {
  return (text, earlier = []) => {
    const values = separated(text);
    if (values.length === 0)
      throw new UsageError(`${option}: no name; leave the option out, or name something`);
    return [...new Set([...earlier, ...values])];
  };
}

/**
 * The base URLs of the servers of an interface if only the target is named: several documents are at its origin, each below a path
 * of its own.
 * @param option names the target in the error
 * @throws UsageError if the target of several documents has a path
 */
export function serversAt(target: string, { bases }: Pick<Contract, 'bases'>, option: string): Servers {
  if (bases === undefined) return { baseUrl: target };
  const { origin, pathname } = new URL(target);
  if (pathname !== '/')
    throw new UsageError(
      `${option}: '${target}' has a path, and each of several documents has its own; name ${origin} and, if a document does not say its path, --interface /path=file`,
    );
  return Object.fromEntries(Object.entries(bases).map(([address, base]) => [address, origin + base]));
}
