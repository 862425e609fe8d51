import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSealed, readEnvelope, signaturesOfOthers } from '../../certificate/envelope.ts';
import { REPORT_FILES } from '../../report/formats/files.ts';
import { UsageError } from '../../run/options.ts';
import { isFileError } from '../output/write-reports.ts';

/** A signed certificate that an earlier `petspec certify` left in a folder. */
export interface SignedCertificate {
  path: string;
  /** Whether that key alone signed it, so that whoever has the key can sign another one. */
  isOnlyOf(key: KeyObject): boolean;
}

/** The signed certificate in a folder, if there is one. A file that cannot be read may be one. */
export function signedCertificateIn(folder: string): SignedCertificate | undefined {
  const path = join(folder, REPORT_FILES.certificate);
  if (!existsSync(path) || !statSync(path).isFile()) return undefined;
  const value = jsonIn(path);
  if (value !== 'unreadable' && !isSealed(value)) return undefined;
  const envelope = isSealed(value) ? readEnvelope(value) : 'unreadable';
  const isOnlyOf = (key: KeyObject) =>
    typeof envelope !== 'string' && signaturesOfOthers(envelope, [key]).length === 0;
  return { path, isOnlyOf };
}

/**
 * A signature cannot be made again without its key: what holds one is not written to.
 * @throws UsageError where a folder holds a signed certificate
 */
export function refuseSigned(folder: string): void {
  const signed = signedCertificateIn(folder);
  if (signed)
    throw new UsageError(
      `${signed.path} is signed: petspec overwrites neither it nor its reports; name another folder with --out`,
    );
}

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return isFileError(error) ? 'unreadable' : undefined;
  }
}
