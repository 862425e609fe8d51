import { lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '../model/usage-error.ts';
import { REPORT_FILES } from '../report/formats/files.ts';

/** The deepest folder that is searched, and the most files. */
const MAX_DEPTH = 8;
const MAX_FILES = 200_000;

/** The files that a board is made of. */
export interface BoardFiles {
  histories: string[];
  reports: string[];
}

/**
 * The histories and reports that paths name, and those in the folders that they name. Links in folders are not followed:
 * they may lead out of what a stranger sent.
 * @throws UsageError if a path does not exist, or is neither a file nor a folder
 */
export function filesIn(paths: readonly string[]): BoardFiles {
  const found: BoardFiles = { histories: [], reports: [] };
  for (const path of paths) {
    const kind = statSync(path, { throwIfNoEntry: false });
    if (kind === undefined) throw new UsageError(`${path}: no such file or folder`);
    if (kind.isDirectory()) search(path, MAX_DEPTH, found);
    else if (!kind.isFile()) throw new UsageError(`${path}: neither a file nor a folder`);
    else if (path.endsWith('.jsonl')) found.histories.push(path);
    else found.reports.push(path);
  }
  return { histories: [...new Set(found.histories)], reports: [...new Set(found.reports)] };
}

function search(folder: string, depth: number, found: BoardFiles): void {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const kind = lstatSync(path, { throwIfNoEntry: false });
    if (kind?.isDirectory() && depth > 0 && !name.startsWith('.') && name !== 'node_modules')
      search(path, depth - 1, found);
    if (!kind?.isFile()) continue;
    if (name === REPORT_FILES.json) found.reports.push(path);
    if (name.endsWith('.jsonl') && name !== REPORT_FILES.ledger) found.histories.push(path);
    if (found.reports.length + found.histories.length > MAX_FILES)
      throw new UsageError(`${basename(folder)}: more than ${MAX_FILES} files; name fewer folders`);
  }
}
