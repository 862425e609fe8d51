import { closeSync, openSync, readSync } from 'node:fs';
import type { HistoryEntry } from '../history/entry.ts';
import { entryIn, entryReader, HEAD, type HistoryLine, linesOf } from '../history/read.ts';
import { type OnProblem, unlessUnreadable } from './files.ts';

/** Where the entries of an implementation are: which file, from where, how long. */
interface EntryPlaces {
  files: number[];
  offsets: number[];
  lengths: number[];
}

/** Where the entries of each implementation are. A run takes a few bytes, so that many histories fit. */
export interface RunIndex {
  files: readonly string[];
  byName: ReadonlyMap<string, EntryPlaces>;
  /** By digest of a wanted report: the first implementation that has it. */
  owners: ReadonlyMap<string, string>;
}

/**
 * Looks through histories for the implementations that they have.
 * @param wanted digests of reports whose implementation is asked for
 */
export function indexRuns(
  files: readonly string[],
  wanted: ReadonlySet<string>,
  onProblem: OnProblem,
): RunIndex {
  const owners = new Map<string, string>();
  const byName = new Map<string, EntryPlaces>();
  const names = new Map<string, string>();
  const add = (number: number, path: string, line: HistoryLine) => {
    const found = headOf(line, names, wanted);
    if (typeof found === 'string') {
      onProblem(`${path}: line ${line.number}: ${found}`);
      return;
    }
    const { name, report } = found;
    if (wanted.has(report) && !owners.has(report)) owners.set(report, name);
    const places = byName.get(name) ?? { files: [], offsets: [], lengths: [] };
    byName.set(name, places);
    places.files.push(number);
    places.offsets.push(line.offset);
    places.lengths.push(line.bytes?.length ?? 0);
  };
  for (const [number, path] of files.entries())
    unlessUnreadable(path, onProblem, () => {
      const file = openSync(path, 'r');
      try {
        for (const line of linesOf(file)) add(number, path, line);
      } finally {
        closeSync(file);
      }
    });
  return { files, byName, owners };
}

/** What petspec writes at the beginning of a line, so that its name is found without the rest. */
const BEGINNING = new RegExp(`^${HEAD.replace('{', '\\{')}([0-9a-f]{64})","name":("(?:[^"\\\\]|\\\\.)*"),`);
const BEGINNING_BYTES = 2_048;

/**
 * The digest and the name of an entry, or why a line is not one. Reads the rest of a line only if it is the first with its
 * name, or if its report is wanted: a line that is not an entry must not own a report.
 */
function headOf(
  line: HistoryLine,
  names: Map<string, string>,
  wanted: ReadonlySet<string>,
): Pick<HistoryEntry, 'report' | 'name'> | string {
  const text = line.isWhole ? line.bytes?.toString('utf8', 0, BEGINNING_BYTES) : undefined;
  const [, report = '', quoted = ''] = BEGINNING.exec(text ?? '') ?? [];
  const known = names.get(quoted);
  if (known !== undefined && !wanted.has(report)) return { report, name: known };
  const entry = entryIn(line);
  if (typeof entry === 'string' || quoted === '') return entry;
  // The last of two members counts in JSON. It must not stand for the first in the lines of others.
  if (entry.name !== JSON.parse(quoted) || entry.report !== report) return TWICE;
  names.set(quoted, entry.name);
  return entry;
}

const TWICE = 'the line has two names or two reports';

/** The entries of an implementation, in the order of the files. A report that two lines have counts once. */
export function* entriesAt(
  { files, byName }: RunIndex,
  name: string,
  onProblem: OnProblem,
): Generator<HistoryEntry> {
  const places = byName.get(name);
  if (!places) return;
  const known = new Set<string>();
  const read = entryReader();
  let opened = -1;
  let file: number | undefined;
  try {
    for (const [index, number] of places.files.entries()) {
      const path = files[number] ?? '';
      if (number !== opened) {
        if (file !== undefined) closeSync(file);
        file = unlessUnreadable(path, onProblem, () => openSync(path, 'r'));
        opened = number;
      }
      if (file === undefined) continue;
      const offset = places.offsets[index] ?? 0;
      const bytes = Buffer.allocUnsafe(places.lengths[index] ?? 0);
      // Somebody may have made the file shorter.
      const entry = read(bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset)));
      if (typeof entry === 'string') onProblem(`${path}: at byte ${offset}: ${entry}`);
      else if (entry.name !== name) onProblem(`${path}: at byte ${offset}: ${TWICE}`);
      else if (!known.has(entry.report)) {
        known.add(entry.report);
        yield entry;
      }
    }
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
