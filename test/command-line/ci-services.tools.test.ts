import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test as oneTest } from 'vitest';
import { parse } from 'yaml';
import { loadContract } from '../../src/contract/load.ts';
import { realClock } from '../../src/model/clock.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { startReference } from '../../src/reference/index.ts';
import { seedOf } from '../../src/run/plan/probes.ts';
import { concurrentTest as test, testedCommandLine } from './tested-command-line.ts';

// What `petspec init` writes for CI services is taken apart here as they do it, and its steps are run.
const { line, inFolder } = testedCommandLine('a-key-that-no-target-names');

const SECRETS = { PETSPEC_API_KEY_GOOD: 'the-key-of-the-good', PETSPEC_API_KEY_BAD: 'the-key-of-the-bad' };

/** What a run without --seed sends. */
const FIXED = seedOf(loadContract());

type Served = { baseUrl: string; apiUrl: string; close: () => Promise<void> };

/** The reference, with a window that the first request opens: no test waits for the full minute. */
function serve(apiKey: string, fault?: string): Promise<Served> {
  const settings = { limiter: { algorithm: 'first-request-window', windows: 'minute' } } as const;
  const changes = [{ settings }, ...faults.filter(({ id }) => id === fault)];
  return startReference({ clock: realClock, apiKey, changes });
}

/** Where nothing listens. */
async function nobody(): Promise<Served> {
  return { baseUrl: 'http://127.0.0.1:1/v1', apiUrl: 'http://127.0.0.1:1', close: async () => {} };
}

/** Of a project that has petspec among its packages. */
const LOCKFILE = JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/petspec': {} } }, null, 2);

/** A repository with what `petspec init` wrote, and two services to judge: a good one, and the other. */
async function repository(ci: string, other: () => Promise<Served>, name = ci) {
  const folder = inFolder(name);
  const tools = join(folder, 'tools');
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(folder, 'package-lock.json'), LOCKFILE);
  // In place of npm, which would ask the registry: notes what it was told, and how many keys it could read, and puts
  // this petspec where it would be.
  const scripts = {
    petspec: `exec "${process.execPath}" "${line.bin}" "$@"`,
    npm: `echo "npm $@, keys: $(env | grep -c the-key-of)" >> "${folder}/npm.log"
mkdir -p node_modules/.bin
ln -s "${tools}/petspec" node_modules/.bin/petspec 2> "${folder}/ln.log" || true`,
    npx: `echo "npx $@" >> "${folder}/npm.log"; exit 1`,
  };
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(tools, name), 0o755);
  }
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
  const npmCalls = () => new Set(readFileSync(join(folder, 'npm.log'), 'utf8').trim().split('\n'));
  return { folder, shell, reportIn, close, npmCalls };
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
  const { folder, shell, reportIn, close, npmCalls } = await repository('github', () =>
    serve(SECRETS.PETSPEC_API_KEY_BAD, 'list-default-25'),
  );
  const workflow = parse(readFileSync(join(folder, '.github', 'workflows', 'petspec.yml'), 'utf8'));
  const { judge, explore, compare } = workflow.jobs;
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
            {
              GITHUB_ACTIONS: 'true',
              GITHUB_RUN_NUMBER: '7',
              GITHUB_STEP_SUMMARY: summary,
              ...Object.fromEntries(env),
            },
            cwd,
          ),
        );
      if (step.uses?.startsWith('actions/checkout@') && cwd !== folder)
        cpSync(join(folder, 'package-lock.json'), join(cwd, 'package-lock.json'));
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
  const [target] = explore.strategy.matrix.include;
  const [, explored] = await run(explore.steps, target, folder);
  await close();
  expect(jobs.map(([, step]) => step.status)).toEqual([0, 1]);
  expect(explored?.status).toBe(0);
  expect(jobs[1][1].out).toContain('::error title=petspec%3A listPets.limit.default::');
  expect(reportIn('artifacts/petspec-good')).toMatchObject({ verdict: 'conformant', seed: FIXED });
  expect(reportIn('artifacts/explored-good')).toMatchObject({ verdict: 'conformant', seed: 7 });
  expect(reportIn('artifacts/petspec-bad').verdict).toBe('non-conformant');
  const other = join(folder, 'another-machine');
  mkdirSync(other);
  expect(compare.needs).toBe('judge');
  const [, compared] = await run(compare.steps, {}, other);
  expect(compared).toMatchObject({ status: 0, err: '' });
  expect(readFileSync(summary, 'utf8')).toMatch(
    /## petspec: comparison\n[\s\S]*\| listPets\.limit\.default \| violated \| met \|/,
  );
  expect(readFileSync(join(other, 'comparison.html'), 'utf8')).toContain('Comparison of 2 runs');
  expect(npmCalls()).toEqual(new Set(['npm ci --ignore-scripts, keys: 0']));
});

test('GitLab: a job for each target, JUnit reports, and a job that compares', async () => {
  const { folder, shell, reportIn, close, npmCalls } = await repository('gitlab', nobody);
  const main = parse(readFileSync(join(folder, '.gitlab-ci.yml'), 'utf8'));
  const jobs = parse(readFileSync(join(folder, main.include[0].local), 'utf8'));
  const script = jobs.petspec.script.join('\n');
  const env = { GITLAB_CI: 'true', CI_PIPELINE_IID: '7', ...SECRETS, ...jobs.petspec.variables };
  const [good] = jobs.petspec.parallel.matrix;
  const { PETSPEC_OPTIONS: options } = jobs['petspec-explore'].variables;
  const exploring = { ...env, ...good, PETSPEC_OPTIONS: options.replace('$CI_PIPELINE_IID', '7') };
  expect(await shell(script, exploring)).toMatchObject({ status: 0 });
  expect(reportIn('reports/good').seed).toBe(7);
  const ended = await Promise.all(
    jobs.petspec.parallel.matrix.map((variables: Record<string, string>) =>
      shell(script, { ...env, ...variables }),
    ),
  );
  await close();
  expect(ended.map(({ status }) => status)).toEqual([0, 3]);
  expect(['good', 'bad'].map((name) => reportIn(`reports/${name}`).verdict)).toEqual([
    'conformant',
    'incomplete',
  ]);
  expect(reportIn('reports/good').seed).toBe(FIXED);
  expect(jobs.petspec.artifacts.when).toBe('always');
  const [, folderOfJunit = ''] = /^(.*)\/\*\/junit\.xml$/.exec(jobs.petspec.artifacts.reports.junit) ?? [];
  for (const target of ['good', 'bad'])
    expect(readFileSync(join(folder, folderOfJunit, target, 'junit.xml'), 'utf8')).toContain('<testsuites');
  expect(jobs['petspec-compare'].needs).toEqual(['petspec']);
  const compared = await shell(jobs['petspec-compare'].script.join('\n'), { GITLAB_CI: 'true' });
  expect(compared).toMatchObject({ status: 0, err: '' });
  expect(compared.out).toMatch(/\d+ requirements +not tested +met\n/);
  expect(readFileSync(join(folder, 'comparison.html'), 'utf8')).toContain('Comparison of 2 runs');
  // GitLab gives its variables to each command: nothing of what is installed may run.
  for (const call of npmCalls()) expect(call).toMatch(/^npm ci --ignore-scripts, keys: \d$/);
});

const FIRST_STEPS: Record<string, (folder: string) => string> = {
  github(folder) {
    const { jobs } = parse(readFileSync(join(folder, '.github', 'workflows', 'petspec.yml'), 'utf8'));
    return jobs.judge.steps.flatMap(({ run }: Step) => run ?? [])[0];
  },
  gitlab(folder) {
    return parse(readFileSync(join(folder, 'petspec.gitlab-ci.yml'), 'utf8')).petspec.script.join('\n');
  },
};

oneTest.concurrent.each([
  ['github', 'no lockfile', undefined],
  ['github', 'a lockfile without petspec', '{ "packages": { "node_modules/petspecs": {} } }'],
  ['gitlab', 'no lockfile', undefined],
  ['gitlab', 'a lockfile without petspec', '{ "packages": { "node_modules/petspecs": {} } }'],
])('%s, %s: one line, 2, and nothing is installed', async (ci, what, lockfile) => {
  const { folder, shell, close } = await repository(ci, nobody, `${ci} with ${what}`);
  await close();
  rmSync(join(folder, 'package-lock.json'));
  if (lockfile) writeFileSync(join(folder, 'package-lock.json'), lockfile);
  const { status, out, err } = await shell(FIRST_STEPS[ci]?.(folder) ?? '', {});
  expect({ status, out, err }).toEqual({
    status: 2,
    out: expect.stringMatching(/^(::error title=petspec::)?petspec is not in package-lock\.json; [^\n]*\n$/),
    err: '',
  });
  expect(existsSync(join(folder, 'npm.log'))).toBe(false);
});
