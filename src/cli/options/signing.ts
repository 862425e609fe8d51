import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { KeyProblem } from '../../certificate/keys.ts';
import { type Subject, sha256 } from '../../certificate/statement.ts';
import type { SubjectPattern } from '../../certificate/verify.ts';
import { UsageError } from '../../run/options.ts';
import { isFileError } from '../output/write-reports.ts';

/** Digests that an artefact may be named by, with their length in hexadecimal digits. */
const ALGORITHMS: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128, gitCommit: 40 };

/**
 * What is certified, from an option: `name@sha256:…`, or a file whose digest is taken.
 * @throws UsageError where it is neither
 */
export function subjectOf(text: string): Subject {
  const [, name, algorithm = '', value = ''] = NAME_AND_DIGEST.exec(text) ?? [];
  if (name !== undefined) return { name, digest: digestOf(text, algorithm, value) };
  const hint = `${text}: neither a file nor name@sha256:…`;
  return { name: basename(text), digest: { sha256: sha256(readNamed('--subject', text, hint)) } };
}

/**
 * What a certificate has to be of, from an option: `name@sha256:…`, `sha256:…`, a file, which is known by its digest
 * whatever it was called, or else a name.
 * @throws UsageError where a digest is not valid, or a file cannot be read
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

function digestOf(text: string, algorithm: string, value: string): Subject['digest'] {
  const length = ALGORITHMS[algorithm];
  if (length === undefined)
    throw new UsageError(`--subject ${text}: ${algorithm} is none of ${Object.keys(ALGORITHMS).join(', ')}`);
  if (value.length !== length || !/^[0-9a-f]+$/.test(value))
    throw new UsageError(`--subject ${text}: a ${algorithm} digest has ${length} digits, 0 to 9 and a to f`);
  return { [algorithm]: value };
}

/** A key from a file. @throws UsageError where there is none such */
export function keyFrom(option: string, path: string, read: (pem: string) => KeyObject): KeyObject {
  const pem = readNamed(option, path).toString();
  try {
    return read(pem);
  } catch (error) {
    if (error instanceof KeyProblem) throw new UsageError(`${option} ${path}: ${error.message}`);
    throw error;
  }
}

/** A file that the user named. @throws UsageError where it cannot be read */
export function readNamed(option: string, path: string, missing = `${path}: there is no such file`): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (!isFileError(error)) throw error;
    const why = error.code === 'ENOENT' ? missing : `${path}: cannot be read (${error.code})`;
    throw new UsageError(`${option} ${why}`);
  }
}
