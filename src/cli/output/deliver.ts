import { relative } from 'node:path';
import type { Exchange } from '../../model/exchange.ts';
import { exitStatusOf, type Report } from '../../model/report/report.ts';
import type { Format } from '../../report/formats/formats.ts';
import { pageOf } from '../../report/text/style.ts';
import { type Page, renderReport } from '../../report/text/terminal.ts';
import { tellGithub } from './on-github.ts';
import { writeReports } from './write-reports.ts';

/** The formats of a report that the user wants, and where. */
export interface Delivery {
  formats: readonly Format[];
  /** Folder for the files; without it none are written. */
  out?: string | undefined;
  /** Whether the folder still belongs to this run. */
  isOurs?: () => boolean;
  detail: Page['detail'];
  /** How long the run took, in seconds. */
  seconds?: number;
}

/**
 * Writes the files of a report and prints it, also for GitHub Actions. If files cannot be written, prints a line about
 * them, and the verdict anyway.
 * @returns the exit status of the verdict, or of the comparison with a baseline
 */
export async function deliver(
  report: Report,
  exchanges: () => Iterable<Exchange>,
  { formats, out, isOurs, ...page }: Delivery,
): Promise<number> {
  const { stdout, stderr, env } = process;
  const { files, problems } =
    out === undefined
      ? { files: [], problems: [] }
      : await writeReports(report, exchanges, formats, out, isOurs);
  stdout.write(renderReport(report, { ...pageOf(stdout, env), ...page }));
  if (page.detail !== 'quiet' && files.length > 0)
    stdout.write(`${files.map((file) => relative(process.cwd(), file) || file).join('  ')}\n`);
  problems.push(...tellGithub(report, env, (text) => stdout.write(text), out));
  for (const problem of problems) stderr.write(`petspec: ${problem}\n`);
  return exitStatusOf(report);
}
