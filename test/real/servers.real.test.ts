import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../src/index.ts';

// Servers of others, from the npm registry, by the documents that they publish themselves: npm run test:real.

/** The to-do list that LoopBack publishes as an example. Its program prints its address. */
const LOOPBACK = {
  name: '@loopback/example-todo@6.0.0',
  program: `
    const { TodoListApplication } = require('@loopback/example-todo');
    const app = new TodoListApplication({ rest: { port: 0, host: '127.0.0.1' } });
    app.boot().then(() => app.start()).then(() => console.log(app.restServer.url));`,
};

let folder: string;
let server: ChildProcess;
let baseUrl: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-real-'));
  const installed = spawnSync('npm', [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    LOOPBACK.name,
  ]);
  expect(installed.status, String(installed.stderr)).toBe(0);
  writeFileSync(join(folder, 'program.cjs'), LOOPBACK.program);
  server = spawn(process.execPath, ['program.cjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  baseUrl = await new Promise((resolve) => {
    server.stdout?.on('data', (text) => {
      const [address] = /http:\/\/\S+/.exec(String(text)) ?? [];
      if (address) resolve(address.replace('[::1]', '127.0.0.1'));
    });
  });
  const document = await (await fetch(`${baseUrl}/openapi.json`)).text();
  writeFileSync(join(folder, 'openapi.json'), document);
}, 300_000);
afterAll(() => {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
});

test.each([false, true])(
  'a to-do list of LoopBack is judged without a false alarm (write: %s)',
  async (write) => {
    const report = await run({ baseUrl, interface: join(folder, 'openapi.json'), write });
    const told = report.requirements.filter(({ status }) => status === 'violated' || status === 'advisory');
    expect(told).toEqual([]);
    // Its list is empty, and its additions are a 200, so nothing is known to be created.
    expect(report.verdict).toBe('incomplete');
  },
  60_000,
);

test('GitHub is planned in less than five seconds and 500 MB, whatever its thousand operations ask for', () => {
  const installed = spawnSync('npm', [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '@octokit/openapi',
  ]);
  expect(installed.status, String(installed.stderr)).toBe(0);
  const document = createRequire(join(folder, 'program.cjs')).resolve(
    '@octokit/openapi/generated/api.github.com.json',
  );
  expect(Object.keys(JSON.parse(readFileSync(document, 'utf8')).paths).length).toBeGreaterThan(500);
  const program = join(import.meta.dirname, '..', '..', 'bin', 'petspec.js');
  const script = `
    process.argv = ['node', ${JSON.stringify(program)}, 'run', '--dry-run', '--interface', ${JSON.stringify(document)}];
    process.on('exit', () => {
      const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
      process.stderr.write(JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, mb: maxRSS / 1024 }));
    });
    import(${JSON.stringify(program)});`;
  const planned = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  expect(String(planned.stdout)).toContain('not planned');
  const { seconds, mb } = JSON.parse(String(planned.stderr).trim().split('\n').at(-1) ?? '{}');
  expect(seconds).toBeLessThan(5);
  expect(mb).toBeLessThan(500);
}, 300_000);
