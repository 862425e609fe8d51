import { join, relative } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Exchange } from '../../model/exchange.ts';
import { fileErrorOf } from '../../model/file-error.ts';
import { exitStatusOf, type Report } from '../../model/report/report.ts';
import { type Format, REPORT_FORMATS, writeFileAtomically } from '../../report/files/formats.ts';
import { pageOf } from '../../report/text/style.ts';
import { renderReport, type TerminalPage } from '../../report/text/terminal.ts';
import { tellGithub } from './on-github.ts';

/** Which formats of a report are written, and where. */
export interface Delivery {
  formats: readonly Format[];
  /** Folder for the files; without it none are written. */
  out?: string | undefined;
  /** Whether the folder still belongs to this run. */
  isOurs?: () => boolean;
  detail: TerminalPage['detail'];
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

/**
 * Writes the reports of a run into its folder: report.json, and the requested formats. If one cannot be written, the others
 * still are.
 * @param exchanges every exchange of the run, read again for each format
 * @param isOurs whether the folder is still that of this run: once another run writes there, files of both must not mix
 * @returns the written files, and a line for each file that could not be written
 */
export async function writeReports(
  report: Report,
  exchanges: () => Iterable<Exchange>,
  formats: readonly Format[],
  out: string,
  isOurs: () => boolean = () => true,
): Promise<{ files: string[]; problems: string[] }> {
  const files: string[] = [];
  const failed = new Map<string, string[]>();
  for (const format of new Set<Format>(['json', ...formats])) {
    const { file, load } = REPORT_FORMATS[format];
    const render = await load();
    // Lets an interruption be handled between two files.
    await setImmediate();
    let why: string | undefined = TAKEN;
    if (isOurs()) {
      const error = fileErrorOf(() =>
        files.push(writeFileAtomically(join(out, file), render(report, exchanges))),
      );
      why = error?.code ?? error?.message;
    }
    if (why !== undefined) failed.set(why, [...(failed.get(why) ?? []), file]);
  }
  const problems = [...failed].map(
    ([why, names]) => `${names.join(', ')} cannot be written into ${out} (${why})`,
  );
  return { files, problems };
}

const TAKEN = 'the ledger of this run is no longer there';
