import { accessSync, constants, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../harness/options.ts';
import { REPORT_FILES } from '../report/files.ts';

/** Makes the folder that reports go into. @returns its absolute path @throws UsageError where that is not possible */
export function openFolder(out: string): string {
  const folder = resolve(out);
  attempt(out, () => {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
  });
  return folder;
}

/**
 * Takes away what an earlier run left in the folder, so that nothing of it stands beside what this one writes, however
 * this one ends. Other files are left alone.
 * @throws UsageError where that is not possible
 */
export function clearFolder(out: string, folder: string): void {
  attempt(out, () => {
    for (const name of Object.values(REPORT_FILES)) rmSync(join(folder, name), { force: true });
  });
}

function attempt(out: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UsageError(`--out ${out}: cannot be written (${code}); name a folder that can`);
  }
}

/** Makes a folder and those above it. Not by `recursive`, which never ends where a file system refuses new entries. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder));
  mkdirSync(folder);
}
