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

/** `petspec compare`: two or more runs as a table of requirements by run. */
export function compareCommand(exit: (status: number) => void): Command {
  return new Command('compare')
    .summary('two or more runs, requirement by requirement, differences first')
    .description(
      'Compares runs: staging and production, the last release and this one, five vendors. Prints a table of requirements and observations by run.',
    )
    .argument('<report.json...>', 'reports of runs, or their folders; the oldest first')
    .option('--format <name>', `one of ${FORMATS.join(', ')}`, compareFormat, 'text')
    .option('--fail-on-regression', 'exit 1 when something met in the first run is violated in the last')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: string[], flags: CompareFlags) => exit(await compare(paths, flags)));
}

async function compare(paths: readonly string[], flags: CompareFlags): Promise<number> {
  const [{ compareReports }, { readReport }] = await Promise.all([
    import('../../report/compare/compare.ts'),
    import('../../report/read-report.ts'),
  ]);
  if (paths.length < 2) throw new UsageError('compare: two reports are needed, or more');
  const comparison = compareReports(paths.map((path) => ({ name: path, report: load(path, readReport) })));
  process.stdout.write(await render(comparison, flags.format));
  const isWorse = comparison.rows.some(({ difference }) => difference === 'regression');
  return isWorse && flags.failOnRegression ? 1 : 0;
}

/** Bytes of a report at most: what petspec writes is bounded, and far below. */
const MAX_REPORT = 256 * 1024 * 1024;

/** @throws UsageError where there is no report */
function load(path: string, readReport: (text: string) => ReadReport): Report {
  try {
    const file = statSync(path).isDirectory() ? join(path, REPORT_FILES.json) : path;
    const kind = statSync(file);
    if (!kind.isFile() && !kind.isFIFO()) throw new UsageError(`${path}: is no file`);
    if (kind.size > MAX_REPORT)
      throw new UsageError(`${path}: not a petspec report: larger than ${MAX_REPORT / 1024 / 1024} MiB`);
    const read = readReport(readFileSync(file, 'utf8'));
    if (read.ok) return read.report;
    throw new UsageError(`${path}: ${read.problem}`);
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new UsageError(error.code === 'ENOENT' ? `${path}: there is no such report` : error.message);
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

/** @throws UsageError where there is no such format */
function compareFormat(name: string): CompareFormat {
  const format = FORMATS.find((each) => each === name);
  if (format) return format;
  throw new UsageError(`--format ${name}: there is no such format; one of ${FORMATS.join(', ')}`);
}

const EXAMPLES = `
Exit status: 0; 1 with --fail-on-regression where there is one; 2 where a report cannot be read.

Examples:
  petspec compare staging/report.json production/report.json
  petspec compare last-release this-release --fail-on-regression
  petspec compare vendor-*/report.json --format markdown > comparison.md`;
