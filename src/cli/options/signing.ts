import type { KeyObject } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { KeyProblem } from '../../certificate/keys.ts';
import { type Subject, sha256 } from '../../certificate/statement.ts';
import type { SubjectPattern } from '../../certificate/verify.ts';
import { UsageError } from '../../model/usage-error.ts';
import { readNamed } from './named-file.ts';

/** The digest algorithms of a subject, with the number of their hexadecimal digits. */
const ALGORITHMS: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128, gitCommit: 40 };

/**
 * The subject to certify, from an option: `name@sha256:…`, or a file.
 * @throws UsageError if it is neither
 */
export function subjectOf(text: string): Subject {
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

function digestOf(text: string, algorithm: string, value: string): Subject['digest'] {
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
