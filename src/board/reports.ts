import type { KeyObject } from 'node:crypto';
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readCertificate } from '../certificate/read.ts';
import { fingerprintOf } from '../certificate/signing.ts';
import { sha256 } from '../certificate/statement.ts';
import { isOfInterface, problemsOf } from '../certificate/verify.ts';
import { entryOf, type HistoryEntry } from '../history/entry.ts';
import { readEntry } from '../history/read.ts';
import { packageVersion } from '../model/package-root.ts';
import type { Report } from '../model/report/report.ts';
import { clip, visible } from '../model/visible.ts';
import { REPORT_FILES } from '../report/files/formats.ts';
import { readReport } from '../report/read-report.ts';
import { contractOf, knownSet } from '../run/contract-of.ts';
import { type OnProblem, unlessUnreadable } from './files.ts';

/** Largest report and certificate that a board reads, in bytes. */
const MAX_REPORT = 64 * 1024 * 1024;
const MAX_CERTIFICATE = 4 * 1024 * 1024;

/** A report that has a page on the board, with the trust in the certificate beside it. */
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

/** How far a certificate can be trusted; undefined if it does not exist. @throws the file system's error */
function trustBy(
  certificate: string,
  report: Uint8Array,
  keys: readonly KeyObject[],
  now: number,
): Trust | undefined {
  // A link in an upload may lead out of it.
  if (!lstatSync(certificate, { throwIfNoEntry: false })?.isFile()) return undefined;
  const bytes = upTo(MAX_CERTIFICATE, certificate);
  return bytes === TOO_LARGE
    ? { kind: 'refused', words: 'certificate refused: it is too large' }
    : trustOf(bytes, report, keys, now);
}

const TOO_LARGE = 'too large';

/** The bytes of a file of at most `most` bytes. @throws the file system's error */
function upTo(most: number, path: string): Buffer | typeof TOO_LARGE {
  return statSync(path).size > most ? TOO_LARGE : readFileSync(path);
}

/** In days. */
const MAX_AGE = 365;

const UNKNOWN_INTERFACE = 'certificate is of an interface that this board does not know';

/** How far the certificate of a report can be trusted. */
export interface Trust {
  /**
   * `signed`: a trusted key signed it. `untrusted`: another key did, or no key is trusted. `unsigned`: anybody can have
   * made it. `unknown`: the board does not know its interface, so it cannot be checked. `refused`: it is not valid.
   */
  kind: 'signed' | 'untrusted' | 'unsigned' | 'unknown' | 'refused';
  words: string;
  /** The certified address. */
  target?: string;
}

/** From most to least trusted; undefined: without a certificate. */
const ORDER: readonly (Trust['kind'] | undefined)[] = [
  'signed',
  'untrusted',
  'unsigned',
  'unknown',
  undefined,
  'refused',
];

/** Whether one certificate of a report is trusted more than another, or than none. */
export function isBetter(trust: Trust | undefined, other: Trust | undefined): boolean {
  return ORDER.indexOf(trust?.kind) < ORDER.indexOf(other?.kind);
}

/**
 * Verifies the certificate of a report.
 * @param keys trusted keys, one of which must have signed it
 * @param now ms since the epoch
 */
export function trustOf(
  file: Uint8Array,
  report: Uint8Array,
  keys: readonly KeyObject[],
  now: number,
): Trust {
  const certificate = readCertificate(file);
  if (typeof certificate === 'string') return refused(certificate);
  const isKnown = isOfInterface(
    certificate,
    contractOf({}),
    knownSet(certificate.certified.suite.set.version),
  );
  const check = (signers: readonly KeyObject[]) =>
    problemsOf(certificate, {
      keys: signers,
      report,
      subjects: [],
      allowsReference: true,
      maxAge: MAX_AGE,
      now,
      version: packageVersion,
      contractOf: isKnown ? knownSet : null,
    });
  const [problem] = check([]);
  if (problem !== undefined) return refused(problem);
  const { kind, baseUrl } = certificate.certified.target;
  const target = kind === 'service' ? baseUrl : "petspec's own reference";
  if (!isKnown) return { kind: 'unknown', words: UNKNOWN_INTERFACE, target };
  if (!certificate.envelope) return { kind: 'unsigned', words: 'certificate is not signed', target };
  const signer = keys.find((key) => check([key]).length === 0);
  if (signer) return { kind: 'signed', words: `signed by ${fingerprintOf(signer).slice(0, 16)}`, target };
  const words = keys.length === 0 ? 'signature not checked' : 'signed by a key that is not trusted';
  return { kind: 'untrusted', words, target };
}

function refused(problem: string): Trust {
  return { kind: 'refused', words: `certificate refused: ${visible(clip(problem, 200))}` };
}
