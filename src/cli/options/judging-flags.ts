import type { Command } from 'commander';
import { UsageError } from '../../model/usage-error.ts';
import type { Format } from '../../report/files/formats.ts';
import { FORMAT_HELP, formats, patterns, separated } from './option-values.ts';

/** The options of every command that judges something other than a run, and reports it like one. */
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
 * Reads the values of an option that is repeatable or comma-separated, each once.
 * @throws UsageError if the text holds no name: an empty variable of a script would quietly mean something else
 */
export function names(option: string): (text: string, earlier?: readonly string[]) => string[] {
  return (text, earlier = []) => {
    const found = separated(text);
    if (found.length === 0)
      throw new UsageError(`${option}: no name; leave the option out, or name something`);
    return [...new Set([...earlier, ...found])];
  };
}
