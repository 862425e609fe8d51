import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeAuthority } from '../../test/certificates/certificates.ts';
import { hangingService, NOBODY } from '../../test/command-line/command-line.ts';
import { concurrentTest as test, testedCommandLine } from '../../test/command-line/tested-command-line.ts';

const { line, petspec, inFolder } = testedCommandLine();

const small = ['run', '--quiet', '--only', 'listPets.200'];
const verdict = /^conformant \(1 of [^\n]*\n$/;

/** Runs it in a shell that prepares something first. */
const after = (preparation: string, ...options: string[]) =>
  line.startProgram('sh', ['-c', `${preparation} exec "$@"`, 'sh', process.execPath, line.bin, ...options])
    .ended;

test('a folder that cannot be written: one line, and the verdict', async () => {
  mkdirSync(inFolder('read-only'));
  chmodSync(inFolder('read-only'), 0o555);
  const { status, out, err } = await line.start([...small, '--out', 'read-only'], NOBODY).ended;
  expect(err).toMatch(/^petspec: cannot write to 'read-only' \(EACCES\); [^\n]*\n$/);
  expect({ status, out }).toEqual({ status: 0, out: expect.stringMatching(verdict) });
});

test('the vitest UI needs a folder that can be written', async () => {
  mkdirSync(inFolder('closed'));
  chmodSync(inFolder('closed'), 0o555);
  const { status, err } = await line.start(['run', '--ui', '--out', 'closed'], NOBODY).ended;
  expect({ status, err }).toEqual({
    status: 2,
    err: "petspec: --out: cannot write to 'closed' (EACCES); --ui needs a folder that it can write to\n",
  });
});

test('one folder of --all cannot be written: the others are, also one whose name begins like it', async () => {
  const folder = inFolder('all');
  mkdirSync(join(folder, 'reports', 'one'), { recursive: true });
  chmodSync(join(folder, 'reports', 'one'), 0o555);
  for (const each of [folder, join(folder, 'reports')]) chmodSync(each, 0o777);
  const targets =
    'targets: { one: { baseUrl: http://127.0.0.1:9/v1 }, one-more: { baseUrl: http://127.0.0.1:9/v1 } }';
  writeFileSync(join(folder, 'petspec.config.yaml'), targets);
  const { status, err } = await line.start(['run', '--all', '--quiet'], { ...NOBODY, cwd: folder }).ended;
  expect(status).toBe(3);
  expect(err).toMatch(/^petspec: cannot write to 'reports\/one' \(EACCES\); [^\n]*\n$/);
  expect(readdirSync(join(folder, 'reports', 'one'))).toEqual([]);
  expect(readdirSync(join(folder, 'reports', 'one-more'))).toContain('report.json');
});

test('a folder that cannot be made: the same', async () => {
  mkdirSync(inFolder('locked'));
  chmodSync(inFolder('locked'), 0o555);
  const { status, out, err } = await line.start([...small, '--out', 'locked/reports'], NOBODY).ended;
  expect(err).toMatch(/^petspec: cannot write to 'locked\/reports' \(EACCES\); [^\n]*\n$/);
  expect({ status, out }).toEqual({ status: 0, out: expect.stringMatching(verdict) });
});

test('what is printed goes into a full disk: one line, the reports, and the status of the verdict', async () => {
  const { status, err } = await after('exec > /dev/full;', 'run', '--quiet', '--out', 'printed-in-vain');
  expect(err).toBe('petspec: cannot write to stdout (ENOSPC)\n');
  expect(status).toBe(0);
  expect(existsSync(inFolder('printed-in-vain', 'report.json'))).toBe(true);
});

test('messages go into a full disk: the verdict and its status all the same', async () => {
  const { status, out } = await after(
    'exec 2> /dev/full;',
    'run',
    '--only',
    'listPets.200',
    '--out',
    'told-in-vain',
  );
  expect(out).toMatch(/^conformant \(1 of /m);
  expect(status).toBe(0);
});

test('no temporary folder: a run needs none, and the UI says so in one line, 2', async () => {
  const run = await after('export TMPDIR=/nonexistent;', ...small, '--out', 'no-temporary');
  expect(run).toMatchObject({ status: 0, err: '' });
  const ui = await after('export TMPDIR=/nonexistent;', 'run', '--ui', '--out', 'no-temporary');
  expect(ui.status).toBe(2);
  expect(ui.err).toMatch(
    /^petspec: cannot create a temporary folder in '\/nonexistent' \(ENOENT\); [^\n]*\n$/m,
  );
});

test('two runs that begin in one folder together: the files are those of one of them', async () => {
  const ways = [
    ['--only', 'listPets.200', '--format', 'html,har'],
    ['--read-only', '--no-exhaust', '--format', 'junit,ctrf'],
  ];
  const runs = await Promise.all(
    ways.map((options) => line.petspec('run', '--quiet', ...options, '--out', 'together')),
  );
  expect(runs.map(({ status }) => status)).toEqual([0, 0]);
  for (const { err } of runs) expect(err).toMatch(/^(petspec: [^\n]*\n)*$/);
  const report = JSON.parse(readFileSync(inFolder('together', 'report.json'), 'utf8'));
  const isFirst = report.narrowed.some(({ option }: { option: string }) => option === '--only');
  const own = isFirst ? ['exchanges.har', 'report.html'] : ['ctrf.json', 'junit.xml'];
  expect(readdirSync(inFolder('together')).sort()).toEqual([...own, 'ledger.jsonl', 'report.json'].sort());
  const ledger = readFileSync(inFolder('together', 'ledger.jsonl'), 'utf8').trimEnd().split('\n');
  // A header, the exchanges, and the end.
  expect(ledger).toHaveLength(report.requests.total + 2);
  expect(JSON.parse(ledger[0] ?? '').options.readOnly).toBe(!isFirst);
});

test('the folder is taken away meanwhile: a line each, and the verdict', async () => {
  const { url, hangs, close } = await hangingService(1);
  const { child, ended } = line.start(['run', url, '--verbose', '--read-only', '--out', 'gone']);
  // Only once petspec tells of the first exchange does it hold its ledger for certain.
  const told = new Promise<void>((resolve) => {
    child.stderr?.on('data', (text: string) => text.includes('/pets') && resolve());
  });
  await Promise.all([hangs, told]);
  rmSync(inFolder('gone'), { recursive: true });
  child.kill('SIGINT');
  const { status, out, err } = await ended;
  close();
  expect(err.split('\n').filter((each) => each.startsWith('petspec: '))).toEqual([
    expect.stringMatching(/^petspec: cannot write .*ledger\.jsonl: ENOENT/),
    expect.stringMatching(
      /^petspec: report\.json, .* cannot be written into .*gone \(the ledger .* no longer there\)$/,
    ),
  ]);
  expect(out).toMatch(/^incomplete[ :]/m);
  expect(status).toBe(3);
});

test('a client certificate and its key come through one pipe', async () => {
  mkdirSync(inFolder('authority'));
  const mine = makeAuthority(inFolder('authority')).sign('mine');
  writeFileSync(inFolder('both.pem'), `${mine.certificate}${mine.key}`);
  const print = `process.stdout.write(fs.readFileSync('both.pem'))`;
  const run = `"$0" "$@" run https://a.test --client-cert /dev/fd/3 --dry-run 3<&0 < /dev/null`;
  const command = `"$0" -e "${print}" | ${run}`;
  expect(await line.startProgram('sh', ['-c', command, process.execPath, line.bin]).ended).toMatchObject({
    status: 0,
    err: '',
  });
});

test('what a killed run left half-written is taken away; other files, and what links lead to, are left alone', async () => {
  mkdirSync(inFolder('used'));
  writeFileSync(inFolder('victim'), 'of somebody');
  for (const name of ['report.json.123.tmp', 'mine.123.tmp']) writeFileSync(inFolder('used', name), 'half');
  for (const name of ['report.json', 'ledger.jsonl', 'summary.md'])
    symlinkSync(inFolder('victim'), inFolder('used', name));
  const { status } = await petspec(...small, '--format', 'markdown', '--out', 'used');
  expect(status).toBe(0);
  expect(readFileSync(inFolder('victim'), 'utf8')).toBe('of somebody');
  expect(readdirSync(inFolder('used')).sort()).toEqual([
    'ledger.jsonl',
    'mine.123.tmp',
    'report.json',
    'summary.md',
  ]);
});
