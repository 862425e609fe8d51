import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test as oneTest } from 'vitest';
import { parse } from 'yaml';
import { packageVersion } from '../src/package-root.ts';
import { faults } from '../src/reference/faults/index.ts';
import { startReference } from '../src/reference/index.ts';
import { realClock } from '../src/session/clock.ts';
import { type CommandLine, compileCommandLine } from './command-line.ts';

// What `petspec init` writes for CI services is taken apart here as they do it, and its steps are run.
let line: CommandLine;
beforeAll(() => {
  line = compileCommandLine('a-key-that-no-target-names');
}, 120_000);
afterAll(() => line.remove());
const test = (name: string, body: () => Promise<void>) => oneTest.concurrent(name, body, 120_000);

const SECRETS = { PETSPEC_API_KEY_GOOD: 'the-key-of-the-good', PETSPEC_API_KEY_BAD: 'the-key-of-the-bad' };

type Served = { baseUrl: string; apiUrl: string; close: () => Promise<void> };

/** The reference, with a window that the first request opens: no test waits for the full minute. */
function serve(apiKey: string, fault?: string): Promise<Served> {
  const settings = { limiter: { algorithm: 'first-request-window', windows: 'minute' } } as const;
  const deviations = [{ settings }, ...faults.filter(({ id }) => id === fault)];
  return startReference({ clock: realClock, apiKey, deviations });
}

/** Where nothing listens. */
async function nobody(): Promise<Served> {
  return { baseUrl: 'http://127.0.0.1:1/v1', apiUrl: 'http://127.0.0.1:1', close: async () => {} };
}

/** A repository with what `petspec init` wrote, and two services to judge: a good one, and the other. */
async function repository(ci: string, other: () => Promise<Served>) {
  const folder = join(line.folder, ci);
  const tools = join(folder, 'tools');
  mkdirSync(tools, { recursive: true });
  // In place of npx, which would ask the registry: says which package it was asked for, and runs this one.
  const npx = `#!/bin/sh\necho "$1 $2" >> "${folder}/npx.log"\nshift 2\nexec "${process.execPath}" "${line.bin}" "$@"\n`;
  writeFileSync(join(tools, 'npx'), npx);
  chmodSync(join(tools, 'npx'), 0o755);
  const good = await serve(SECRETS.PETSPEC_API_KEY_GOOD);
  const bad = await other();
  const addresses = ['--api-url', `good=${good.apiUrl}`, '--api-url', `bad=${bad.apiUrl}`];
  const targets = ['--target', `good=${good.baseUrl}`, '--target', `bad=${bad.baseUrl}`];
  const written = await line.startProgram(
    process.execPath,
    [line.bin, 'init', ...targets, ...addresses, '--ci', ci],
    { cwd: folder },
  ).ended;
  expect(written).toMatchObject({ status: 0, err: '' });
  const config = join(folder, 'petspec.config.yaml');
  // The minute that a whole run waits for is for others.
  writeFileSync(config, `${readFileSync(config, 'utf8')}defaults: { exhaust: none, timeout: 100000 }\n`);
  const shell = (script: string, env: Record<string, string>, cwd = folder) =>
    line.startProgram('bash', ['-e', '-o', 'pipefail', '-c', script], {
      cwd,
      env: { PATH: `${tools}:${process.env.PATH}`, CI: 'true', ...env },
    }).ended;
  const reportIn = (path: string) => JSON.parse(readFileSync(join(folder, path, 'report.json'), 'utf8'));
  const close = () => Promise.all([good.close(), bad.close()]);
  const packages = () => new Set(readFileSync(join(folder, 'npx.log'), 'utf8').trim().split('\n'));
  return { folder, shell, reportIn, close, packages };
}

type Step = { run?: string; uses?: string; env?: Record<string, string>; with?: Record<string, string> };

/** An expression of GitHub Actions, as far as the workflow uses them. */
function evaluated(text: string, matrix: Record<string, string>): string {
  return text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => {
    const [, name = ''] = /^matrix\.(\w+)$/.exec(expression) ?? [];
    if (name in matrix) return matrix[name] ?? '';
    const [, secret = ''] = /^secrets\[matrix\.(\w+)\]$/.exec(expression) ?? [];
    const found = SECRETS[matrix[secret] as keyof typeof SECRETS];
    if (found === undefined) throw new Error(`no such expression: ${expression}`);
    return found;
  });
}

test('GitHub Actions: a job for each target with its own key, and one that compares their reports', async () => {
  const { folder, shell, reportIn, close, packages } = await repository('github', () =>
    serve(SECRETS.PETSPEC_API_KEY_BAD, 'list-default-25'),
  );
  const workflow = parse(readFileSync(join(folder, '.github', 'workflows', 'petspec.yml'), 'utf8'));
  const { judge, compare } = workflow.jobs;
  const artifacts = join(folder, 'artifacts');
  const summary = join(folder, 'summary.md');
  const run = async (steps: readonly Step[], matrix: Record<string, string>, cwd: string) => {
    const ended = [];
    for (const step of steps) {
      const options = Object.entries(step.with ?? {}).map(([name, value]) => [
        name,
        evaluated(String(value), matrix),
      ]);
      const { name, path = '', pattern = '' } = Object.fromEntries(options);
      const env = Object.entries(step.env ?? {}).map(
        ([key, value]) => [key, evaluated(value, matrix)] as const,
      );
      if (step.run)
        ended.push(
          await shell(
            step.run,
            { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, ...Object.fromEntries(env) },
            cwd,
          ),
        );
      if (step.uses?.startsWith('actions/upload-artifact@'))
        cpSync(join(cwd, path), join(artifacts, name), { recursive: true });
      if (step.uses?.startsWith('actions/download-artifact@'))
        for (const each of readdirSync(artifacts).filter((one) => one.startsWith(pattern.replace('*', ''))))
          cpSync(join(artifacts, each), join(cwd, path, each), { recursive: true });
    }
    return ended;
  };
  const jobs = await Promise.all(
    judge.strategy.matrix.include.map((matrix: Record<string, string>) => run(judge.steps, matrix, folder)),
  );
  await close();
  expect(jobs.map(([step]) => step.status)).toEqual([0, 1]);
  expect(jobs[1][0].out).toContain('::error title=petspec%3A listPets.limit.default::');
  expect(reportIn('artifacts/petspec-good').verdict).toBe('conformant');
  expect(reportIn('artifacts/petspec-bad').verdict).toBe('non-conformant');
  const other = join(folder, 'another-machine');
  mkdirSync(other);
  expect(compare.needs).toBe('judge');
  const [compared] = await run(compare.steps, {}, other);
  expect(compared).toMatchObject({ status: 0, err: '' });
  expect(readFileSync(summary, 'utf8')).toMatch(
    /## petspec: comparison\n[\s\S]*\| listPets\.limit\.default \| violated \| met \|/,
  );
  expect(readFileSync(join(other, 'comparison.html'), 'utf8')).toContain('Comparison of 2 runs');
  expect(packages()).toEqual(new Set([`--yes petspec@${packageVersion}`]));
});

test('GitLab: a job for each target, JUnit reports, and a job that compares', async () => {
  const { folder, shell, reportIn, close, packages } = await repository('gitlab', nobody);
  const main = parse(readFileSync(join(folder, '.gitlab-ci.yml'), 'utf8'));
  const jobs = parse(readFileSync(join(folder, main.include[0].local), 'utf8'));
  const ended = await Promise.all(
    jobs.petspec.parallel.matrix.map((variables: Record<string, string>) =>
      shell(jobs.petspec.script.join('\n'), { GITLAB_CI: 'true', ...SECRETS, ...variables }),
    ),
  );
  await close();
  expect(ended.map(({ status }) => status)).toEqual([0, 3]);
  expect(['good', 'bad'].map((name) => reportIn(`reports/${name}`).verdict)).toEqual([
    'conformant',
    'incomplete',
  ]);
  expect(jobs.petspec.artifacts.when).toBe('always');
  const [, folderOfJunit = ''] = /^(.*)\/\*\/junit\.xml$/.exec(jobs.petspec.artifacts.reports.junit) ?? [];
  for (const target of ['good', 'bad'])
    expect(readFileSync(join(folder, folderOfJunit, target, 'junit.xml'), 'utf8')).toContain('<testsuites');
  expect(jobs['petspec-compare'].needs).toEqual(['petspec']);
  const compared = await shell(jobs['petspec-compare'].script.join('\n'), { GITLAB_CI: 'true' });
  expect(compared).toMatchObject({ status: 0, err: '' });
  expect(compared.out).toMatch(/listPets\.limit\.default +not-tested +met\n/);
  expect(readFileSync(join(folder, 'comparison.html'), 'utf8')).toContain('Comparison of 2 runs');
  expect(packages()).toEqual(new Set([`--yes petspec@${packageVersion}`]));
});
