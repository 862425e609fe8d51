import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { entry } from '../../test/reports/history.ts';
import { addEntries } from './add.ts';
import type { HistoryEntry } from './entry.ts';
import { type BadLine, entriesOf, linesOf } from './read.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-history-'));
  path = join(folder, 'history.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(): { entries: HistoryEntry[]; bad: BadLine[] } {
  const bad: BadLine[] = [];
  const file = openSync(path, 'r');
  const entries = [...entriesOf(file, (each) => bad.push(each))];
  closeSync(file);
  return { entries, bad };
}

const met = entry(1, { a: 'met' });
const other = entry(2, { a: 'violated' });

describe('a file', () => {
  test('has a line for each report, however often it is added', async () => {
    expect(await addEntries(path, [met, met])).toEqual({ isNew: [true, false], removed: 0 });
    expect(await addEntries(path, [other, met])).toEqual({ isNew: [true, false], removed: 0 });
    expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(met)}\n${JSON.stringify(other)}\n`);
    expect(readdirSync(folder)).toEqual(['history.jsonl']);
  });

  test('that ends in the middle of a line: the next addition removes the cut line, and keeps all others', async () => {
    const whole = `${JSON.stringify(met)}\n`;
    for (const length of [1, 10, 30, 200, JSON.stringify(other).length - 1]) {
      const cut = JSON.stringify(other).slice(0, length);
      writeFileSync(path, whole + cut);
      expect(read()).toEqual({
        entries: [met],
        bad: [{ line: 2, problem: expect.stringContaining('is cut') }],
      });
      expect(await addEntries(path, [other])).toEqual({ isNew: [true], removed: length });
      expect(read()).toEqual({ entries: [met, other], bad: [] });
    }
  });

  test('that only lacks the last line break loses nothing', async () => {
    writeFileSync(path, JSON.stringify(met));
    expect(await addEntries(path, [other, met])).toEqual({ isNew: [true, false], removed: 0 });
    expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(met)}\n${JSON.stringify(other)}\n`);
  });

  test.each(['{"a": 1}\n', '{\n  "schemaVersion": 1\n', 'notes', `${'x'.repeat(3_000_000)}`])(
    'of something else is left as it is: %#',
    async (text) => {
      writeFileSync(path, text);
      await expect(addEntries(path, [met])).rejects.toThrow('line 1 is not an entry of a history');
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  test('with bad lines and repeated reports still tells its other runs', () => {
    const lines = [met, 'garbage', met, { ...other, verdict: 'fine' }, other];
    writeFileSync(path, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
    expect(read()).toEqual({
      entries: [met, other],
      bad: [
        { line: 2, problem: expect.stringContaining('it must be object') },
        { line: 4, problem: expect.stringContaining('/verdict must be equal to one of') },
      ],
    });
  });

  test('is read line by line, over the borders of chunks', () => {
    const texts = Array.from({ length: 2_000 }, (_, index) => `${index}`.repeat(1 + (index % 997)));
    const tooLong = 'x'.repeat(2 * 1024 * 1024 + 1);
    writeFileSync(path, [...texts, tooLong, '', 'end'].join('\n'));
    const file = openSync(path, 'r');
    const lines = Array.from(linesOf(file), ({ bytes, ...each }) => ({ ...each, text: bytes?.toString() }));
    closeSync(file);
    expect(lines.map(({ text }) => text)).toEqual([...texts, undefined, '', 'end']);
    expect(lines.at(-1)).toMatchObject({ number: 2_003, isWhole: false });
    const bytes = readFileSync(path);
    for (const { offset, text = '' } of lines)
      expect(bytes.toString('latin1', offset, offset + text.length)).toBe(text);
  });
});
