import { closeSync, openSync, readSync } from 'node:fs';
import type { HistoryEntry } from '../history/entry.ts';
import { entryIn, entryReader, HEAD, type HistoryLine, linesOf } from '../history/read.ts';
import { type OnProblem, unlessUnreadable } from './files.ts';

/** Where the entries of an implementation are: for each, the index of its file, its offset and its length in bytes. */
interface EntryPlaces {
  files: number[];
  offsets: number[];
  lengths: number[];
}

/** Where the entries of each implementation are. A run takes a few bytes, so that large histories fit into memory. */
export interface RunIndex {
  files: readonly string[];
  byName: ReadonlyMap<string, EntryPlaces>;
  /** The first implementation that has a wanted report, by SHA-256 of the report. */
  owners: ReadonlyMap<string, string>;
}

/**
 * Indexes the entries of histories by implementation.
 * @param wanted digests of the reports whose owners are needed
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
    const head = headOf(line, names, wanted);
    if (typeof head === 'string') {
      onProblem(`${path}: line ${line.number}: ${head}`);
      return;
    }
    const { name, report } = head;
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

/** The beginning of a line, from which digest and name are read without parsing the rest. */
const BEGINNING = new RegExp(`^${HEAD.replace('{', '\\{')}([0-9a-f]{64})","name":("(?:[^"\\\\]|\\\\.)*"),`);
const BEGINNING_BYTES = 2_048;

/**
 * The digest and the name of an entry, or why a line is not an entry. The whole line is parsed only if it is the first with
 * its name, or if its report is wanted: an invalid line must not own a report.
 */
function headOf(
  line: HistoryLine,
  names: Map<string, string>,
  wanted: ReadonlySet<string>,
): Pick<HistoryEntry, 'report' | 'name'> | string {
  const text = line.isWhole ? line.bytes?.toString('utf8', 0, BEGINNING_BYTES) : undefined;
  const [, report = '', quoted = ''] = BEGINNING.exec(text ?? '') ?? [];
  const name = names.get(quoted);
  if (name !== undefined && !wanted.has(report)) return { report, name };
  const entry = entryIn(line);
  if (typeof entry === 'string' || quoted === '') return entry;
  // Of two members with one name, JSON.parse takes the last, and BEGINNING the first: the line could pose as another's.
  if (entry.name !== JSON.parse(quoted) || entry.report !== report) return TWICE;
  names.set(quoted, entry.name);
  return entry;
}

const TWICE = 'the line has two names or two reports';

/** The entries of an implementation, in the order of the files. Of two lines with the same report, the first counts. */
export function* entriesAt(
  { files, byName }: RunIndex,
  name: string,
  onProblem: OnProblem,
): Generator<HistoryEntry> {
  const places = byName.get(name);
  if (!places) return;
  const reports = new Set<string>();
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
      // The file may have become shorter since it was indexed.
      const entry = read(bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset)));
      if (typeof entry === 'string') onProblem(`${path}: at byte ${offset}: ${entry}`);
      else if (entry.name !== name) onProblem(`${path}: at byte ${offset}: ${TWICE}`);
      else if (!reports.has(entry.report)) {
        reports.add(entry.report);
        yield entry;
      }
    }
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
