import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import type { Report } from '../../model/report/report.ts';
import type { Comparison } from '../../report/compare/compare.ts';
import { REPORT_FILES } from '../../report/formats/files.ts';
import type { ReadReport } from '../../report/read-report.ts';
import { UsageError } from '../../run/options.ts';
import { isFileError } from '../output/write-reports.ts';

const FORMATS = ['text', 'markdown', 'html'] as const;
type CompareFormat = (typeof FORMATS)[number];

interface CompareFlags {
  format: CompareFormat;
  failOnRegression?: boolean;
}

/** `petspec compare`: compares two or more runs in a table. */
export function compareCommand(exit: (status: number) => void): Command {
  return new Command('compare')
    .summary('compare two or more runs')
    .description(
      'Compares runs, for example of staging and production, or of two releases. Prints a table of requirements and observations, with the differences first.',
    )
    .argument('<report.json...>', 'reports or their folders, the oldest first')
    .option('--format <name>', `output format: ${FORMATS.join(', ')}`, compareFormat, 'text')
    .option('--fail-on-regression', 'exit 1 if a requirement that the first run met is violated in the last')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: string[], flags: CompareFlags) => exit(await compare(paths, flags)));
}

async function compare(paths: readonly string[], flags: CompareFlags): Promise<number> {
  const [{ compareReports }, { readReport }] = await Promise.all([
    import('../../report/compare/compare.ts'),
    import('../../report/read-report.ts'),
  ]);
  if (paths.length < 2) throw new UsageError('compare: only one report; name two or more');
  const comparison = compareReports(paths.map((path) => ({ name: path, report: load(path, readReport) })));
  process.stdout.write(await render(comparison, flags.format));
  const isWorse = comparison.rows.some(({ difference }) => difference === 'regression');
  return isWorse && flags.failOnRegression ? 1 : 0;
}

/** The maximum size of a report, in bytes. petspec writes much smaller ones. */
const MAX_REPORT = 256 * 1024 * 1024;

/** @throws UsageError if the path is not a report */
function load(path: string, readReport: (text: string) => ReadReport): Report {
  try {
    const file = statSync(path).isDirectory() ? join(path, REPORT_FILES.json) : path;
    const kind = statSync(file);
    if (!kind.isFile() && !kind.isFIFO()) throw new UsageError(`${path}: not a file`);
    if (kind.size > MAX_REPORT)
      throw new UsageError(`${path}: not a petspec report: larger than ${MAX_REPORT / 1024 / 1024} MiB`);
    const read = readReport(readFileSync(file, 'utf8'));
    if (read.ok) return read.report;
    throw new UsageError(`${path}: ${read.problem}`);
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new UsageError(error.code === 'ENOENT' ? `${path}: no such report` : error.message);
  }
}

async function render(comparison: Comparison, format: CompareFormat): Promise<string> {
  switch (format) {
    case 'markdown':
      return (await import('../../report/compare/compare-markdown.ts')).renderCompareMarkdown(comparison);
    case 'html':
      return (await import('../../report/compare/compare-html.ts')).renderCompareHtml(comparison);
    case 'text': {
      const [{ renderCompareText }, { pageOf }] = await Promise.all([
        import('../../report/compare/compare-text.ts'),
        import('../output/page.ts'),
      ]);
      return renderCompareText(comparison, pageOf(process.stdout, process.env));
    }
  }
}

/** @throws UsageError if the format is unknown */
function compareFormat(name: string): CompareFormat {
  const format = FORMATS.find((each) => each === name);
  if (format) return format;
  throw new UsageError(`--format: unknown format '${name}'; expected one of ${FORMATS.join(', ')}`);
}

const EXAMPLES = `
Exit status: 0, or 1 for a regression with --fail-on-regression, or 2 if a report cannot be read.

Examples:
  petspec compare staging/report.json production/report.json
  petspec compare last-release this-release --fail-on-regression
  petspec compare vendor-*/report.json --format markdown > comparison.md`;
