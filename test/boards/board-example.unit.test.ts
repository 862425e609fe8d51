import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEntry } from '../../src/history/read.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/board');
const histories = readdirSync(join(EXAMPLE, 'histories')).map((name) =>
  readFileSync(join(EXAMPLE, 'histories', name), 'utf8')
    .trimEnd()
    .split('\n'),
);

test('the histories of the example are valid, and its site shows the last run of each', () => {
  const last = histories.map((lines) => {
    const entries = lines.map((line) => readEntry(Buffer.from(line)));
    expect(entries.filter((each) => typeof each === 'string')).toEqual([]);
    const entry = entries.at(-1);
    return typeof entry === 'object'
      ? { name: entry.name, report: entry.report, runs: entries.length }
      : undefined;
  });
  const { implementations } = JSON.parse(readFileSync(join(EXAMPLE, 'site', 'latest.json'), 'utf8'));
  expect(implementations).toHaveLength(6);
  expect(implementations).toEqual(expect.arrayContaining(last.map((each) => expect.objectContaining(each))));
  for (const { page, badge } of implementations)
    for (const path of [page, badge]) expect(existsSync(join(EXAMPLE, 'site', path))).toBe(true);
});
