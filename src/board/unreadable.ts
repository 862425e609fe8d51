import { isFileError } from '../model/file-error.ts';

/** Says that something is ignored, and why. */
export type OnProblem = (problem: string) => void;

/** What reading gives; undefined, with a line about it, if the file system does not let this be read. */
export function unlessUnreadable<Value>(
  path: string,
  onProblem: OnProblem,
  read: () => Value,
): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (!isFileError(error)) throw error;
    onProblem(`${path}: cannot read it (${error.code})`);
    return undefined;
  }
}
