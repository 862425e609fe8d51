import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { installIn } from './pack.ts';

// petspec/vitest has to work with the vitest that the vendor has: with the oldest, and with the newest that runs here.
const isNode22 = Number(process.versions.node.split('.')[0]) >= 22;
const VERSIONS = ['1.1.0', isNode22 ? '5.1.1' : '4.1.12'];

const TSC = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

/** A whole run in virtual time, beside tests of the vendor's own. */
const CONFORMANT = `
import { expect, test } from 'vitest';
import { startReference, VirtualClock } from 'petspec';
import { conformance } from 'petspec/vitest';

const clock = new VirtualClock(Date.now());
conformance({ clock, target: () => startReference({ clock, apiKey: 'a-key-of-a-vendor' }) });

test('a response of our own conforms', async () => {
  const headers = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '1795255260' };
  await expect(Response.json([], { headers })).toConformTo('listPets');
});
`;

/** A target that states another plan than it has, and a response without what every response carries. */
const FAULTY = `
import { expect, test } from 'vitest';
import { realClock, startReference } from 'petspec';
import { conformance } from 'petspec/vitest';

conformance({
  target: () => startReference({ clock: realClock, apiKey: 'a-key-of-a-vendor' }),
  plan: 'pro',
  only: ['rate-limit.plan', 'listPets.200', 'rate-limit.recovery'],
  exhaust: 'none',
});

test('a response of our own does not conform', async () => {
  await expect(Response.json([])).toConformTo('listPets');
});
`;

const TYPED = `
import { expect } from 'vitest';
import { type Report, type RunSettings, run, startReference, VirtualClock } from 'petspec';
import { type ConformanceOptions, conformance, matchers, type Target } from 'petspec/vitest';

const clock = new VirtualClock(0);
const target: Target = () => startReference({ clock, apiKey: 'a' });
const options: ConformanceOptions = { target, clock, only: ['listPets'], apiUrl: undefined };
conformance(options);
conformance({ target: async () => ({ baseUrl: new URL('http://127.0.0.1/v1'), stop() {} }) });
const settings: RunSettings = { readOnly: true };
export const report: Promise<Report> = run(settings);
export const matched: Promise<void> = expect(new Response()).not.toConformTo('listPets');
expect.extend(matchers);
// @ts-expect-error an operation has a name
expect(new Response()).toConformTo(1);
// @ts-expect-error there is no such option
conformance({ target, readonly: true });
`;

interface TestResult {
  title: string;
  status: string;
  failureMessages: string[];
}

const projects = new Map(
  VERSIONS.map((version) => [version, mkdtempSync(join(tmpdir(), 'petspec-vitest-'))]),
);

beforeAll(async () => {
  const { path } = inject('tarball');
  await Promise.all([...projects].map(([version, project]) => installIn(project, `vitest@${version}`, path)));
}, 240_000);

afterAll(async () => {
  await Promise.all([...projects.values()].map((project) => rm(project, { recursive: true, force: true })));
}, 60_000);

describe.each([...projects])('with vitest %s', (_, project) => {
  beforeAll(() => {
    writeFileSync(join(project, 'whole.test.ts'), CONFORMANT);
    writeFileSync(
      join(project, 'narrowed.test.ts'),
      CONFORMANT.replace('conformance({', "conformance({ only: ['listPets.*'],"),
    );
    writeFileSync(join(project, 'faulty.test.ts'), FAULTY);
    writeFileSync(join(project, 'typed.ts'), TYPED);
  });

  /** Runs the vendor's tests; what came of them, by file. */
  async function vitest(config: object): Promise<Record<string, TestResult[]>> {
    const out = join(project, 'results.json');
    rmSync(out, { force: true });
    writeFileSync(
      join(project, 'vitest.config.js'),
      `export default ${JSON.stringify({ test: { ...config, reporters: ['json'], outputFile: out } })};`,
    );
    const { stderr } = await promisify(execFile)(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run'],
      {
        cwd: project,
        env: { PATH: process.env.PATH, HOME: process.env.HOME },
      },
    ).catch((failure: { stderr: string }) => failure);
    if (!existsSync(out)) throw new Error(stderr);
    const { testResults } = JSON.parse(readFileSync(out, 'utf8'));
    return Object.fromEntries(
      testResults.map(({ name, assertionResults }: { name: string; assertionResults: TestResult[] }) => [
        name.slice(name.lastIndexOf('/') + 1),
        assertionResults,
      ]),
    );
  }

  test.each([
    ['in threads, each file isolated', { pool: 'threads' }],
    ['in one thread, without isolation', { pool: 'threads', isolate: false, fileParallelism: false }],
    ['in processes', { pool: 'forks' }],
  ])(
    '%s',
    async (_, config) => {
      const files = await vitest(config);
      expect(Object.keys(files)).toHaveLength(3);
      for (const [name, least] of [
        ['whole.test.ts', 70],
        ['narrowed.test.ts', 10],
      ] as const) {
        const judged = files[name]?.filter(({ title }) => !title.startsWith('open.')) ?? [];
        expect(judged.filter(({ status }) => status !== 'passed')).toEqual([]);
        expect(judged.length).toBeGreaterThan(least);
      }
      const faulty = new Map(files['faulty.test.ts']?.map((each) => [each.title.split(':')[0], each]));
      const states = Object.fromEntries([...faulty].map(([id, { status }]) => [id, status]));
      expect(states).toEqual({
        'listPets.200': 'passed',
        'rate-limit.plan': 'failed',
        'rate-limit.recovery': expect.stringMatching(/^(skipped|pending)$/),
        'a response of our own does not conform': 'failed',
      });
      expect(faulty.get('rate-limit.plan')?.failureMessages[0]).toMatch(
        /expected +300 or 10000\n +received +X-RateLimit-Limit: 60\n +again .*\n +reproduce with:\n +curl -i/,
      );
      expect(faulty.get('a response of our own does not conform')?.failureMessages[0]).toContain(
        'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset are absent',
      );
    },
    120_000,
  );

  test('its types know the matcher', () => {
    const options =
      '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --target es2023 --module nodenext'.split(
        ' ',
      );
    const { stdout } = spawnSync(process.execPath, [TSC, ...options, '--lib', 'es2023,dom', 'typed.ts'], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  }, 60_000);

  test('outside a vitest run, conformance() says where it belongs', () => {
    const script = `const { conformance } = await import('petspec/vitest'); conformance({ target: 'http://127.0.0.1:1/v1' });`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(stderr).toContain('call it in a test file that vitest runs');
  }, 60_000);
});
