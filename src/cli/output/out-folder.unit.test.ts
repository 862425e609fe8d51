import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { handMade } from '../../../test/reports/hand-made-report.ts';
import { writeReports } from './deliver.ts';
import { holdLedger } from './out-folder.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-own-ledger-'));
  path = join(folder, 'ledger.jsonl');
  writeFileSync(path, '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a ledger is there until somebody takes its name', () => {
  const ledger = holdLedger(path);
  expect(ledger.isThere()).toBe(true);
  rmSync(path);
  expect(ledger.isThere()).toBe(false);
  writeFileSync(path, '');
  expect(ledger.isThere()).toBe(false);
  ledger.close();
});

test('from the moment on that a folder is another run’s, nothing is written there', async () => {
  let asked = 0;
  const isOurs = () => ++asked === 1;
  const { files, problems } = await writeReports(handMade, () => [], ['junit', 'har'], folder, isOurs);
  expect(files).toEqual([join(folder, 'report.json')]);
  expect(problems).toEqual([expect.stringMatching(/^junit\.xml, exchanges\.har cannot be written into /)]);
  expect(readdirSync(folder).sort()).toEqual(['ledger.jsonl', 'report.json']);
});
