import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isSealed, KeyProblem, readEnvelope, signaturesOfOthers } from '../../certificate/signing.ts';
import { type CertifiedArtifact, sha256 } from '../../certificate/statement.ts';
import type { SubjectPattern } from '../../certificate/verify.ts';
import { isFileError } from '../../model/file-error.ts';
import { UsageError } from '../../model/usage-error.ts';
import { REPORT_FILES } from '../../report/files/formats.ts';
import { refuseUnnamed } from '../output/out-folder.ts';
import { readNamed } from './named-file.ts';

/** The digest algorithms of a subject, with the number of their hexadecimal digits. */
const ALGORITHMS: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128, gitCommit: 40 };

/**
 * The subject to certify, from an option: `name@sha256:…`, or a file.
 * @throws UsageError if it is neither
 */
export function subjectOf(text: string): CertifiedArtifact {
  const [, name, algorithm = '', value = ''] = NAME_AND_DIGEST.exec(text) ?? [];
  if (name !== undefined) return { name, digest: digestOf(text, algorithm, value) };
  const hint = `'${text}' is not a file; expected a file, or name@sha256:…`;
  return { name: basename(text), digest: { sha256: sha256(readNamed('--subject', text, hint)) } };
}

/**
 * The subject that a certificate must be for, from an option: `name@sha256:…`, `sha256:…`, a file (only its digest
 * counts), or else a name.
 * @throws UsageError if a digest is not valid, or a file cannot be read
 */
export function subjectPatternOf(text: string): SubjectPattern {
  const [, name, algorithm = '', value = ''] = NAME_AND_DIGEST.exec(text) ?? [];
  if (name !== undefined) return { name, digest: digestOf(text, algorithm, value) };
  const [bare = '', digits = ''] = text.split(':');
  if (text.includes(':') && Object.hasOwn(ALGORITHMS, bare)) return { digest: digestOf(text, bare, digits) };
  if (!existsSync(text) || !statSync(text).isFile()) return { name: text };
  return { digest: { sha256: sha256(readNamed('--subject', text)) } };
}

const NAME_AND_DIGEST = /^(.+)@([A-Za-z0-9]+):([^@:]*)$/;

function digestOf(text: string, algorithm: string, value: string): CertifiedArtifact['digest'] {
  const length = Object.hasOwn(ALGORITHMS, algorithm) ? ALGORITHMS[algorithm] : undefined;
  if (length === undefined)
    throw new UsageError(
      `--subject: unknown digest algorithm '${algorithm}' in '${text}'; expected one of ${Object.keys(ALGORITHMS).join(', ')}`,
    );
  if (value.length !== length || !/^[0-9a-f]+$/.test(value))
    throw new UsageError(
      `--subject: invalid ${algorithm} digest in '${text}'; expected ${length} digits, 0 to 9 and a to f`,
    );
  return { [algorithm]: value };
}

/** Reads a key from a file. @throws UsageError if the file has no such key */
export function keyFrom(option: string, path: string, read: (pem: string) => KeyObject): KeyObject {
  const pem = readNamed(option, path).toString();
  try {
    return read(pem);
  } catch (error) {
    if (error instanceof KeyProblem) throw new UsageError(`${option}: '${path}' ${error.message}`);
    throw error;
  }
}

/** A signed certificate that an earlier `petspec certify` left in a folder. */
export interface SignedCertificate {
  path: string;
  /** Whether the key is the only one that signed it, so that a run with the key can replace it. */
  isOnlyOf(key: KeyObject): boolean;
}

/**
 * The signed certificate in a folder, if there is one. A file that cannot be read may be a certificate.
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
 * @throws UsageError if the folder has such a certificate, or no folder is named
 */
export function refuseSigned(folder: string): void {
  const signed = signedCertificateIn(folder);
  if (signed)
    throw new UsageError(
      `${signed.path} is signed, so petspec does not overwrite it or its reports; name another folder with --out`,
    );
}

/** Takes the place of the value of a file that cannot be read. */
const UNREADABLE = Symbol('unreadable');

/** The value in a file of JSON; undefined if it is not JSON. */
function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return isFileError(error) ? UNREADABLE : undefined;
  }
}
