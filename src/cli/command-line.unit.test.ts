import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** A build of its own, below node_modules: inside the package, and nobody's else. */
const BUILD = join(ROOT, 'node_modules', '.cache', `petspec-command-line-${process.pid}`);
const KEY = 'a-key-of-a-test';
/** A user whom permissions keep from writing, also where the tests run as the superuser. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

let folder: string;
const servers: Server[] = [];

beforeAll(() => {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  try {
    execFileSync(
      process.execPath,
      [tsc, '-p', 'tsconfig.build.json', '--outDir', BUILD, '--declaration', 'false'],
      {
        cwd: ROOT,
        stdio: 'ignore',
      },
    );
  } catch {
    // Types are checked elsewhere; what is compiled is there all the same.
  }
  mkdirSync(join(BUILD, 'bin'));
  const bin = readFileSync(join(ROOT, 'bin', 'petspec.js'), 'utf8');
  writeFileSync(join(BUILD, 'bin', 'petspec.js'), bin.replace('../dist/src/', '../src/'));
  folder = mkdtempSync(join(tmpdir(), 'petspec-command-line-'));
  chmodSync(folder, 0o777);
}, 120_000);

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(() => {
  rmSync(BUILD, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  status: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

/** Starts the real command line. */
function start(
  options: readonly string[],
  more: { env?: NodeJS.ProcessEnv; uid?: number; gid?: number } = {},
) {
  const { env, ...user } = more;
  const child = spawn(process.execPath, [join(BUILD, 'bin', 'petspec.js'), ...options], {
    cwd: folder,
    env: { PATH: process.env.PATH, PETSPEC_API_KEY: KEY, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (status, signal) => resolve({ status, signal, out, err }));
  });
  return { child, ended };
}

const petspec = (...options: string[]): Promise<Ended> => start(options).ended;

/** A service that answers so many requests, each with an empty list, and leaves the next ones waiting. */
async function hangingService(answers: number): Promise<{ url: string; hangs: Promise<void> }> {
  let asked = 0;
  let isHanging = () => {};
  const hangs = new Promise<void>((resolve) => {
    isHanging = resolve;
  });
  const server = createServer((request, response: ServerResponse) => {
    request.resume();
    asked += 1;
    if (asked > answers) return isHanging();
    response.writeHead(200, {
      'content-type': 'application/json',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': String(60 - asked),
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 50),
    });
    response.end('[]');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, hangs };
}

const reportIn = (out: string) => JSON.parse(readFileSync(join(folder, out, 'report.json'), 'utf8'));

test('a conformant run: 0, with the default formats, and its ledger renders them again', async () => {
  const run = await petspec('run', '--out', 'conformant');
  expect(run).toMatchObject({ status: 0 });
  expect(run.out).toMatch(/^conformant: http:/m);
  expect(readdirSync(join(folder, 'conformant')).sort()).toEqual(
    ['junit.xml', 'ledger.jsonl', 'report.html', 'report.json', 'summary.md'].sort(),
  );
  const first = reportIn('conformant');
  rmSync(join(folder, 'conformant', 'report.json'));
  const again = await petspec('report', 'conformant', '--format', 'har,ctrf', '--format', 'junit');
  expect(again).toMatchObject({ status: 0, err: '' });
  expect(reportIn('conformant')).toEqual(first);
  expect(existsSync(join(folder, 'conformant', 'exchanges.har'))).toBe(true);
  expect(existsSync(join(folder, 'conformant', 'ctrf.json'))).toBe(true);
}, 60_000);

test('--quiet: the verdict alone; --format: what was asked for alone; another run replaces all of the first', async () => {
  mkdirSync(join(folder, 'replaced'));
  for (const name of ['junit.xml', 'report.html', 'exchanges.har', 'mine.txt'])
    writeFileSync(join(folder, 'replaced', name), 'of an earlier run');
  const run = await petspec('run', '--quiet', '--format', 'ctrf', '--out', 'replaced');
  expect(run).toMatchObject({ status: 0, err: '' });
  expect(run.out).toMatch(/^conformant: [^\n]*\n$/);
  expect(readdirSync(join(folder, 'replaced')).sort()).toEqual(
    ['ctrf.json', 'ledger.jsonl', 'mine.txt', 'report.json'].sort(),
  );
}, 60_000);

test('--verbose: a line for each exchange, and none lost', async () => {
  const run = await petspec('run', '--verbose', '--only', 'Errors', '--out', 'verbose');
  const lines = run.err.split('\n').filter((line) => line.startsWith('#'));
  expect(lines).toHaveLength(reportIn('verbose').requests.total);
  expect(run.err).not.toContain(KEY);
}, 60_000);

test('a ledger whose last line was cut short: what was completed is judged, incomplete, 3', async () => {
  await petspec('run', '--quiet', '--out', 'cut');
  const ledger = join(folder, 'cut', 'ledger.jsonl');
  const lines = readFileSync(ledger, 'utf8').trimEnd().split('\n');
  // The end goes, and half of the last exchange.
  const last = Buffer.byteLength(`${lines.at(-1)}\n`) + Math.floor(Buffer.byteLength(`${lines.at(-2)}`) / 2);
  truncateSync(ledger, Buffer.byteLength(readFileSync(ledger)) - last);
  const report = await petspec('report', 'cut');
  expect(report).toMatchObject({ status: 3, err: '' });
  expect(report.out).toMatch(/^incomplete: .*broken off/m);
  expect(reportIn('cut').requests.total).toBe(lines.length - 3);
}, 60_000);

test('compare: 0, and 1 where a regression is to fail; the violation has the exit status 1', async () => {
  await petspec('run', '--quiet', '--only', 'listPets', '--no-exhaust', '--out', 'good');
  const good = reportIn('good');
  const bad = structuredClone(good);
  const first = bad.requirements.find(({ status }: { status: string }) => status === 'met');
  first.status = 'violated';
  mkdirSync(join(folder, 'bad'));
  writeFileSync(join(folder, 'bad', 'report.json'), JSON.stringify(bad));
  const told = await petspec('compare', 'good', 'bad/report.json');
  expect(told).toMatchObject({ status: 0, err: '' });
  expect(told.out).toContain('Met in the first run, violated in the last (1)');
  expect(told.out).toContain(first.id);
  expect(await petspec('compare', 'good', 'bad', '--fail-on-regression')).toMatchObject({ status: 1 });
  expect(await petspec('compare', 'bad', 'good', '--fail-on-regression')).toMatchObject({ status: 0 });
  const markdown = await petspec('compare', 'good', 'bad', '--format', 'markdown');
  expect(markdown.out).toMatch(/^## petspec: comparison\n/);
  const html = await petspec('compare', 'good', 'bad', '--format', 'html');
  expect(html.out).toMatch(/^<!doctype html>/);
}, 60_000);

test('Ctrl-C once: what is known is reported, nothing completed is lost, and the rest is not tested', async () => {
  const { url, hangs } = await hangingService(1);
  const { child, ended } = start(['run', url, '--read-only', '--out', 'interrupted', '--max-wait', '1']);
  await hangs;
  child.kill('SIGINT');
  const { status, out, err } = await ended;
  expect(err).toContain('interrupted: finishing with what is known');
  expect(out).toMatch(/^incomplete: .*the run was interrupted/m);
  expect(status).toBe(3);
  const report = reportIn('interrupted');
  expect(report).toMatchObject({ verdict: 'incomplete', stopped: { kind: 'interrupted' } });
  expect(report.exchanges[0].response.status).toBe(200);
  expect(existsSync(join(folder, 'interrupted', 'junit.xml'))).toBe(true);
}, 60_000);

test('killed in the middle: no completed exchange is lost, and its reports can be rendered', async () => {
  const { url, hangs } = await hangingService(2);
  const { child, ended } = start(['run', url, '--read-only', '--concurrency', '1', '--out', 'killed']);
  await hangs;
  child.kill('SIGKILL');
  expect(await ended).toMatchObject({ status: null, signal: 'SIGKILL' });
  expect(readdirSync(join(folder, 'killed'))).toEqual(['ledger.jsonl']);
  const report = await petspec('report', 'killed', '--quiet');
  expect(report.out).toContain('broken off');
  expect(reportIn('killed').requests.total).toBe(2);
}, 60_000);

test('a report that cannot be written: one line, the verdict and the other reports all the same', async () => {
  await petspec('run', '--quiet', '--only', 'open.ordering', '--out', 'blocked');
  rmSync(join(folder, 'blocked', 'report.html'), { force: true });
  mkdirSync(join(folder, 'blocked', 'report.html', 'in-the-way'), { recursive: true });
  const { status, out, err } = await petspec('report', 'blocked');
  expect(err.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^petspec: .*report\.html cannot be written: E/),
  ]);
  expect(out).toMatch(/^conformant: /m);
  expect(status).toBe(0);
  expect(readdirSync(join(folder, 'blocked')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
}, 60_000);

test('a folder that became read-only: a line for each report, the verdict all the same', async () => {
  await petspec('run', '--quiet', '--only', 'open.ordering', '--out', 'read-only');
  const { status, out, err } = await start(
    ['report', 'read-only', '--out', 'locked/reports', '--format', 'junit'],
    NOBODY,
  ).ended.finally(() => {});
  expect({ status, out, err }).toMatchObject({ status: 0 });
  chmodSync(join(folder, 'read-only'), 0o555);
  const locked = await start(['report', 'read-only', '--quiet'], NOBODY).ended;
  expect(locked.status).toBe(2);
  expect(locked.err.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^petspec: .*cannot be written \(EACCES\)/),
  ]);
}, 60_000);

const BROKEN: [what: string, options: string[], line: RegExp][] = [
  [
    'a format that does not exist',
    ['run', '--format', 'pdf'],
    /^petspec: --format pdf: there is no such format/,
  ],
  ['options that contradict each other', ['run', '--quiet', '--verbose'], /^petspec: --quiet and --verbose/],
  ['a folder that does not exist', ['report', 'nowhere'], /^petspec: nowhere: there is no such folder/],
  ['a folder without a ledger', ['report', 'empty'], /^petspec: empty: no run has left its ledger\.jsonl/],
  ['a ledger that is none', ['report', 'garbage'], /^petspec: garbage\/ledger\.jsonl: .*line 1/],
  ['one report', ['compare', 'empty'], /^petspec: compare: two reports/],
  [
    'a report that does not exist',
    ['compare', 'a.json', 'b.json'],
    /^petspec: a\.json: there is no such report/,
  ],
  [
    'a report that is no JSON',
    ['compare', 'garbage/report.json', 'x'],
    /^petspec: garbage\/report\.json: is no JSON/,
  ],
  [
    'a report of another version',
    ['compare', 'later.json', 'x'],
    /^petspec: later\.json: has schemaVersion 99/,
  ],
  ['JSON that is no report', ['compare', 'list.json', 'x'], /^petspec: list\.json: is no report of petspec/],
  [
    'a report with a hole',
    ['compare', 'hole.json', 'x'],
    /^petspec: hole\.json: is no report of petspec: it must have/,
  ],
  [
    'a comparison format',
    ['compare', '--format', 'pdf', 'a', 'b'],
    /^petspec: --format pdf: there is no such format/,
  ],
  [
    'a file for a folder',
    ['run', '--out', 'list.json/x'],
    /^petspec: --out list\.json\/x: cannot be written/,
  ],
];

test.each(BROKEN)(
  '2 and one line: %s',
  async (_, options, line) => {
    for (const name of ['empty', 'garbage']) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'garbage', 'ledger.jsonl'), 'garbage\n{}\n');
    writeFileSync(join(folder, 'garbage', 'report.json'), 'garbage');
    writeFileSync(join(folder, 'later.json'), '{"schemaVersion":99}');
    writeFileSync(join(folder, 'list.json'), '[]');
    writeFileSync(join(folder, 'hole.json'), '{"schemaVersion":1}');
    const { status, out, err } = await petspec(...options);
    expect(err).toMatch(line);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect({ status, out }).toEqual({ status: 2, out: '' });
  },
  30_000,
);

test('a reader that has seen enough does no harm', async () => {
  const { child, ended } = start(['run', '--only', 'open.ordering', '--out', 'closed']);
  child.stdout.destroy();
  expect(await ended).toMatchObject({ status: 0 });
  expect(existsSync(join(folder, 'closed', 'report.json'))).toBe(true);
}, 60_000);

test('a copy of a folder renders elsewhere', async () => {
  await petspec('run', '--quiet', '--only', 'open.ordering', '--out', 'here');
  cpSync(join(folder, 'here'), join(folder, 'there'), { recursive: true });
  expect(await petspec('report', 'there', '--out', 'rendered', '--quiet')).toMatchObject({ status: 0 });
  expect(existsSync(join(folder, 'rendered', 'junit.xml'))).toBe(true);
}, 60_000);
