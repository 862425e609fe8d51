import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { brief } from '../../../model/exchange.ts';
import { isFileError } from '../../../model/file-error.ts';
import { inTurns } from '../../../model/large/steps.ts';
import type { Report } from '../../../model/report/report.ts';
import { UsageError } from '../../../model/usage-error.ts';
import { visible } from '../../../model/visible.ts';
import { assembling } from '../../../report/assemble/assemble.ts';
import { shellWord } from '../../../report/facts/command-line.ts';
import { type Format, REPORT_FILES } from '../../../report/files/formats.ts';
import { readReport } from '../../../report/read-report.ts';
import { renderExchangeLine } from '../../../report/text/explain.ts';
import { interfaceOf } from '../../../run/contract-of.ts';
import { ledgerOptions, planAgain, rejudge } from '../../../run/judging/rejudge.ts';
import type { RunOptions } from '../../../run/options.ts';
import { DamagedLedger, exchangesOf, readLedger } from '../../../session/ledger/ledger.ts';
import { openBaselines } from '../../options/baselines.ts';
import { refuseQuietAndVerbose } from '../../options/judging-flags.ts';
import { DEFAULT_FORMATS, FORMAT_HELP, FORMATS_HELP, formats } from '../../options/option-values.ts';
import { detailOf } from '../../options/run-options.ts';
import { refuseSigned } from '../../options/signing.ts';
import { deliver } from '../../output/deliver.ts';
import {
  clearFolder,
  holdLedger,
  type OutFolder,
  type OwnLedger,
  openReportFolder,
} from '../../output/out-folder.ts';

interface ReportFlags {
  interface?: string;
  example?: string;
  baseline?: string;
  format?: readonly Format[];
  out?: string;
  quiet?: boolean;
  verbose?: boolean;
}

/** `petspec report`: judges a run again from its ledger, and writes its reports. */
export function reportCommand(exit: (status: number) => void): Command {
  return new Command('report')
    .description(
      'Judges a run again from its ledger and writes its reports, for example in another format or after a crash. Sends nothing.',
    )
    .argument('[folder]', `folder of the run, with its ${REPORT_FILES.ledger}`, 'reports')
    .option(
      '--interface <path>',
      'OpenAPI document or folder that the run judged by (default: the animal store); suites/ in a folder are code that petspec executes',
    )
    .option('--example <file>', 'the file of examples of the run, if it had one')
    .option('--format <names>', FORMAT_HELP, formats)
    .option('--baseline <file>', 'file of known violations; exit 0 if the run has exactly these')
    .option('--out <dir>', 'folder for the reports, which is cleared first (default: the folder of the run)')
    .option('--quiet', 'print only the violations and the verdict')
    .option('--verbose', 'print a line for each exchange, and every finding in full')
    .addHelpText('after', FORMATS_HELP + EXAMPLES)
    .action(async (folder: string, flags: ReportFlags) => exit(await deliverAgain(folder, flags)));
}

async function deliverAgain(folder: string, flags: ReportFlags): Promise<number> {
  refuseQuietAndVerbose(flags);
  const path = readable(folder, () => pathOfLedger(folder));
  refuseSigned(flags.out ?? folder);
  const ledger = readable(path, () => holdLedger(path));
  const stated = readable(path, () => ledgerOptions(readLedger(ledger.file)));
  const report = reportIn(folder, stated, flags) ?? (await judgedAgain(path, ledger, stated, flags));
  const exchanges = () => exchangesOf(ledger.file);
  if (flags.verbose)
    for (const exchange of exchanges()) process.stderr.write(`${renderExchangeLine(brief(exchange))}\n`);
  // The folder of the run exists. If it is read-only, the verdict is printed anyway.
  const { path: out, problem }: OutFolder =
    flags.out === undefined
      ? { path: resolve(folder) }
      : openReportFolder(flags.out, (other) => clearUnlessOf(path, other));
  try {
    return await deliver(report, exchanges, {
      formats: flags.format ?? DEFAULT_FORMATS,
      out: problem ? undefined : out,
      ...(flags.out === undefined ? { isOurs: () => ledger.isThere() } : {}),
      detail: detailOf(flags),
    });
  } finally {
    ledger.close();
  }
}

/** Removes the files of another run, as a run does, unless the folder is that of the ledger itself. */
function clearUnlessOf(ledger: string, folder: string): void {
  const [given, inFolder] = [ledger, join(folder, REPORT_FILES.ledger)].map((path) =>
    statSync(path, { throwIfNoEntry: false }),
  );
  if (given && inFolder && given.dev === inFolder.dev && given.ino === inFolder.ino) return;
  clearFolder(folder);
}

/** Judges the run of a ledger again, with the options and the requirements of that run. */
async function judgedAgain(
  path: string,
  ledger: OwnLedger,
  stated: Partial<RunOptions>,
  flags: ReportFlags,
): Promise<Report> {
  const options = readable(path, () => withNamedFiles(stated, flags));
  const judging = await interfaceOf(options).catch((error) => readable(path, () => raise(error)));
  const { contract, checks } = judging;
  const baselines = await openBaselines(flags, contract);
  const record = readable(path, () => rejudge(contract, checks, readLedger(ledger.file)));
  const plan = planAgain(contract, checks, options);
  const exchanges = exchangesOf(ledger.file);
  return baselines.compare(await inTurns(assembling(judging, record, exchanges, plan)), plan);
}

/** The report in the folder, if the run cannot be judged again because the user does not name the files that it used. */
function reportIn(folder: string, stated: Partial<RunOptions>, flags: ReportFlags): Report | undefined {
  const file = join(folder, REPORT_FILES.json);
  const missing = missingFile(stated, flags);
  const isJudging =
    missing === undefined || [...FILES, 'baseline' as const].some((name) => flags[name] !== undefined);
  if (isJudging || !statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const report = readable(file, () => readReport(readFileSync(file, 'utf8')));
  if (typeof report === 'string') throw new UsageError(`${file}: ${report}`);
  process.stderr.write(
    `petspec: rendered from ${visible(file)}; add --${missing} ${shellWord(stated[missing] ?? '')} to judge the run again\n`,
  );
  return report;
}

/** The options of a run that name files. */
const FILES = ['interface', 'example'] as const;

/**
 * The options of a ledger, which anybody may have written: petspec neither opens a file nor executes code only because the ledger
 * names it.
 * @throws UsageError if the user must name a file, or names a file that the run did not use
 */
function withNamedFiles(options: Partial<RunOptions>, flags: ReportFlags): Partial<RunOptions> {
  const { interface: _interface, example: _example, ...rest } = options;
  const named: Partial<RunOptions> = rest;
  const missing = missingFile(options, flags);
  if (missing !== undefined)
    throw new UsageError(
      `the run used --${missing} ${shellWord(options[missing] ?? '')}; petspec opens no file that only a ledger names: to use it, add that option`,
    );
  for (const name of FILES) {
    const [used, given] = [options[name], flags[name]];
    if (used === undefined && given !== undefined)
      throw new UsageError(`the run used no --${name}; leave it out`);
    if (given !== undefined) named[name] = given;
  }
  return named;
}

/** A file that the run used and the user does not name. */
function missingFile(options: Partial<RunOptions>, flags: ReportFlags): (typeof FILES)[number] | undefined {
  return FILES.find((name) => options[name] !== undefined && flags[name] === undefined);
}

function pathOfLedger(folder: string): string {
  const ledger = join(folder, REPORT_FILES.ledger);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError('no such folder');
  if (!statSync(ledger, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`no ${REPORT_FILES.ledger} in this folder; name the --out folder of a run`);
  return ledger;
}

function raise(error: unknown): never {
  throw error;
}

/** @throws UsageError if the file cannot be read, or is not a ledger that petspec can judge */
function readable<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isFileError(error) || error instanceof DamagedLedger || error instanceof UsageError)
      throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}

const EXAMPLES = `
Exit status: the same as petspec run.

Examples:
  petspec report
  petspec report reports --format ctrf,har
  petspec report ci-artifacts/staging --out rendered --quiet`;
