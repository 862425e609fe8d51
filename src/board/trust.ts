import type { KeyObject } from 'node:crypto';
import { fingerprintOf } from '../certificate/keys.ts';
import { knownSet } from '../certificate/known-set.ts';
import { readCertificate } from '../certificate/read.ts';
import { isOfInterface, problemsOf } from '../certificate/verify.ts';
import { packageVersion } from '../model/package-root.ts';
import { clip, visible } from '../model/visible.ts';
import { contractOf } from '../run/contract-of.ts';

/** Days. */
const MAX_AGE = 365;

const UNKNOWN_INTERFACE = 'certificate is of an interface that this board does not know';

/** How far the certificate of a report can be believed. */
export interface Trust {
  /**
   * `signed`: a trusted key signed it. `untrusted`: somebody else did, or no key is trusted. `unsigned`: anybody can have
   * made it. `unknown`: it is of an interface that the board does not know, so nobody can say. `refused`: it does not hold.
   */
  kind: 'signed' | 'untrusted' | 'unsigned' | 'unknown' | 'refused';
  words: string;
  /** The address that it certifies. */
  target?: string;
}

/** From what is believed most to what is believed least. */
const ORDER: readonly (Trust['kind'] | undefined)[] = [
  'signed',
  'untrusted',
  'unsigned',
  'unknown',
  undefined,
  'refused',
];

/** Whether one certificate of a report is believed more than another, or than none. */
export function isBetter(trust: Trust | undefined, other: Trust | undefined): boolean {
  return ORDER.indexOf(trust?.kind) < ORDER.indexOf(other?.kind);
}

/**
 * Verifies the certificate of a report.
 * @param keys trusted signers; one of them is enough
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
  const check = (by: readonly KeyObject[]) =>
    problemsOf(certificate, {
      keys: by,
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
