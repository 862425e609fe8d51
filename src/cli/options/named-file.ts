import { readFileSync } from 'node:fs';
import { isFileError } from '../../model/file-error.ts';
import { UsageError } from '../../model/usage-error.ts';

/** Reads a file that the user named. @throws UsageError if it cannot be read */
export function readNamed(option: string, path: string, missing = `no such file '${path}'`): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (!isFileError(error)) throw error;
    const why = error.code === 'ENOENT' ? missing : `cannot read '${path}' (${error.code})`;
    throw new UsageError(`${option}: ${why}`);
  }
}

/** Reads the text of a file that the user named, or of a file descriptor. @throws UsageError if it cannot be read */
export function readText(option: string, name: string, from: string | number = name): string {
  try {
    return readFileSync(from, 'utf8');
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : error;
    throw new UsageError(`${option}: cannot read '${name}' (${why})`);
  }
}
