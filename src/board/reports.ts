import type { KeyObject } from 'node:crypto';
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../certificate/statement.ts';
import { entryOf, type HistoryEntry } from '../history/entry.ts';
import { readEntry } from '../history/read.ts';
import type { Report } from '../model/report/report.ts';
import { REPORT_FILES } from '../report/files/formats.ts';
import { readReport } from '../report/read-report.ts';
import { type OnProblem, unlessUnreadable } from './files.ts';
import { type Trust, trustOf } from './trust.ts';

/** The largest report that a board reads, in bytes, and the largest certificate. */
const MAX_REPORT = 64 * 1024 * 1024;
const MAX_CERTIFICATE = 4 * 1024 * 1024;

/** A report that the board has a page of, and its certificate if there is one beside it. */
export interface BoardReport {
  path: string;
  entry: HistoryEntry;
  trust?: Trust | undefined;
}

/** Reads a report, and verifies the certificate beside it. @returns undefined if it cannot be used */
export function readBoardReport(
  path: string,
  keys: readonly KeyObject[],
  now: number,
  onProblem: OnProblem,
): (BoardReport & { report: Report }) | undefined {
  const bytes = unlessUnreadable(path, onProblem, () => upTo(MAX_REPORT, path));
  if (bytes === undefined) return undefined;
  if (bytes === TOO_LARGE) {
    onProblem(`${path}: larger than ${MAX_REPORT / 1024 / 1024} MiB`);
    return undefined;
  }
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
  const trust = unlessUnreadable(certificate, onProblem, () => trustBy(certificate, bytes, keys, now));
  return { path, entry, report, trust };
}

/** How far a certificate can be believed; undefined if it does not exist. @throws the file system's error */
function trustBy(
  certificate: string,
  report: Uint8Array,
  keys: readonly KeyObject[],
  now: number,
): Trust | undefined {
  // A link may lead out of what a stranger sent.
  if (!lstatSync(certificate, { throwIfNoEntry: false })?.isFile()) return undefined;
  const bytes = upTo(MAX_CERTIFICATE, certificate);
  return bytes === TOO_LARGE
    ? { kind: 'refused', words: 'certificate refused: it is too large' }
    : trustOf(bytes, report, keys, now);
}

const TOO_LARGE = 'too large';

/** The bytes of a file, unless it has more than so many. @throws the file system's error */
function upTo(most: number, path: string): Buffer | typeof TOO_LARGE {
  return statSync(path).size > most ? TOO_LARGE : readFileSync(path);
}
