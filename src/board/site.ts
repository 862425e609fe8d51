import type { KeyObject } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { group } from 'd3-array';
import { drawBadge, shieldOf } from '../certificate/badge.ts';
import { courseBuilder } from '../history/course.ts';
import type { HistoryEntry } from '../history/entry.ts';
import { UsageError } from '../model/usage-error.ts';
import { writeFileAtomically } from '../report/files/formats.ts';
import { renderHtml } from '../report/html/index.ts';
import { readAsset } from '../report/html/markup/page.ts';
import { frame, latestOf, runsOf, type StreamedFile, searchScript, streamFile } from './data.ts';
import { changesOf, type ImplementationChange, newestChanges, renderFeed } from './feed.ts';
import type { BoardFiles, OnProblem } from './files.ts';
import { columnsOf, listFile, PAGE_ROWS, renderListPage } from './front-page.ts';
import { type BoardImplementation, type Summary, slugOf, summaryOf } from './implementation.ts';
import { renderImplementation, type StatementOf } from './implementation-page.ts';
import { type BoardReport, isBetter, readBoardReport } from './reports.ts';
import { entriesAt, indexRuns, type RunIndex } from './run-index.ts';

/** Changes that are in memory before the older ones are dropped. */
const MAX_CHANGES = 1_000;

/** Newest runs of an implementation that the board shows. */
const MAX_RUNS = 1_000;

export interface BoardOptions {
  out: string;
  title: string;
  /** Trusted keys. */
  keys: readonly KeyObject[];
  /** The public address of the board, which ends with a slash. */
  url?: string;
  /** ms since the epoch. */
  now: number;
  statementOf: StatementOf;
  onProblem: OnProblem;
}

const FOLDERS = ['assets', 'badges', 'data', 'implementations', 'reports'] as const;

/** A file in these folders of an implementation or a report, complete or left half-written by a killed process. */
const OF_SUBJECT = /^([a-z0-9-]+-[0-9a-f]{10}|[0-9a-f]{64})\.(?:html|svg|json)(\.\d+\.tmp)?$/;
const LIST_PAGE = /^page-(\d+)\.html$/;

/**
 * Writes the site of a board. Only one implementation at a time is in memory, and a few bytes for each run.
 * @returns the numbers of implementations and runs
 * @throws UsageError if there is no run at all, or the file system's error
 */
export function makeBoard(
  files: BoardFiles,
  options: BoardOptions,
): { implementations: number; runs: number } {
  const { out, title, url, now, onProblem } = options;
  const madeAt = new Date(now).toISOString();
  for (const folder of FOLDERS) mkdirSync(join(out, folder), { recursive: true });
  const reports = writeReports(files.reports, options);
  const index = indexRuns(files.histories, new Set(reports.keys()), onProblem);
  const data = { latest: streamFile(join(out, 'latest.json')), runs: streamFile(join(out, 'runs.json')) };
  try {
    const written = writeImplementations(index, reports, data, options);
    if (written.summaries.length === 0) throw new UsageError('board: no run in these files');
    writeLists(written.summaries, madeAt, options);
    writeFileAtomically(join(out, 'feed.xml'), renderFeed(title, written.changes, madeAt, url));
    for (const file of Object.values(data)) file.finish();
    removeEarlier(out, written.summaries, reports);
    return { implementations: written.summaries.length, runs: written.runs };
  } finally {
    for (const file of Object.values(data)) file.discard();
  }
}

/** Removes the files of an earlier board that this board does not have. Called when this board is complete. */
function removeEarlier(out: string, summaries: readonly Summary[], reports: Reports): void {
  const kept = new Set([...summaries.map(({ slug }) => slug), ...reports.keys()]);
  for (const folder of FOLDERS)
    removeIn(join(out, folder), (name) => {
      const [, subject, half] = OF_SUBJECT.exec(name) ?? [];
      return subject !== undefined && (half !== undefined || !kept.has(subject));
    });
  const lists = Math.ceil(summaries.length / PAGE_ROWS);
  removeIn(out, (name) => Number(LIST_PAGE.exec(name)?.[1] ?? 0) > lists);
}

function removeIn(folder: string, isGone: (name: string) => boolean): void {
  for (const name of readdirSync(folder).filter(isGone)) rmSync(join(folder, name), { force: true });
}

/** Writes a page for each report. @returns the reports by digest */
function writeReports(paths: readonly string[], options: BoardOptions): Map<string, BoardReport> {
  const reports = new Map<string, BoardReport>();
  for (const path of paths) {
    const read = readBoardReport(path, options.keys, options.now, options.onProblem);
    if (!read) continue;
    const { report, ...kept } = read;
    const digest = kept.entry.report;
    const earlier = reports.get(digest);
    if (!earlier) {
      writeFileAtomically(join(options.out, 'reports', `${digest}.html`), renderHtml(report));
      reports.set(digest, kept);
    }
    // Anybody can upload a copy of a report: a copy with a worse certificate must not replace the better one.
    else if (isBetter(kept.trust, earlier.trust)) reports.set(digest, kept);
  }
  return reports;
}

type Reports = ReadonlyMap<string, BoardReport>;

/** The names of implementations, sorted. A report that is in no history belongs to an implementation named after its base URL. */
function namesOf({ byName, owners }: RunIndex, reports: Reports): string[] {
  const alone = [...reports.values()].filter(({ entry }) => !owners.has(entry.report));
  const names = new Set([...byName.keys(), ...alone.map(({ entry }) => entry.name)]);
  return [...names].sort(ORDER.compare);
}

const ORDER = new Intl.Collator('en', { numeric: true });

/** The entries of an implementation. A report overrides what a history says about it, except its name and release. */
function* entriesOf(
  name: string,
  index: RunIndex,
  reports: Reports,
  alone: ReadonlyMap<string, readonly HistoryEntry[]>,
  onProblem: OnProblem,
): Generator<HistoryEntry> {
  for (const entry of entriesAt(index, name, onProblem)) {
    const fromReport = reports.get(entry.report)?.entry;
    const { release } = entry;
    if (!fromReport) yield entry;
    else if (index.owners.get(entry.report) === name) yield { ...fromReport, name, release };
    else onProblem(`${name}: its report ${entry.report.slice(0, 12)} is of another implementation`);
  }
  yield* alone.get(name) ?? [];
}

/** Writes the page, the badges and the data of each implementation. */
function writeImplementations(
  index: RunIndex,
  reports: Reports,
  { latest, runs }: Readonly<Record<'latest' | 'runs', StreamedFile>>,
  { out, title, now, statementOf, onProblem }: BoardOptions,
): { summaries: Summary[]; changes: ImplementationChange[]; runs: number } {
  const madeAt = new Date(now).toISOString();
  const entries = [...reports.values()].map(({ entry }) => entry);
  const alone = group(
    entries.filter(({ report }) => !index.owners.has(report)),
    ({ name }) => name,
  );
  const frames = { latest: frame('implementations', madeAt), runs: frame('runs', madeAt) };
  latest.write(frames.latest.head);
  runs.write(frames.runs.head);
  const summaries: Summary[] = [];
  let changes: ImplementationChange[] = [];
  let count = 0;
  for (const name of namesOf(index, reports)) {
    const builder = courseBuilder(name);
    for (const entry of entriesOf(name, index, reports, alone, onProblem)) builder.add(entry);
    const course = builder.course(MAX_RUNS);
    if (!course) continue;
    const slug = slugOf(name);
    const ownReports = course.runs.flatMap(({ report }) => {
      const boardReport = reports.get(report);
      return boardReport ? [[report, boardReport] as const] : [];
    });
    const implementation: BoardImplementation = { slug, course, reports: new Map(ownReports) };
    const summary = summaryOf(implementation);
    const page = renderImplementation(implementation, summary, { title, madeAt, statementOf });
    writeFileAtomically(join(out, 'implementations', `${slug}.html`), page);
    writeFileAtomically(join(out, 'badges', `${slug}.svg`), drawBadge(summary.badge));
    writeFileAtomically(join(out, 'badges', `${slug}.json`), shieldOf(summary.badge));
    latest.write(`${summaries.length === 0 ? '' : ',\n'}${JSON.stringify(latestOf(summary))}`);
    for (const run of runsOf(implementation)) {
      runs.write(`${count === 0 ? '' : ',\n'}${JSON.stringify(run)}`);
      count += 1;
    }
    summaries.push(summary);
    changes.push(...changesOf(slug, course));
    if (changes.length > MAX_CHANGES) changes = newestChanges(changes);
  }
  latest.write(frames.latest.tail);
  runs.write(frames.runs.tail);
  return { summaries, changes, runs: count };
}

/** Writes the list of implementations, the data of the search, and the assets of the pages. */
function writeLists(summaries: readonly Summary[], madeAt: string, { out, title }: BoardOptions): void {
  const columns = columnsOf(summaries);
  for (let page = 0; page * PAGE_ROWS < summaries.length; page += 1)
    writeFileAtomically(join(out, listFile(page)), renderListPage(title, summaries, columns, page, madeAt));
  writeFileAtomically(join(out, 'data', 'implementations.js'), searchScript(summaries));
  writeFileAtomically(join(out, 'assets', 'board.css'), readAsset('page.css') + readAsset('board.css'));
  writeFileAtomically(join(out, 'assets', 'board.js'), readAsset('board.js'));
}
