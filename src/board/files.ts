import { accessSync, constants, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isFileError } from '../model/file-error.ts';
import { UsageError } from '../model/usage-error.ts';
import { REPORT_FILES } from '../report/files/formats.ts';

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
 * @param onProblem told of what in a folder cannot be read
 * @throws UsageError if a path does not exist, cannot be read, or is neither a file nor a folder
 */
export function filesIn(paths: readonly string[], onProblem: OnProblem): BoardFiles {
  const found: BoardFiles = { histories: [], reports: [] };
  for (const path of paths) {
    const kind = kindOf(path);
    if (kind === undefined) throw new UsageError(`${path}: no such file or folder`);
    if (kind.isDirectory()) search(path, MAX_DEPTH, found, onProblem);
    else if (!kind.isFile()) throw new UsageError(`${path}: neither a file nor a folder`);
    else if (path.endsWith('.jsonl')) found.histories.push(path);
    else found.reports.push(path);
  }
  return { histories: [...new Set(found.histories)], reports: [...new Set(found.reports)] };
}

/** What a named path is; undefined if it does not exist. @throws UsageError if it cannot be read */
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

function search(folder: string, depth: number, found: BoardFiles, onProblem: OnProblem): void {
  const names = unlessUnreadable(folder, onProblem, () => readdirSync(folder).sort()) ?? [];
  for (const name of names) {
    const path = join(folder, name);
    const kind = unlessUnreadable(path, onProblem, () => lstatSync(path, { throwIfNoEntry: false }));
    if (kind?.isDirectory() && depth > 0 && !name.startsWith('.') && name !== 'node_modules')
      search(path, depth - 1, found, onProblem);
    if (!kind?.isFile()) continue;
    if (name === REPORT_FILES.json) found.reports.push(path);
    if (name.endsWith('.jsonl') && name !== REPORT_FILES.ledger) found.histories.push(path);
    if (found.reports.length + found.histories.length > MAX_FILES)
      throw new UsageError(`${basename(folder)}: more than ${MAX_FILES} files; name fewer folders`);
  }
}

/** Says that something is ignored, and why. */
export type OnProblem = (problem: string) => void;

/** What reading gives; undefined, with a line about it, if the file system does not let this be read. */
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
