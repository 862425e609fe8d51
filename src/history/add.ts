import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeFileSync } from 'node:fs';
import { UsageError } from '../model/usage-error.ts';
import type { HistoryEntry } from './entry.ts';
import { withLock } from './file-lock.ts';
import { HEAD, isBeginning, linesOf, readEntry } from './read.ts';

/** What an addition did to a history. */
export interface Added {
  /** For each entry: false if the history already has its report. */
  isNew: boolean[];
  /** Length in bytes of the incomplete last line that was removed. */
  removed: number;
}

/**
 * Adds entries to a history, one line each. The lock keeps two jobs from adding the same report, and from removing as
 * incomplete a line that the other job is still writing. Every write appends, so no line is lost even without the lock.
 * @param path the file, which is created if it does not exist
 * @throws UsageError if it is not a history, the file system's error, or LockProblem
 */
export async function addEntries(path: string, entries: readonly HistoryEntry[]): Promise<Added> {
  return withLock(`${path}.lock`, () => {
    const file = openSync(path, 'a+');
    try {
      if (!fstatSync(file).isFile()) throw new UsageError(`${path}: not a file`);
      const { present, end, cut } = survey(file, path, new Set(entries.map(({ report }) => report)));
      if (cut > 0) ftruncateSync(file, end);
      return { isNew: append(file, end, entries, present), removed: cut };
    } finally {
      closeSync(file);
    }
  });
}

/**
 * Scans a history.
 * @returns which of the wanted reports it has, where its last complete line ends, and the length of an incomplete line after it
 */
function survey(file: number, path: string, wanted: ReadonlySet<string>) {
  const present = new Set<string>();
  let end = 0;
  let cut = 0;
  for (const { number, offset, bytes, isWhole } of linesOf(file)) {
    const head = bytes?.subarray(0, HEAD.length + 64).toString('latin1') ?? '';
    // A file that is not a history must never lose its last line.
    if (bytes === undefined || !(isWhole ? head.startsWith(HEAD) : isBeginning(bytes)))
      throw new UsageError(
        `${path}: line ${number} is not an entry of a history; name another file with --file`,
      );
    if (isWhole || typeof readEntry(bytes) !== 'string') {
      const report = head.slice(HEAD.length);
      if (wanted.has(report)) present.add(report);
      end = offset + bytes.length + 1;
      if (!isWhole) writeFileSync(file, '\n');
    } else cut = bytes.length;
  }
  return { present, end, cut };
}

/** Appends the entries whose report is not present. If a write fails, such as on a full disk, removes what it appended. */
function append(
  file: number,
  end: number,
  entries: readonly HistoryEntry[],
  present: Set<string>,
): boolean[] {
  try {
    const isNew = entries.map((entry) => {
      if (present.has(entry.report)) return false;
      present.add(entry.report);
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
