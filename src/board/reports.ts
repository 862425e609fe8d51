import type { KeyObject } from 'node:crypto';
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../certificate/statement.ts';
import { entryOf, type HistoryEntry } from '../history/entry.ts';
import { readEntry } from '../history/read.ts';
import type { Report } from '../model/report/report.ts';
import { REPORT_FILES } from '../report/formats/files.ts';
import { readReport } from '../report/read-report.ts';
import type { OnProblem } from './run-index.ts';
import { type Trust, trustOf } from './trust.ts';

/** The largest report that a board reads, in bytes, and the largest certificate. */
const MAX_REPORT = 64 * 1024 * 1024;
const MAX_CERTIFICATE = 4 * 1024 * 1024;

/** A report that the board has a page of, and its certificate if there is one beside it. */
export interface BoardReport {
  path: string;
  entry: HistoryEntry;
  trust?: Trust;
}

/** Reads a report, and verifies the certificate beside it. @returns undefined if it cannot be used */
export function readBoardReport(
  path: string,
  keys: readonly KeyObject[],
  now: number,
  onProblem: OnProblem,
): (BoardReport & { report: Report }) | undefined {
  if (statSync(path).size > MAX_REPORT) {
    onProblem(`${path}: larger than ${MAX_REPORT / 1024 / 1024} MiB`);
    return undefined;
  }
  const bytes = readFileSync(path);
  const report = readReport(bytes.toString('utf8'));
  if (typeof report === 'string') {
    onProblem(`${path}: ${report}`);
    return undefined;
  }
  const entry = readEntry(Buffer.from(JSON.stringify(entryOf(report, sha256(bytes)))));
  if (typeof entry === 'string') {
    onProblem(`${path}: ${entry}`);
    return undefined;
  }
  const certificate = join(dirname(path), REPORT_FILES.certificate);
  // A link may lead out of what a stranger sent.
  if (!lstatSync(certificate, { throwIfNoEntry: false })?.isFile()) return { path, entry, report };
  const trust: Trust =
    statSync(certificate).size > MAX_CERTIFICATE
      ? { kind: 'refused', words: 'certificate refused: it is too large' }
      : trustOf(readFileSync(certificate), bytes, keys, now);
  return { path, entry, report, trust };
}
