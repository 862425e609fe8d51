import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSealed, readEnvelope, signaturesOfOthers } from '../../certificate/envelope.ts';
import { isFileError } from '../../model/file-error.ts';
import { UsageError } from '../../model/usage-error.ts';
import { REPORT_FILES } from '../../report/formats/formats.ts';
import { refuseUnnamed } from '../output/out-folder.ts';

/** A signed certificate that an earlier `petspec certify` left in a folder. */
export interface SignedCertificate {
  path: string;
  /** Whether only that key signed it, so that a run with the key can replace it. */
  isOnlyOf(key: KeyObject): boolean;
}

/**
 * The signed certificate in a folder, if there is one. A file that cannot be read may be one.
 * @throws UsageError if no folder is named
 */
export function signedCertificateIn(folder: string): SignedCertificate | undefined {
  refuseUnnamed(folder);
  const path = join(folder, REPORT_FILES.certificate);
  if (!existsSync(path) || !statSync(path).isFile()) return undefined;
  const value = jsonIn(path);
  if (value === UNREADABLE) return { path, isOnlyOf: () => false };
  if (!isSealed(value)) return undefined;
  const envelope = readEnvelope(value);
  const isOnlyOf = (key: KeyObject) =>
    typeof envelope !== 'string' && signaturesOfOthers(envelope, [key]).length === 0;
  return { path, isOnlyOf };
}

/**
 * Refuses a folder with a signed certificate, because nobody can make the signature again without its key.
 * @throws UsageError if the folder has one, or none is named
 */
export function refuseSigned(folder: string): void {
  const signed = signedCertificateIn(folder);
  if (signed)
    throw new UsageError(
      `${signed.path} is signed, so petspec does not overwrite it or its reports; name another folder with --out`,
    );
}

/** Stands for the value of a file that cannot be read. */
const UNREADABLE = Symbol('unreadable');

/** The value in a file of JSON; undefined if it is not JSON. */
function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return isFileError(error) ? UNREADABLE : undefined;
  }
}
