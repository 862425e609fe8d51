import { join, relative } from 'node:path';
import { fileErrorOf } from '../../model/file-error.ts';
import type { Report } from '../../model/report/report.ts';
import { visible } from '../../model/visible.ts';
import { compareReports } from '../../report/compare/compare.ts';
import { renderCompareHtml } from '../../report/compare/compare-html.ts';
import { renderCompareMarkdown, renderCompareText } from '../../report/compare/compare-text.ts';
import { reasonOf, verdictWords } from '../../report/facts/verdict.ts';
import { type Format, writeFileAtomically } from '../../report/files/formats.ts';
import { pageOf } from '../../report/text/style.ts';
import { tellGithubOfAll } from './on-github.ts';

/** The files of a comparison, by format. */
export const COMPARISON_FILES = { html: 'comparison.html', markdown: 'comparison.md' } as const;
const RENDERERS = { html: renderCompareHtml, markdown: renderCompareMarkdown };

/**
 * Writes and prints the comparison of concurrent runs, also for GitHub Actions. Prints a line for each file that cannot
 * be written.
 * @param runs with the names of their targets; if there are several, their exchanges are not used
 * @param options.isPartial whether petspec failed on a target, so that it is not among the runs
 * @param options.out folder for the files; without it none are written
 */
export function deliverComparison(
  runs: readonly { name: string; report: Report }[],
  {
    isPartial,
    out,
    formats,
    quiet,
  }: { isPartial: boolean; out?: string | undefined; formats: readonly Format[]; quiet: boolean },
): void {
  const { stdout, stderr, env } = process;
  const comparison = compareReports(
    runs.map((run) => ({ ...run, ...(formats.includes('html') ? { folder: run.name } : {}) })),
    'side-by-side',
  );
  const problems: string[] = [];
  const files: string[] = [];
  for (const format of ['html', 'markdown'] as const) {
    if (out === undefined || !formats.includes(format) || runs.length < 2) continue;
    const file = COMPARISON_FILES[format];
    const error = fileErrorOf(() =>
      files.push(writeFileAtomically(join(out, file), RENDERERS[format](comparison))),
    );
    if (error) problems.push(`cannot write ${file} into ${out} (${error.code})`);
  }
  if (quiet || runs.length < 2) stdout.write(runs.map(verdictLine).join(''));
  else stdout.write(renderCompareText(comparison, pageOf(stdout, env)));
  if (!quiet && out !== undefined) {
    const folder = relative(process.cwd(), out) || '.';
    const names = files.map((file) => relative(process.cwd(), file) || file);
    stdout.write(`${[...names, `${join(folder, '*', 'report.json')}`].join('  ')}\n`);
  }
  const group = { runs, isPartial, out };
  const shown = { ...group, comparison: () => renderCompareMarkdown(comparison) };
  problems.push(...tellGithubOfAll(shown, env, (text) => stdout.write(text)));
  for (const problem of problems) stderr.write(`petspec: ${problem}\n`);
}

function verdictLine({ name, report }: { name: string; report: Report }): string {
  return `${name}: ${verdictWords(report)}: ${visible(reasonOf(report))}\n`;
}
