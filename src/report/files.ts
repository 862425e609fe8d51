import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** The files that a run writes, by what writes them; whatever else lies in its folder is left alone. */
export const REPORT_FILES = {
  json: 'report.json',
  ledger: 'ledger.jsonl',
  html: 'report.html',
  junit: 'junit.xml',
  ctrf: 'ctrf.json',
  har: 'exchanges.har',
  markdown: 'summary.md',
} as const;

/**
 * Writes a file whole or not at all: a reader never sees half of it.
 * @param text whole, or in pieces that are asked for one at a time
 * @returns the path
 * @throws the file system's error; nothing is left behind then
 */
export function writeFileAtomically(path: string, text: string | Iterable<string>): string {
  const half = `${path}.${process.pid}.tmp`;
  try {
    const file = openSync(half, 'w');
    try {
      for (const piece of typeof text === 'string' ? [text] : text) writeFileSync(file, piece);
    } finally {
      closeSync(file);
    }
    renameSync(half, path);
  } catch (error) {
    rmSync(half, { force: true });
    throw error;
  }
  return path;
}
