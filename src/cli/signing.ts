import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { KeyProblem } from '../certificate/keys.ts';
import { type Subject, sha256 } from '../certificate/statement.ts';
import { UsageError } from '../harness/options.ts';
import { isFileError } from './write-reports.ts';

/** Digests that an artefact may be named by, with their length in hexadecimal digits. */
const ALGORITHMS: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128, gitCommit: 40 };

/**
 * What is certified, from an option: `name@sha256:…`, or a file whose digest is taken.
 * @throws UsageError where it is neither
 */
export function subjectOf(text: string): Subject {
  const [, name, algorithm = '', value = ''] = /^(.+)@([A-Za-z0-9]+):([^@:]*)$/.exec(text) ?? [];
  if (name === undefined) {
    const hint = `${text}: neither a file nor name@sha256:…`;
    return { name: basename(text), digest: { sha256: sha256(readNamed('--subject', text, hint)) } };
  }
  const length = ALGORITHMS[algorithm];
  if (length === undefined)
    throw new UsageError(`--subject ${text}: ${algorithm} is none of ${Object.keys(ALGORITHMS).join(', ')}`);
  if (value.length !== length || !/^[0-9a-f]+$/.test(value))
    throw new UsageError(`--subject ${text}: a ${algorithm} digest has ${length} digits, 0 to 9 and a to f`);
  return { name, digest: { [algorithm]: value } };
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
