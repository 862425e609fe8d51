import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { BoardImplementation, Summary } from './implementation.ts';

/** Increased when the meaning of a field changes. New fields do not increase it. */
const DATA_VERSION = 1;

/** What `latest.json` says of an implementation. */
export function latestOf(summary: Summary): Record<string, unknown> {
  const { slug, name, run, badge, sections, violated, runs, since, trust } = summary;
  const { report, startedAt, release, baseUrl, verdict, because, judged, petspec, latency } = run;
  return {
    name,
    page: `implementations/${slug}.html`,
    badge: `badges/${slug}.svg`,
    shield: `badges/${slug}.json`,
    verdict,
    words: badge.words,
    since,
    because,
    baseUrl,
    ...(release === undefined ? {} : { release }),
    startedAt,
    judged,
    petspec,
    ...(latency ? { latency } : {}),
    violated,
    sections: [...sections].map(([section, status]) => ({ name: section, status })),
    certificate: trust?.kind ?? 'none',
    report,
    runs,
  };
}

/** What `runs.json` says of the runs of an implementation. */
export function* runsOf({ course, reports }: BoardImplementation): Generator<Record<string, unknown>> {
  for (const run of course.runs) {
    const { time: _, because: __, ...rest } = run;
    const known = reports.get(run.report);
    yield {
      name: course.name,
      ...rest,
      ...(known ? { page: `reports/${run.report}.html`, certificate: known.trust?.kind ?? 'none' } : {}),
    };
  }
}

/** The beginning and the end of `latest.json` and `runs.json`; a line for each item is between them. */
export function frame(list: 'implementations' | 'runs', madeAt: string): { head: string; tail: string } {
  const head = JSON.stringify({ schemaVersion: DATA_VERSION, generator: 'petspec board', madeAt }).slice(
    0,
    -1,
  );
  return { head: `${head},"${list}":[\n`, tail: '\n]}\n' };
}

/** What the search looks through, as a script: a page that is opened from disk cannot fetch a file. */
export function searchScript(summaries: readonly Summary[]): string {
  const rows = summaries.map(({ slug, name, run, badge, violated }) => [
    slug,
    name,
    run.verdict,
    badge.words,
    run.release ?? '',
    run.startedAt.slice(0, 10),
    violated.length,
  ]);
  return `petspecBoard(${inScript(rows)});\n`;
}

/** JSON as a script may have it. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A file that is written piece by piece, and seen only once it is whole. */
export interface StreamedFile {
  write(text: string): void;
  /** Puts the whole file in its place. */
  finish(): void;
  /** Removes what was written. */
  discard(): void;
}

/** How much to collect before writing, in characters. */
const CHUNK = 256 * 1024;

/** @throws the file system's error */
export function streamFile(path: string): StreamedFile {
  const half = `${path}.${process.pid}.tmp`;
  rmSync(half, { force: true });
  const file = openSync(half, 'wx');
  let kept = '';
  let isOpen = true;
  const flush = () => {
    writeFileSync(file, kept);
    kept = '';
  };
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return {
    write(text) {
      kept += text;
      if (kept.length > CHUNK) flush();
    },
    finish() {
      flush();
      close();
      renameSync(half, path);
    },
    discard() {
      close();
      rmSync(half, { force: true });
    },
  };
}
