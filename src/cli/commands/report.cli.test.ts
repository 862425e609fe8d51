import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { testedCommandLine } from '../../../test/command-line/tested-command-line.ts';

const { petspec, inFolder, reportIn } = testedCommandLine();

beforeAll(async () => {
  const only = ['--only', 'listPets.200', '--format', 'junit'];
  expect(await petspec('run', '--quiet', ...only, '--out', 'run')).toMatchObject({ status: 0 });
});

test('another folder is cleared as by a run: nothing of an earlier run stays beside the report', async () => {
  mkdirSync(inFolder('other'));
  for (const name of ['certificate.json', 'badge.json', 'badge.svg', 'ledger.jsonl', 'notes.txt'])
    writeFileSync(inFolder('other', name), '{}');
  const { status } = await petspec('report', 'run', '--out', 'other', '--format', 'csv', '--quiet');
  expect(status).toBe(0);
  expect(readdirSync(inFolder('other')).sort()).toEqual(['notes.txt', 'report.json', 'requirements.csv']);
});

test('the folder of the run keeps its files, also by another path', async () => {
  symlinkSync(inFolder('run'), inFolder('link'));
  for (const out of ['run', './run', 'link']) {
    const { status } = await petspec('report', 'run', '--out', out, '--format', 'csv', '--quiet');
    expect(status).toBe(0);
    expect(readdirSync(inFolder('run')).sort()).toEqual([
      'junit.xml',
      'ledger.jsonl',
      'report.json',
      'requirements.csv',
    ]);
  }
});

test('a ledger that cannot be judged leaves the other folder as it is', async () => {
  for (const name of ['damaged', 'kept']) mkdirSync(inFolder(name));
  writeFileSync(inFolder('damaged', 'ledger.jsonl'), 'garbage\n{}\n');
  writeFileSync(inFolder('kept', 'report.json'), '{"of": "an earlier run"}');
  expect(await petspec('report', 'damaged', '--out', 'kept')).toMatchObject({ status: 2 });
  expect(reportIn('kept')).toEqual({ of: 'an earlier run' });
});
