import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { UsageError } from '../../model/usage-error.ts';
import { isHalf, REPORT_FILES } from '../../report/files/formats.ts';

/** Errors of permissions or a full disk, rather than of a wrong path. */
const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']);

/** A folder for reports. */
export interface OutFolder {
  /** Absolute. */
  path: string;
  /** Why nothing can be written there. */
  problem?: string;
}

/** @throws UsageError without a name: an empty variable of a script does not mean the working folder */
export function refuseUnnamed(out: string): void {
  if (out === '') throw new UsageError('--out: no folder named');
}

/**
 * Makes a folder to write to.
 * @param prepare called before anything is written there
 * @throws UsageError if there can be no such folder
 */
export function openFolder(out: string, prepare: (path: string) => void = () => {}): OutFolder {
  refuseUnnamed(out);
  const path = resolve(out);
  try {
    makeFolder(path);
    // With the separator, this fails for a file.
    accessSync(path + sep, constants.W_OK);
    prepare(path);
    return { path };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (!UNWRITABLE.has(code))
      throw new UsageError(`--out: cannot write to '${out}' (${code}); name another folder`);
    return { path, problem: `cannot write to '${out}' (${code})` };
  }
}

/**
 * Makes the folder for reports that a command can do without: if nothing can be written, it prints a line.
 * @throws UsageError if there can be no such folder
 */
export function openReportFolder(out: string, prepare?: (path: string) => void): OutFolder {
  const folder = openFolder(out, prepare);
  if (folder.problem !== undefined)
    process.stderr.write(`petspec: ${folder.problem}; no reports are written, only the verdict is printed\n`);
  return folder;
}

/**
 * Removes the files of an earlier run from the folder, also half-written ones, so that they never mix with those of this
 * run. Other files stay.
 * @param keep names of files that stay
 * @throws the file system's error
 */
export function clearFolder(folder: string, keep: readonly string[] = []): void {
  const names: readonly string[] = Object.values(REPORT_FILES);
  const leftovers = readdirSync(folder, { withFileTypes: true }).filter(
    ({ name }) => (names.includes(name) && !keep.includes(name)) || isHalf(name),
  );
  // A folder with such a name cannot be removed: it is tried first, so that this fails before any file is removed.
  const ordered = leftovers.sort((left, right) => Number(right.isDirectory()) - Number(left.isDirectory()));
  for (const { name } of ordered) rmSync(join(folder, name), { force: true });
}

/** Makes a folder and its parents. `recursive` would never end on a file system that refuses new entries. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another run may have made it since.
    if (!existsSync(folder)) throw error;
  }
}

/** The ledger of a run, held open. Another run in the same folder can replace the file, but not its contents. */
export interface OwnLedger {
  /** File descriptor to read it from, even after the file was replaced. */
  file: number;
  /** Whether the file was neither removed nor replaced. */
  isThere(): boolean;
  close(): void;
}

/** @throws the file system's error if it cannot be opened */
export function holdLedger(path: string): OwnLedger {
  const file = openSync(path, 'r');
  return {
    file,
    isThere() {
      const [held, current] = [fstatSync(file), statSync(path, { throwIfNoEntry: false })];
      return current !== undefined && current.ino === held.ino && current.dev === held.dev;
    },
    close: () => closeSync(file),
  };
}
