// The figures of earlier commits: a line each in bench/history.jsonl.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, 'history.jsonl');

const lines = () =>
  existsSync(FILE)
    ? readFileSync(FILE, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];

const head = () =>
  execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  }).trim();

/** The figures of the last commit before this one of which this figure was measured. */
export function figuresBefore(name) {
  const commit = head();
  return lines().findLast((line) => line.commit !== commit && name in line.figures);
}

/** Keeps the figures of this commit, in place of those of the same names that an earlier measurement of it has. */
export function keepFigures(figures) {
  const commit = head();
  const date = new Date().toISOString().slice(0, 10);
  const known = lines().find((line) => line.commit === commit)?.figures;
  const others = lines().filter((line) => line.commit !== commit);
  const kept = [...others, { commit, date, figures: { ...known, ...figures } }];
  writeFileSync(FILE, kept.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
