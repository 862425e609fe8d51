import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** A file that is written piece by piece, and seen only once it is whole. */
export interface StreamedFile {
  write(text: string): void;
  /** Puts the whole file in its place. */
  finish(): void;
  /** Removes what was written. */
  discard(): void;
}

/** How much to collect before writing, in characters. */
const CHUNK = 256 * 1024;

/** @throws the file system's error */
export function streamFile(path: string): StreamedFile {
  const half = `${path}.${process.pid}.tmp`;
  rmSync(half, { force: true });
  const file = openSync(half, 'wx');
  let kept = '';
  let isOpen = true;
  const flush = () => {
    writeFileSync(file, kept);
    kept = '';
  };
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return {
    write(text) {
      kept += text;
      if (kept.length > CHUNK) flush();
    },
    finish() {
      flush();
      close();
      renameSync(half, path);
    },
    discard() {
      close();
      rmSync(half, { force: true });
    },
  };
}
