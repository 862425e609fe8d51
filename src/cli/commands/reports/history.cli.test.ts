import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import { testedCommandLine } from '../../../../test/command-line/tested-command-line.ts';
import { handMade } from '../../../../test/reports/hand-made-report.ts';
import { sha256 } from '../../../certificate/statement.ts';
import { entryOf } from '../../../history/entry.ts';

const { line, petspec, inFolder } = testedCommandLine();

/** Reports of so many different runs, in a folder of their own. */
function reports(folder: string, count: number): string[] {
  mkdirSync(inFolder(folder));
  return Array.from({ length: count }, (_, index) => {
    const startedAt = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
    const path = join(folder, `${index}.json`);
    writeFileSync(inFolder(path), JSON.stringify({ ...handMade, startedAt, exchanges: [] }));
    return path;
  });
}

const linesOf = (file: string) =>
  readFileSync(inFolder(file), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((each) => JSON.parse(each) as { report: string });

/** Parts of petspec that no file of the package has by themselves. Inside the package, so that they find its packages. */
const moduleOf = (name: string) => join(line.bin, '..', 'history', `${name}.js`);
beforeAll(async () => {
  const input = { add: 'src/history/add.ts', 'file-lock': 'src/history/file-lock.ts' };
  const bundle = await rolldown({ input, platform: 'node', external: /^[@\w]/ });
  await bundle.write({ dir: join(moduleOf('add'), '..') });
});

/**
 * A program that does what the command does once it has read the report, as soon as there is a file `go`. It prints whether
 * it added the report. The command takes four times as long.
 */
function adding(path: string, file: string): string {
  const bytes = readFileSync(inFolder(path));
  const entry = entryOf(JSON.parse(String(bytes)), sha256(bytes));
  const module = moduleOf('add');
  return `import(${JSON.stringify(module)}).then(async ({ addEntries }) => {
    process.stdout.write('ready, ');
    while (!fs.existsSync('go')) await timers.promises.setTimeout(5);
    const { isNew } = await addEntries(${JSON.stringify(file)}, [${JSON.stringify(entry)}]);
    process.stdout.write(isNew[0] ? 'added' : 'known');
  })`;
}

describe('petspec history add', () => {
  test('many processes at once lose nothing and add nothing twice', async () => {
    const paths = reports('many', 25);
    // Each report is added by two processes, which begin at the same time.
    const started = paths
      .flatMap((path) => [path, path])
      .map((path) => line.startProgram(process.execPath, ['-e', adding(path, 'many.jsonl')]));
    await Promise.all(
      started.map(({ child, ended }) => Promise.race([once(child.stdout ?? child, 'data'), ended])),
    );
    writeFileSync(inFolder('go'), '');
    const ended = await Promise.all(started.map((each) => each.ended));
    expect(ended.filter(({ status }) => status !== 0)).toEqual([]);
    expect(ended.filter(({ out }) => out === 'ready, added').length).toBe(paths.length);
    const digests = linesOf('many.jsonl').map(({ report }) => report);
    expect(digests).toHaveLength(paths.length);
    expect(new Set(digests).size).toBe(paths.length);
    expect(readdirSync(line.folder).filter((name) => name.includes('.lock'))).toEqual([]);
  });

  test('processes that are killed leave a history that the next one continues', {
    timeout: 300_000,
  }, async () => {
    const paths = reports('killed', 12);
    const options = (each: string[]) => ['history', 'add', ...each, '--file', 'killed.jsonl'];
    // Killed at different moments, which of them hold the lock is chance. The next test kills one that certainly does.
    await Promise.all(
      paths.map(async (path, index) => {
        const { child, ended } = line.start(options([path]));
        const timer = setTimeout(() => child.kill('SIGKILL'), 150 + index * 40);
        await ended;
        clearTimeout(timer);
      }),
    );
    expect(await line.petspec(...options(paths))).toMatchObject({ status: 0 });
    const digests = linesOf('killed.jsonl').map(({ report }) => report);
    expect(digests).toHaveLength(paths.length);
    expect(new Set(digests).size).toBe(paths.length);
    expect(readdirSync(line.folder).filter((name) => name.includes('.lock'))).toEqual([]);
  });

  test('reports that come through pipes are all added, each with the digest of its bytes', async () => {
    const paths = reports('piped', 2);
    const printing = paths.map((path) => `"$0" -e "process.stdout.write(fs.readFileSync('${path}'))"`);
    const [first, second] = printing;
    const added = '"$0" "$@" history add /dev/fd/3 /dev/fd/4 --file piped.jsonl 4<&0 < /dev/null';
    const command = `${first} | { ${second} | ${added}; } 3<&0`;
    expect(await line.startProgram('sh', ['-c', command, process.execPath, line.bin]).ended).toMatchObject({
      status: 0,
      out: 'piped.jsonl: added 2 runs\n',
    });
    expect(linesOf('piped.jsonl').map(({ report }) => report)).toEqual(
      paths.map((path) => sha256(readFileSync(inFolder(path)))),
    );
  });

  test('the lock of a process that is gone is removed', async () => {
    const [path = ''] = reports('stale', 1);
    // Makes the lock as petspec does, and is killed while it holds it.
    const module = moduleOf('file-lock');
    const code = `import(${JSON.stringify(module)}).then(({ withLock }) =>
      withLock('stale.jsonl.lock', () => process.kill(process.pid, 'SIGKILL')))`;
    expect(await line.startProgram(process.execPath, ['-e', code]).ended).toMatchObject({
      signal: 'SIGKILL',
    });
    expect(readdirSync(line.folder)).toContain('stale.jsonl.lock');
    expect(await line.petspec('history', 'add', path, '--file', 'stale.jsonl')).toMatchObject({ status: 0 });
    expect(readdirSync(line.folder).filter((name) => name.startsWith('stale.jsonl'))).toEqual([
      'stale.jsonl',
    ]);
  });
});

describe('petspec history', () => {
  beforeAll(async () => {
    reports('known', 2);
    const sample = (name: string) => join(import.meta.dirname, '../../../../reports/samples', name);
    const add = ['history', 'add', '--file', 'two.jsonl', '--name', 'store'];
    await petspec(...add, sample('conformant'), '--release', '1.0.0');
    await petspec(...add, sample('broken'), '--release', '1.1.0');
  });

  test('fails on a regression only if that is wanted', async () => {
    expect(await petspec('history', '--file', 'two.jsonl')).toMatchObject({ status: 0, err: '' });
    const { status, out } = await petspec('history', '--file', 'two.jsonl', '--fail-on-regression');
    expect(status).toBe(1);
    expect(out).toContain('worse than the run before: listPets.status');
    expect(out).toContain('(release 1.1.0), 1 run');
  });

  test.each([
    ['no history', 'history --file none.jsonl', 'none.jsonl: no such history; petspec history add makes one'],
    ['a folder', 'history --file .', '.: not a file'],
    ['an implementation that is not there', 'history --file two.jsonl --name stor', "did you mean 'store'?"],
    [
      'a file of something else',
      'history --file known/0.json',
      'known/0.json: line 1: not an entry of a history',
    ],
    [
      'another file to add to',
      'history add known/0.json --file known/1.json',
      'line 1 is not an entry of a history',
    ],
    [
      'a folder to add to',
      'history add known/0.json --file known',
      "--file: cannot write to 'known' (EISDIR)",
    ],
    [
      'no folder to add in',
      'history add known/0.json --file no/x',
      "--file: cannot write to 'no/x' (ENOENT)",
    ],
    ['no report', 'history add none.json', 'none.json: no such report'],
    ['no name', 'history add known/0.json --name=', '--name: expected a text that is not empty'],
    [
      'an option of the other command',
      'history add known/0.json --fail-on-regression',
      'history add: --fail-on-regression is not supported; pass it to petspec history',
    ],
    ['another command', 'history remove', "too many arguments for 'history'"],
  ])('says in one line what is wrong: %s', async (_, options, words) => {
    const { status, err } = await petspec(...options.split(' '));
    expect(err).toContain(words);
    expect({ status, lines: err.trimEnd().split('\n').length }).toEqual({
      status: 2,
      lines: err.includes('see petspec') ? 2 : 1,
    });
  });
});
