import { relative } from 'node:path';
import type { Exchange } from '../../model/exchange.ts';
import { exitStatusOf, type Report } from '../../model/report/report.ts';
import type { Format } from '../../report/formats/formats.ts';
import { type Page, renderReport } from '../../report/text/terminal.ts';
import { tellGithub } from './on-github.ts';
import { pageOf } from './page.ts';
import { writeReports } from './write-reports.ts';

/** What a user asked to get of a report, and where. */
export interface Delivery {
  formats: readonly Format[];
  /** Folder of the files; without one none are written. */
  out?: string;
  /** Whether the folder is still that of this run. */
  isOurs?: () => boolean;
  detail: Page['detail'];
}

/**
 * Writes the files of a report, prints what it says, and tells GitHub Actions. Whatever cannot be written is said in a
 * line each, and the verdict is printed all the same.
 * @returns the exit status: that of the verdict, or of the comparison with a baseline
 */
export async function deliver(
  report: Report,
  exchanges: () => Iterable<Exchange>,
  { formats, out, isOurs, detail }: Delivery,
): Promise<number> {
  const { stdout, stderr, env } = process;
  const { files, problems } =
    out === undefined
      ? { files: [], problems: [] }
      : await writeReports(report, exchanges, formats, out, isOurs);
  stdout.write(renderReport(report, { ...pageOf(stdout, env), detail }));
  if (detail !== 'quiet' && files.length > 0)
    stdout.write(`${files.map((file) => relative(process.cwd(), file) || file).join('  ')}\n`);
  problems.push(...(await tellGithub(report, env, (text) => stdout.write(text), out)));
  for (const problem of problems) stderr.write(`petspec: ${problem}\n`);
  return exitStatusOf(report);
}
