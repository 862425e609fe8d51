import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import type { Exchange } from '../../model/exchange.ts';
import { REPORT_FILES } from '../../report/formats/files.ts';
import type { Format } from '../../report/formats/formats.ts';
import { brief } from '../../run/exchange-brief.ts';
import { DEFAULT_OPTIONS, type RunOptions, UsageError } from '../../run/options.ts';
import { DEFAULT_FORMATS, FORMAT_HELP, FORMATS_HELP, formats } from '../options/formats.ts';
import { detailOf } from '../options/run-options.ts';
import { refuseSigned } from '../options/signed-certificate.ts';
import { type OutFolder, openFolder } from '../output/out-folder.ts';
import { holdLedger } from '../output/own-ledger.ts';
import { isFileError } from '../output/write-reports.ts';

interface ReportFlags {
  baseline?: string;
  format?: readonly Format[];
  out?: string;
  quiet?: boolean;
  verbose?: boolean;
}

/** `petspec report`: renders the reports of a run again, from its ledger. */
export function reportCommand(exit: (status: number) => void): Command {
  return new Command('report')
    .summary('render the reports of a run again, from its ledger')
    .description(
      'Judges the exchanges of a run again and writes its reports: in other formats, or for a run that was broken off. Nothing is sent.',
    )
    .argument('[folder]', `the folder of the run, with its ${REPORT_FILES.ledger}`, 'reports')
    .option('--format <names>', FORMAT_HELP, formats)
    .option('--baseline <file>', 'violations that are known: 0 while they are these exactly')
    .option('--out <dir>', 'where the reports go (default: the folder of the run)')
    .option('--quiet', 'print the violations and the verdict alone')
    .option('--verbose', 'print a line for each exchange, and all that a root cause explains')
    .addHelpText('after', FORMATS_HELP + EXAMPLES)
    .action(async (folder: string, flags: ReportFlags) => exit(await report(folder, flags)));
}

async function report(folder: string, flags: ReportFlags): Promise<number> {
  const [
    { contractOf },
    { allChecks },
    { rejudge },
    { assemble },
    { deliver },
    { exchangesOf, headerOf, readLedger },
    { openBaselines },
    { makePlan },
  ] = await Promise.all([
    import('../../run/contract-of.ts'),
    import('../../../suites/index.ts'),
    import('../../run/rejudge.ts'),
    import('../../report/assemble.ts'),
    import('../output/deliver.ts'),
    import('../../session/ledger/ledger.ts'),
    import('../options/baselines.ts'),
    import('../../run/plan.ts'),
  ]);
  if (flags.quiet && flags.verbose) throw new UsageError('--quiet and --verbose contradict each other');
  const path = readable(folder, () => pathOfLedger(folder));
  refuseSigned(flags.out ?? folder);
  const ledger = readable(path, () => holdLedger(path));
  const options = readable(path, () => (headerOf(ledger.file)?.options ?? {}) as Partial<RunOptions>);
  const contract = readable(path, () => contractOf(options));
  const checks = allChecks(contract);
  const baselines = openBaselines(flags, contract);
  const record = readable(path, () => rejudge(contract, checks, readLedger(ledger.file)));
  const exchanges = () => exchangesOf(ledger.file);
  if (flags.verbose) await printExchanges(exchanges());
  // A folder of the user's wish is made; the run's own is there, and if it is read-only the verdict is printed all the same.
  const { path: out, problem }: OutFolder =
    flags.out === undefined ? { path: resolve(folder) } : openFolder(flags.out);
  if (problem) process.stderr.write(`petspec: ${problem}\n`);
  const plan = makePlan(contract, checks, { ...DEFAULT_OPTIONS, ...options });
  try {
    return await deliver(baselines.compare(assemble(contract, record, exchanges()), plan), exchanges, {
      formats: flags.format ?? DEFAULT_FORMATS,
      ...(problem ? {} : { out }),
      ...(flags.out === undefined ? { isOurs: () => ledger.isThere() } : {}),
      detail: detailOf(flags),
    });
  } finally {
    ledger.close();
  }
}

function pathOfLedger(folder: string): string {
  const ledger = join(folder, REPORT_FILES.ledger);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${folder}: there is no such folder`);
  if (!statSync(ledger, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`${folder}: no run has left its ${REPORT_FILES.ledger} there`);
  return ledger;
}

/** @throws UsageError where a file is not what it is taken for, or cannot be read */
function readable<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isDamaged = error instanceof Error && error.name === 'DamagedLedger';
    if (error instanceof UsageError && error.message.startsWith(path)) throw error;
    if (isFileError(error) || isDamaged || error instanceof UsageError)
      throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}

async function printExchanges(exchanges: Iterable<Exchange>): Promise<void> {
  const { renderExchangeLine } = await import('../../report/text/exchange-line.ts');
  for (const exchange of exchanges) process.stderr.write(`${renderExchangeLine(brief(exchange))}\n`);
}

const EXAMPLES = `
Exit status: that of the verdict or of the baseline, as petspec run has it.

Examples:
  petspec report
  petspec report reports --format ctrf,har
  petspec report ci-artifacts/staging --out rendered --quiet`;
