import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { filesIn } from '../src/board/files.ts';
import { type BoardOptions, makeBoard } from '../src/board/site.ts';
import type { HistoryEntry } from '../src/history/entry.ts';

/** A board that a test made. */
export interface MadeBoard {
  /** Its folder. */
  out: string;
  problems: string[];
  implementations: number;
  runs: number;
}

/**
 * Makes a board of files, in folders that are removed when the test ends.
 * @param files contents by path
 */
export function boardOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<BoardOptions> = {},
): MadeBoard {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-board-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'in', path)), { recursive: true });
    writeFileSync(join(folder, 'in', path), content);
  }
  const out = join(folder, 'out');
  const problems: string[] = [];
  const made = makeBoard(filesIn([join(folder, 'in')]), {
    out,
    title: 'Stores',
    keys: [],
    now: Date.UTC(2026, 8, 2),
    statementOf: () => undefined,
    onProblem: (problem) => problems.push(problem.replaceAll(`${join(folder, 'in')}/`, '')),
    ...options,
  });
  return { out, problems, ...made };
}

/** The text of a history. */
export function historyOf(entries: readonly HistoryEntry[]): string {
  return entries.map((each) => `${JSON.stringify(each)}\n`).join('');
}
