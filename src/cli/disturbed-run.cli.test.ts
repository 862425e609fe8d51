import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { hangingService, NOBODY } from '../../test/command-line/command-line.ts';
import { concurrentTest as test, testedCommandLine } from '../../test/command-line/tested-command-line.ts';

const { line, petspec, inFolder, reportIn } = testedCommandLine();

test('Ctrl-C once: what is known is reported, nothing completed is lost, and the rest is not tested', async () => {
  const { url, hangs, close } = await hangingService(1);
  const { child, ended } = line.start(['run', url, '--read-only', '--out', 'interrupted']);
  await hangs;
  child.kill('SIGINT');
  const { status, out, err } = await ended;
  close();
  expect(err).toContain('interrupted: finishing with the results so far');
  expect(out).toMatch(/^incomplete.*: .*the run was interrupted/m);
  expect(status).toBe(3);
  const report = reportIn('interrupted');
  expect(report).toMatchObject({ verdict: 'incomplete', stopped: { kind: 'interrupted' } });
  expect(report.exchanges[0].response.status).toBe(200);
  expect(readdirSync(inFolder('interrupted'))).toContain('junit.xml');
});

test('killed in the middle: no completed exchange is lost, and its reports can be rendered', async () => {
  const { url, hangs, close } = await hangingService(2);
  const { child, ended } = line.start(['run', url, '--read-only', '--concurrency', '1', '--out', 'killed']);
  await hangs;
  child.kill('SIGKILL');
  expect(await ended).toMatchObject({ status: null, signal: 'SIGKILL' });
  close();
  expect(readdirSync(inFolder('killed'))).toEqual(['ledger.jsonl']);
  const report = await petspec('report', 'killed', '--quiet');
  expect(report.out).toContain('broken off');
  expect(reportIn('killed').requests.total).toBe(2);
});

test('a report that cannot be written: one line, the verdict and the other reports all the same', async () => {
  await petspec('run', '--quiet', '--only', 'listPets.200', '--out', 'blocked');
  rmSync(inFolder('blocked', 'report.html'));
  mkdirSync(inFolder('blocked', 'report.html', 'in-the-way'), { recursive: true });
  const { status, out, err } = await petspec('report', 'blocked');
  expect(err).toMatch(/^petspec: report\.html cannot be written into \S*blocked \(E[A-Z]+\)\n$/);
  expect(out).toMatch(/^conformant \(1 of /m);
  expect(status).toBe(0);
  expect(readdirSync(inFolder('blocked')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a folder that became read-only: one line, the verdict all the same', async () => {
  await petspec('run', '--quiet', '--only', 'listPets.200', '--out', 'read-only');
  chmodSync(inFolder('read-only'), 0o555);
  const { status, out, err } = await line.start(['report', 'read-only', '--quiet'], NOBODY).ended;
  expect(err).toMatch(/^petspec: report\.json, .* cannot be written into \S*read-only \(EACCES\)\n$/);
  expect({ status, out }).toEqual({ status: 0, out: expect.stringMatching(/^conformant \(1 of [^\n]*\n$/) });
});

test('a full disk: the run comes to its end, and its verdict is printed', async () => {
  // Files of more than 4 blocks of 512 bytes cannot be written.
  const limited = ['-c', 'ulimit -f 4; exec "$@"', 'sh', process.execPath, line.bin];
  const run = line.startProgram('sh', [...limited, 'run', '--quiet', '--out', 'full']);
  const { status, out, err } = await run.ended;
  expect(out).toMatch(/^conformant: [^\n]*\n$/);
  expect(err.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^petspec: cannot write .*ledger\.jsonl: EFBIG/),
    expect.stringMatching(/^petspec: report\.json, .* cannot be written into .*full \(EFBIG\)$/),
  ]);
  expect(status).toBe(0);
});

test('two runs into one folder at a time: the later one has it, and the earlier one says so', async () => {
  const { url, hangs, close } = await hangingService(1);
  // The other run may take its time.
  const first = line.start(['run', url, '--read-only', '--timeout', '60000', '--out', 'shared']);
  await hangs;
  await petspec('run', '--quiet', '--only', 'listPets.200', '--out', 'shared');
  first.child.kill('SIGINT');
  const { status, out, err } = await first.ended;
  close();
  expect(err).toMatch(/^petspec: cannot write .*ledger\.jsonl: another run/m);
  expect(out).toMatch(/^incomplete[ :]/m);
  expect(status).toBe(3);
  expect(reportIn('shared')).toMatchObject({ verdict: 'conformant' });
});

test('a rejection that nobody handles is a bug of petspec: 4, and no verdict', async () => {
  const bug = `const { toString } = URLSearchParams.prototype;
    URLSearchParams.prototype.toString = function () {
      Promise.reject(new Error('nobody handles this'));
      return toString.call(this);
    };`;
  writeFileSync(inFolder('rejecting.mjs'), bug);
  const env = { NODE_OPTIONS: `--import ${inFolder('rejecting.mjs')}` };
  const run = await line.start(['run', '--quiet', '--out', 'rejected'], { env }).ended;
  expect(run).toMatchObject({ status: 4, out: '' });
  expect(run.err).toBe(
    'petspec: internal error, which says nothing about the target: Error: nobody handles this\n',
  );
});

test('a terminal that knows no sequences gets none, not even to hide its cursor', async () => {
  const asTerminal = 'data:text/javascript,process.stdout.isTTY=process.stderr.isTTY=true';
  const options = ['--import', asTerminal, line.bin, 'run', '--only', 'listPets.200', '--out', 'dumb'];
  const env = { TERM: 'dumb' };
  const { status, out, err } = await line.startProgram(process.execPath, options, { env }).ended;
  expect([status, out.includes('\x1b'), err.includes('\x1b')]).toEqual([0, false, false]);
});

test('a reader that has seen enough does no harm', async () => {
  const { child, ended } = line.start(['run', '--only', 'listPets.200', '--out', 'closed']);
  child.stdout?.destroy();
  expect(await ended).toMatchObject({ status: 0 });
  expect(existsSync(inFolder('closed', 'report.json'))).toBe(true);
});
