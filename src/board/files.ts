import { accessSync, constants, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isFileError } from '../model/file-error.ts';
import { UsageError } from '../model/usage-error.ts';
import { REPORT_FILES } from '../report/files/formats.ts';

/** Levels of folders that are searched, and files that are found. */
const MAX_DEPTH = 8;
const MAX_FILES = 200_000;

/** Paths of the files that a board is made from. */
export interface BoardFiles {
  histories: string[];
  reports: string[];
}

/**
 * The histories and reports among the named paths and in the named folders. Links in folders are not followed: a link in
 * an upload may lead out of it.
 * @param onProblem called for each file or folder that cannot be read
 * @throws UsageError if a path does not exist, cannot be read, or is neither a file nor a folder
 */
export function filesIn(paths: readonly string[], onProblem: OnProblem): BoardFiles {
  const files: BoardFiles = { histories: [], reports: [] };
  for (const path of paths) {
    const kind = kindOf(path);
    if (kind === undefined) throw new UsageError(`${path}: no such file or folder`);
    if (kind.isDirectory()) search(path, MAX_DEPTH, files, onProblem);
    else if (!kind.isFile()) throw new UsageError(`${path}: neither a file nor a folder`);
    else if (path.endsWith('.jsonl')) files.histories.push(path);
    else files.reports.push(path);
  }
  return { histories: [...new Set(files.histories)], reports: [...new Set(files.reports)] };
}

/** Whether a named path is a file or a folder; undefined if it does not exist. @throws UsageError if it cannot be read */
function kindOf(path: string): Stats | undefined {
  try {
    const kind = statSync(path, { throwIfNoEntry: false });
    if (kind) accessSync(path, constants.R_OK);
    return kind;
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new UsageError(`${path}: cannot read it (${error.code})`);
  }
}

function search(folder: string, depth: number, files: BoardFiles, onProblem: OnProblem): void {
  const names = unlessUnreadable(folder, onProblem, () => readdirSync(folder).sort()) ?? [];
  for (const name of names) {
    const path = join(folder, name);
    const kind = unlessUnreadable(path, onProblem, () => lstatSync(path, { throwIfNoEntry: false }));
    if (kind?.isDirectory() && depth > 0 && !name.startsWith('.') && name !== 'node_modules')
      search(path, depth - 1, files, onProblem);
    if (!kind?.isFile()) continue;
    if (name === REPORT_FILES.json) files.reports.push(path);
    if (name.endsWith('.jsonl') && name !== REPORT_FILES.ledger) files.histories.push(path);
    if (files.reports.length + files.histories.length > MAX_FILES)
      throw new UsageError(`${basename(folder)}: more than ${MAX_FILES} files; name fewer folders`);
  }
}

/** Reports a problem that does not stop the board. */
export type OnProblem = (problem: string) => void;

/** The result of `read`. If the file system refuses to read the path, reports that and returns undefined. */
export function unlessUnreadable<Value>(
  path: string,
  onProblem: OnProblem,
  read: () => Value,
): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (!isFileError(error)) throw error;
    onProblem(`${path}: cannot read it (${error.code})`);
    return undefined;
  }
}
