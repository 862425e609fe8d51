import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { NOBODY } from '../../../../test/command-line/command-line.ts';
import { testedCommandLine } from '../../../../test/command-line/tested-command-line.ts';

const { line, petspec, inFolder } = testedCommandLine();
beforeAll(() => {
  mkdirSync(inFolder('empty'));
  writeFileSync(inFolder('list.json'), '[]');
});

const SAMPLES = join(import.meta.dirname, '../../../../reports/samples');

test('makes a site, with the sentences of the requirements', async () => {
  expect(await petspec('board', SAMPLES, '--out', 'site')).toMatchObject({
    status: 0,
    out: 'site/index.html: 1 implementation, 2 runs\n',
    err: '',
  });
  const latest = JSON.parse(readFileSync(inFolder('site', 'latest.json'), 'utf8'));
  const page = readFileSync(inFolder('site', latest.implementations[0].page), 'utf8');
  expect(page).toContain('GET /pets accepts limit at its maximum of 100.');
});

test.each([
  ['a path that does not exist', 'board nowhere', 'nowhere: no such file or folder'],
  ['a folder without runs', 'board empty', 'board: no run in these files'],
  ['a file that is not a report', 'board list.json', 'ignored list.json: not a petspec report'],
  ['a key that does not exist', `board ${SAMPLES} --key nope`, "--key: no such file 'nope'"],
  [
    'an address that is not one',
    `board ${SAMPLES} --url example.com`,
    "--url: 'example.com' is not the address",
  ],
  ['a file for a folder', `board ${SAMPLES} --out list.json`, "--out: cannot write to 'list.json' (ENOTDIR)"],
  ['a folder that cannot be', `board ${SAMPLES} --out list.json/x`, "--out: cannot write to 'list.json/x'"],
  [
    'a file system that takes no folder',
    `board ${SAMPLES} --out /proc/x`,
    "--out: cannot write to '/proc/x'",
  ],
])('says in one line what is wrong: %s', async (_, options, words) => {
  const { status, err } = await petspec(...options.split(' '));
  expect(err).toContain(words);
  expect({ status, isShort: err.split('\n').length <= 3 }).toEqual({ status: 2, isShort: true });
});

test('files and folders that cannot be read are ignored, with a line for each', async () => {
  const copyTo = (folder: string) => {
    mkdirSync(inFolder('mixed', folder), { recursive: true });
    copyFileSync(join(SAMPLES, 'conformant', 'report.json'), inFolder('mixed', folder, 'report.json'));
  };
  for (const folder of ['locked', 'readable', 'unreadable']) copyTo(folder);
  const closed = ['locked', 'unreadable/report.json', 'readable/certificate.json', 'history.jsonl'];
  for (const name of closed.slice(2)) writeFileSync(inFolder('mixed', name), '{}');
  for (const name of closed) chmodSync(inFolder('mixed', name), 0);
  mkdirSync(inFolder('mixed-site'));
  chmodSync(inFolder('mixed-site'), 0o777);
  const { status, out, err } = await line.start(['board', 'mixed', '--out', 'mixed-site'], NOBODY).ended;
  expect({ status, out, ignored: err.trimEnd().split('\n').sort() }).toEqual({
    status: 0,
    out: 'mixed-site/index.html: 1 implementation, 1 run\n',
    ignored: closed.map((name) => `petspec: ignored mixed/${name}: cannot read it (EACCES)`).sort(),
  });
  // One that is named has to be readable.
  expect(await line.start(['board', 'mixed/locked', '--out', 'mixed-site'], NOBODY).ended).toMatchObject({
    status: 2,
    err: 'petspec: mixed/locked: cannot read it (EACCES)\n',
  });
});
