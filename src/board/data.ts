import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { BoardImplementation, Summary } from './implementation.ts';

/** Increased when the meaning of a field changes. New fields do not increase it. */
const DATA_VERSION = 1;

/** An implementation in `latest.json`. */
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

/** The runs of an implementation in `runs.json`. */
export function* runsOf({ course, reports }: BoardImplementation): Generator<Record<string, unknown>> {
  for (const run of course.runs) {
    const { time: _, because: __, ...rest } = run;
    const boardReport = reports.get(run.report);
    yield {
      name: course.name,
      ...rest,
      ...(boardReport
        ? { page: `reports/${run.report}.html`, certificate: boardReport.trust?.kind ?? 'none' }
        : {}),
    };
  }
}

/** The beginning and the end of `latest.json` and `runs.json`, around one line per item. */
export function frame(list: 'implementations' | 'runs', madeAt: string): { head: string; tail: string } {
  const head = JSON.stringify({ schemaVersion: DATA_VERSION, generator: 'petspec board', madeAt }).slice(
    0,
    -1,
  );
  return { head: `${head},"${list}":[\n`, tail: '\n]}\n' };
}

/** The data of the search as a script, because a page that is opened from disk cannot fetch a file. */
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

/** JSON that is safe inside a script: no end tag, and no line separator of older JavaScript. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A file that is written piece by piece, and that readers see only when it is complete. */
export interface StreamedFile {
  write(text: string): void;
  /** Moves the complete file to its path. */
  finish(): void;
  /** Removes an unfinished file. */
  discard(): void;
}

/** Characters that are collected before they are written. */
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
