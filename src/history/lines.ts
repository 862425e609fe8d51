import { readSync } from 'node:fs';

/** The longest line, in bytes. The longest entry that petspec writes is shorter. */
export const MAX_LINE = 2 * 1024 * 1024;

const CHUNK = 1024 * 1024;
const NEWLINE = 10;

/** A line of a file. */
export interface HistoryLine {
  /** Counted from 1. */
  number: number;
  /** Where it begins, in bytes. */
  offset: number;
  /** Its bytes, which the next line may overwrite; undefined if it is too long. */
  bytes: Buffer | undefined;
  /** Whether a line break ends it. */
  isWhole: boolean;
}

/** The lines of a file, in order. Keeps one chunk and one line in memory, however long the file is. */
export function* linesOf(file: number): Generator<HistoryLine> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  let number = 1;
  let offset = 0;
  let position = 0;
  let kept: Buffer[] = [];
  let length = 0;
  const line = (isWhole: boolean): HistoryLine => {
    const bytes = length > MAX_LINE ? undefined : kept.length === 1 ? kept[0] : Buffer.concat(kept);
    return { number, offset, bytes, isWhole };
  };
  for (;;) {
    const read = readSync(file, chunk, 0, CHUNK, position);
    if (read === 0) break;
    position += read;
    let start = 0;
    while (start < read) {
      const found = chunk.subarray(0, read).indexOf(NEWLINE, start);
      const end = found < 0 ? read : found;
      length += end - start;
      if (length <= MAX_LINE) kept.push(chunk.subarray(start, end));
      if (found < 0) break;
      yield line(true);
      number += 1;
      offset += length + 1;
      start = found + 1;
      kept = [];
      length = 0;
    }
    // The next chunk overwrites this one.
    kept = length > MAX_LINE || length === 0 ? [] : [Buffer.concat(kept)];
  }
  if (length > 0) yield line(false);
}
