import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isHalf, REPORT_FILES } from '../../report/formats/files.ts';
import { UsageError } from '../../run/options.ts';

/** What keeps a folder from being written though nothing is wrong with its name: permissions, or a full disk. */
const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']);

/** A folder for reports. */
export interface OutFolder {
  /** Absolute. */
  path: string;
  /** Why nothing can be written there, in words: what was to be judged is judged all the same. */
  problem?: string;
}

/**
 * Makes the folder that reports go into.
 * @param prepare what is to be done there before anything is written
 * @throws UsageError where there can be no such folder
 */
export function openFolder(out: string, prepare: (path: string) => void = () => {}): OutFolder {
  const path = resolve(out);
  try {
    makeFolder(path);
    accessSync(path, constants.W_OK);
    prepare(path);
    return { path };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (!UNWRITABLE.has(code))
      throw new UsageError(`--out ${out}: cannot be written (${code}); name a folder that can`);
    return {
      path,
      problem: `${out} cannot be written (${code}): no report is kept, only the verdict is printed`,
    };
  }
}

/**
 * Takes away what an earlier run left in the folder, so that nothing of it stands beside what this one writes, however
 * this one ends; what it was killed over as well. Other files are left alone.
 * @param keep names that stay
 * @throws the file system's error
 */
export function clearFolder(folder: string, keep: readonly string[] = []): void {
  const names: readonly string[] = Object.values(REPORT_FILES);
  const isOurs = (name: string) => (names.includes(name) && !keep.includes(name)) || isHalf(name);
  for (const name of readdirSync(folder).filter(isOurs)) rmSync(join(folder, name), { force: true });
}

/** Makes a folder and those above it. Not by `recursive`, which never ends where a file system refuses new entries. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder));
  mkdirSync(folder);
}
