import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { HtmlValidate } from 'html-validate';
import { onTestFinished } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { filesIn } from '../../src/board/files.ts';
import { type BoardOptions, makeBoard } from '../../src/board/site.ts';
import type { HistoryEntry } from '../../src/history/entry.ts';

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
 * @param gone paths of files that somebody removes once the board has found them
 */
export function boardOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<BoardOptions> = {},
  gone: readonly string[] = [],
): MadeBoard {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-board-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'in', path)), { recursive: true });
    writeFileSync(join(folder, 'in', path), content);
  }
  const out = join(folder, 'out');
  const problems: string[] = [];
  const onProblem = (problem: string) => {
    problems.push(problem.replaceAll(`${join(folder, 'in')}/`, ''));
  };
  const found = filesIn([join(folder, 'in')], onProblem);
  for (const path of gone) rmSync(join(folder, 'in', path));
  const made = makeBoard(found, {
    out,
    title: 'Stores',
    keys: [],
    now: Date.UTC(2026, 8, 2),
    statementOf: () => undefined,
    onProblem,
    ...options,
  });
  return { out, problems, ...made };
}

/** The text of a history. */
export function historyOf(entries: readonly HistoryEntry[]): string {
  return entries.map((each) => `${JSON.stringify(each)}\n`).join('');
}

export const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
export const json = (...path: string[]) => JSON.parse(read(...path));
export const pagesOf = (out: string) =>
  readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard', 'html-validate:a11y', 'html-validate:document'],
  // From disk, a browser loads no file with an integrity.
  rules: { 'require-sri': ['error', { target: 'crossorigin' }] },
});

/** What is wrong with the pages of a board, other than those of reports. */
export async function invalid(out: string): Promise<string[]> {
  const found: string[] = [];
  for (const page of pagesOf(out).filter((name) => !name.startsWith('reports'))) {
    const { results } = await validator.validateString(read(out, page));
    for (const { messages } of results)
      found.push(...messages.map(({ ruleId, message }) => `${page} ${ruleId}: ${message}`));
  }
  return found;
}

/** What is wrong with a feed. */
export async function feedErrors(feed: string): Promise<string[]> {
  const schema = readFileSync(new URL('../schemas/atom.rng', import.meta.url), 'utf8');
  const { errors } = await validateXML({
    xml: [{ fileName: 'feed.xml', contents: feed }],
    schema: [schema],
    extension: 'relaxng',
  });
  return errors.map(({ message }) => message);
}

/** What the search loads. */
export function searched(out: string): unknown[][] {
  let rows: unknown[][] = [];
  const petspecBoard = (all: unknown[][]) => {
    rows = all;
  };
  runInNewContext(read(out, 'data', 'implementations.js'), { petspecBoard });
  return rows;
}
