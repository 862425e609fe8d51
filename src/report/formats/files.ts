import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type Format, REPORT_FORMATS } from './formats.ts';

type FormatFiles = { [Name in Format]: (typeof REPORT_FORMATS)[Name]['file'] };

/** The files that a run or a certificate writes into its folder. Every other file there is left alone. */
export const REPORT_FILES = {
  ...(Object.fromEntries(
    Object.entries(REPORT_FORMATS).map(([name, { file }]) => [name, file]),
  ) as FormatFiles),
  ledger: 'ledger.jsonl',
  certificate: 'certificate.json',
  certifiedTarget: 'certificate.target.json',
  badge: 'badge.svg',
  shield: 'badge.json',
} as const;

/**
 * Writes a file as a whole or not at all, so that a reader never sees half of it.
 * @param text the whole text, or its pieces in order
 * @returns the path
 * @throws the file system's error, after removing what was written
 */
export function writeFileAtomically(path: string, text: string | Iterable<string>): string {
  const half = `${path}.${process.pid}.tmp`;
  try {
    // Removed first: a killed process may have left this file, and a link here would be written through.
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

/** Whether a file of this name is a temporary one that a killed process left behind. */
export function isHalf(name: string): boolean {
  const [, whole] = /^(.*)\.\d+\.tmp$/.exec(name) ?? [];
  return Object.values(REPORT_FILES).some((each) => each === whole);
}
