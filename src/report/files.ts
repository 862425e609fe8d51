import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file whole or not at all: a reader never sees half of it. @returns the path */
export function writeFileAtomically(path: string, text: string): string {
  const half = `${path}.${process.pid}.tmp`;
  writeFileSync(half, text);
  renameSync(half, path);
  return path;
}
