import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KEY, startBookshop } from './bookshop.ts';
import { folderWith, SENTENCE, TITLES } from './documents/folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
let engine: string;

// petspec without the animal store: no spec/, no suites/, and no reference with its faults and variants.
beforeAll(() => {
  engine = mkdtempSync(join(tmpdir(), 'petspec-engine-'));
  for (const name of [
    'src',
    'bin',
    'assets',
    'reports',
    'package.json',
    'tsconfig.json',
    'petspec.config.schema.json',
    'petspec.requirements.schema.json',
  ])
    cpSync(join(ROOT, name), join(engine, name), { recursive: true });
  for (const each of ['reference', 'client', 'selfcheck/selfcheck.ts'])
    rmSync(join(engine, 'src', each), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(engine, 'node_modules'));
  const options = { extends: './tsconfig.json', include: ['src'], exclude: ['**/*.*.test.ts'] };
  writeFileSync(join(engine, 'tsconfig.engine.json'), JSON.stringify(options));
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
  const built = spawnSync(compiler, ['-p', 'tsconfig.engine.json', '--noCheck', '--outDir', 'dist/package'], {
    cwd: engine,
  });
  expect(String(built.stdout)).toBe('');
}, 120_000);
afterAll(() => rmSync(engine, { recursive: true, force: true }));

/** What a command of the engine prints, and its exit status. */
async function petspec(...options: string[]) {
  const env = { PATH: process.env.PATH ?? '', PETSPEC_API_KEY: KEY };
  const command = spawn(process.execPath, [join(engine, 'bin', 'petspec.js'), ...options], {
    cwd: engine,
    env,
  });
  const printed: string[] = [];
  for (const stream of [command.stdout, command.stderr])
    stream.on('data', (text) => printed.push(String(text)));
  const status = await new Promise((resolve) => command.on('close', resolve));
  return { status, text: printed.join('') };
}

test('without the animal store, the engine builds and judges another interface with its suites', async () => {
  const absent = ['spec', 'suites', 'src/reference'].filter((each) => !existsSync(join(engine, each)));
  expect(absent).toHaveLength(3);
  const files = { 'requirements.yaml': `requirements:\n  - ${SENTENCE}\n`, 'suites/titles.mjs': TITLES };
  const folder = folderWith(files, 'petspec/suite');
  const { baseUrl, usualBook } = await startBookshop();
  const sound = await petspec('run', baseUrl, '--interface', folder, '--out', join(engine, 'sound'));
  expect(sound.text).toContain('conformant (');
  expect(sound.status).toBe(0);
  const books = [usualBook, { ...usualBook, id: '1b9c1c4e-6f2d-4b3a-9d2f-1c2b3a4d5e6f' }];
  const wrong = await startBookshop({
    answer: ({ path }, own) =>
      path === '/books' ? { ...own, value: { items: books, next: null } } : undefined,
  });
  const found = await petspec('run', wrong.baseUrl, '--interface', folder, '--out', join(engine, 'wrong'));
  expect([found.status, found.text]).toEqual([1, expect.stringContaining('two books have one title')]);
  // Anybody may have written a ledger, so it does not say which code is executed: what the run reported is shown.
  const report = ['report', join(engine, 'wrong')] as const;
  expect(await petspec(...report)).toMatchObject({
    status: 1,
    text: expect.stringContaining(`add --interface '${folder}' to judge the run again`),
  });
  expect(await petspec(...report, '--interface', folder)).toMatchObject({ status: 1 });
  const listed = await petspec('requirements', '--interface', folder);
  expect([listed.status, listed.text]).toEqual([0, expect.stringContaining('must   books.titles: ')]);
});
