import { basename, dirname } from 'node:path';
import { Command } from 'commander';
import { UsageError } from '../../../model/usage-error.ts';
import { type Comparison, comparedReports, compareReports } from '../../../report/compare/compare.ts';
import { renderCompareHtml } from '../../../report/compare/compare-html.ts';
import { renderCompareMarkdown, renderCompareText } from '../../../report/compare/compare-text.ts';
import { pageOf } from '../../../report/text/style.ts';
import { readBareReport } from '../../options/named-file.ts';
import { chosen } from '../../options/option-values.ts';

const RENDERERS = {
  text: (comparison: Comparison) => renderCompareText(comparison, pageOf(process.stdout, process.env)),
  markdown: renderCompareMarkdown,
  html: renderCompareHtml,
};
type CompareFormat = keyof typeof RENDERERS;
const FORMATS = Object.keys(RENDERERS) as CompareFormat[];

interface CompareFlags {
  format: CompareFormat;
  failOnRegression?: boolean;
}

/** `petspec compare`: compares two or more runs in a table. */
export function compareCommand(exit: (status: number) => void): Command {
  return new Command('compare')
    .description(
      'Compares runs, for example of staging and production, or of two releases. Prints a table of requirements and observations, with the differences first.',
    )
    .argument('<report.json...>', 'reports or their folders, the oldest first')
    .option(
      '--format <name>',
      `output format: ${FORMATS.join(', ')}`,
      (name) => chosen('format', name, FORMATS),
      'text',
    )
    .option('--fail-on-regression', 'exit 1 if a requirement that the first run met is violated in the last')
    .addHelpText('after', EXAMPLES)
    .action((paths: string[], flags: CompareFlags) => exit(compare(paths, flags)));
}

function compare(paths: readonly string[], flags: CompareFlags): number {
  if (paths.length < 2) throw new UsageError('compare: only one report; name two or more');
  const compared = comparedReports();
  const comparison = compareReports(
    paths.map((path) => ({ name: nameOf(path), report: compared(readBareReport(path)) })),
  );
  process.stdout.write(RENDERERS[flags.format](comparison));
  const isWorse = comparison.rows.some(({ difference }) => difference === 'regression');
  return isWorse && flags.failOnRegression ? 1 : 0;
}

/** The name of a run in the comparison: its folder, because most files have the same name. */
function nameOf(path: string): string {
  const folder = dirname(path);
  return basename(path) === 'report.json' && basename(folder) !== '.' ? folder : path;
}

const EXAMPLES = `
Exit status: 0, or 1 for a regression with --fail-on-regression, or 2 if a report cannot be read.

Examples:
  petspec compare staging/report.json production/report.json
  petspec compare last-release this-release --fail-on-regression
  petspec compare vendor-*/report.json --format markdown > comparison.md`;
