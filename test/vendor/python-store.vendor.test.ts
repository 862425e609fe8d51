import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../src/model/report/report.ts';
import { type CommandLine, compileCommandLine } from '../command-line/command-line.ts';

/** The vendor's service, written from the interface alone; its window is short, so that recovery is seen soon. */
const STORE = join(import.meta.dirname, '../../examples/python-store/store.py');
const KEY = 'vendor-key-0123456789';
const WINDOW = process.env.PETSPEC_VENDOR_WINDOW ?? '3';

/** Not the one that was built: other tests may be building. */
let commandLine: CommandLine;
beforeAll(() => {
  commandLine = compileCommandLine(KEY);
}, 60_000);
afterAll(() => commandLine.remove());

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null) child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
});

/** Starts the store and returns its two addresses. */
async function start(...options: string[]): Promise<{ base: string; messages: string }> {
  const child = spawn(
    'python3',
    [STORE, '--port', '0', '--message-port', '0', '--api-key', KEY, '--window', WINDOW, ...options],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  children.push(child);
  const addresses: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /^(?:base|message) address: (.*)$/.exec(line)?.[1];
    if (address !== undefined) addresses.push(address);
    if (addresses.length === 2) break;
  }
  const [base = '', messages = ''] = addresses;
  return { base, messages };
}

/** Runs the command line against the store: its exit status and its report. */
async function judge(...options: string[]): Promise<{ status: number | null; report: Report }> {
  const { base, messages } = await start(...options);
  const out = mkdtempSync(join(tmpdir(), 'petspec-vendor-'));
  const child = spawn(
    process.execPath,
    [commandLine.bin, 'run', base, '--api-url', messages, '--plan', 'free', '--out', out],
    {
      env: { ...process.env, PETSPEC_API_KEY: KEY },
      stdio: 'ignore',
    },
  );
  const [status] = (await once(child, 'exit')) as [number | null];
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;
  rmSync(out, { recursive: true });
  return { status, report };
}

test('a service that was written from the interface alone is conformant, within the requests that are announced', async () => {
  const { status, report } = await judge();
  const problems = report.requirements.filter(
    (each) => each.status === 'violated' || (each.level === 'must' && each.status === 'not-tested'),
  );
  expect(problems).toEqual([]);
  expect(report.verdict).toBe('conformant');
  expect(status).toBe(0);
  const atBase = report.exchanges.filter(({ key, address }) => key === 'valid' && address === 'baseUrl');
  // The first window to its end, and four fifths of the next.
  expect(atBase.length).toBeLessThanOrEqual(62 + 48);
});

/** Each breakage, and the requirement whose sentence it breaks; a second one where it shows twice. */
const BREAKAGES: [name: string, ...requirements: string[]][] = [
  ['sold-filter-leaks', 'listPets.status'],
  ['missing-category-zero', 'NewPet.categoryId'],
  // Through a double, the largest int64 becomes a number beyond int64.
  ['category-through-float', 'createPet.echo', 'Pet.categoryId'],
  ['fetch-id-as-string', 'Pet.id'],
  ['message-http-date', 'Message.createdAt'],
  ['key-prefix', 'authentication.key'],
  ['error-status-string', 'Error.status'],
  ['reset-as-delta', 'rate-limit.reset'],
  ['no-limits-on-404', 'X-RateLimit-Limit'],
  ['no-retry-after', 'Retry-After'],
];

test.each(BREAKAGES)('breakage %s is found by its requirement alone', async (name, ...requirements) => {
  const { status, report } = await judge('--break', name);
  const violated = report.requirements.filter((each) => each.status === 'violated').map(({ id }) => id);
  expect(violated.sort()).toEqual(requirements.sort());
  expect(report.verdict).toBe('non-conformant');
  expect(status).toBe(1);
});
