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
  certificate: 'certificate.json',
  certifiedTarget: 'certificate.target.json',
  badge: 'badge.svg',
  shield: 'badge.json',
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
    // What a killed process left, or a link that somebody laid there, is not written through.
    rmSync(half, { force: true });
    const file = openSync(half, 'wx');
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

/** Whether a file of this name is one that was never written to its end: its process was killed. */
export function isHalf(name: string): boolean {
  const [, whole] = /^(.*)\.\d+\.tmp$/.exec(name) ?? [];
  return Object.values(REPORT_FILES).some((each) => each === whole);
}
