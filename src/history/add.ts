import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeFileSync } from 'node:fs';
import { UsageError } from '../model/usage-error.ts';
import type { HistoryEntry } from './entry.ts';
import { withLock } from './file-lock.ts';
import { HEAD, isBeginning, linesOf, readEntry } from './read.ts';

/** What happened to the entries, and to the last line of the file. */
export interface Added {
  /** By entry: whether it was added. Those that were not are there already. */
  isNew: boolean[];
  /** Bytes of a cut last line that were removed. */
  removed: number;
}

/**
 * Adds entries to a history, each as one line. The lock keeps two jobs from adding the same report, and from removing a
 * line as cut that another is still writing. Every write appends, so no other line is lost even without the lock.
 * @param path the file, which is made if it does not exist
 * @throws UsageError if it is not a history, the file system's error, or LockProblem
 */
export async function addEntries(path: string, entries: readonly HistoryEntry[]): Promise<Added> {
  return withLock(`${path}.lock`, () => {
    const file = openSync(path, 'a+');
    try {
      if (!fstatSync(file).isFile()) throw new UsageError(`${path}: not a file`);
      const { known, end, cut } = survey(file, path, new Set(entries.map(({ report }) => report)));
      if (cut > 0) ftruncateSync(file, end);
      return { isNew: append(file, end, entries, known), removed: cut };
    } finally {
      closeSync(file);
    }
  });
}

/**
 * Looks through a history.
 * @returns which of the reports it has, where its last whole line ends, and the bytes of a cut line after it
 */
function survey(file: number, path: string, wanted: ReadonlySet<string>) {
  const known = new Set<string>();
  let end = 0;
  let cut = 0;
  for (const { number, offset, bytes, isWhole } of linesOf(file)) {
    const head = bytes?.subarray(0, HEAD.length + 64).toString('latin1') ?? '';
    // Something else must never lose its last line.
    if (bytes === undefined || !(isWhole ? head.startsWith(HEAD) : isBeginning(bytes)))
      throw new UsageError(
        `${path}: line ${number} is not an entry of a history; name another file with --file`,
      );
    if (isWhole || typeof readEntry(bytes) !== 'string') {
      const report = head.slice(HEAD.length);
      if (wanted.has(report)) known.add(report);
      end = offset + bytes.length + 1;
      if (!isWhole) writeFileSync(file, '\n');
    } else cut = bytes.length;
  }
  return { known, end, cut };
}

/** Appends the entries that are not known yet. If the disk is full, removes what was written of them. */
function append(file: number, end: number, entries: readonly HistoryEntry[], known: Set<string>): boolean[] {
  try {
    const isNew = entries.map((entry) => {
      if (known.has(entry.report)) return false;
      known.add(entry.report);
      writeFileSync(file, `${JSON.stringify(entry)}\n`);
      return true;
    });
    fsyncSync(file);
    return isNew;
  } catch (error) {
    ftruncateSync(file, end);
    throw error;
  }
}
