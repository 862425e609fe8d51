import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Exchange } from '../../model/exchange.ts';
import { fileErrorOf } from '../../model/file-error.ts';
import type { Report } from '../../model/report/report.ts';
import { writeFileAtomically, type Format, REPORT_FORMATS } from '../../report/formats/formats.ts';

/**
 * Writes the reports of a run into its folder: report.json, and what was asked for. One that cannot be written keeps
 * no other from being written.
 * @param exchanges every exchange of the run, read anew each time
 * @param isOurs whether the folder is still that of this run: once another one has begun to write there, its files are
 *   not mixed with those of this one
 * @returns the files that were written, and for those that could not be a line that says why
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
    // Between two files, an interruption is heard.
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
