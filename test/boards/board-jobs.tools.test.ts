import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderGithubWorkflow, renderGitlabPipeline } from '../../src/config/ci-jobs.ts';
import { testedCommandLine } from '../command-line/tested-command-line.ts';

// The jobs that publish the board: what they run is played here, in a folder with the reports of two targets.

const TARGETS = ['staging', 'production'].map((name) => ({ name, apiKeyVariable: 'KEY' }));

const { line, inFolder } = testedCommandLine();

interface Step {
  name?: string;
  run?: string;
}

const github: string = parse(renderGithubWorkflow(TARGETS)).jobs.board.steps.find(
  ({ name }: Step) => name === 'Make the board',
).run;
const gitlab: string = parse(renderGitlabPipeline(TARGETS))
  .pages.script.filter((each: string) => each.includes('bin/petspec'))
  .join('\n');

test.each([
  ['github', github, 'petspec-', { GITHUB_REPOSITORY: 'example/stores' }],
  [
    'gitlab',
    gitlab,
    '',
    {
      CI_PROJECT_PATH: 'example/stores',
      CI_COMMIT_SHORT_SHA: 'abc1234',
      CI_PAGES_URL: 'https://example.com/stores',
    },
  ],
])(
  'the job of %s makes a board, and continues the history the next time',
  async (service, script, prefix, env) => {
    const folder = inFolder(service);
    mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
    const petspec = join(folder, 'node_modules', '.bin', 'petspec');
    writeFileSync(petspec, `#!/bin/sh\nexec '${process.execPath}' '${line.bin}' "$@"\n`);
    chmodSync(petspec, 0o755);
    for (const [name, sample] of [
      ['staging', 'conformant'],
      ['production', 'broken'],
    ]) {
      const own = join(folder, 'reports', `${prefix}${name}`);
      mkdirSync(own, { recursive: true });
      copyFileSync(
        join(import.meta.dirname, '../..', 'reports', 'samples', `${sample}`, 'report.json'),
        join(own, 'report.json'),
      );
    }
    const git = join(folder, 'node_modules', '.bin', 'git');
    writeFileSync(git, '#!/bin/sh\necho abc1234\n');
    chmodSync(git, 0o755);
    const run = () =>
      line.startProgram('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
        cwd: folder,
        env: { ...env, PATH: `${join(folder, 'node_modules', '.bin')}:${process.env.PATH}` },
      }).ended;
    expect(await run()).toMatchObject({ status: 0, err: '' });
    expect(await run()).toMatchObject({ status: 0, err: '' });
    expect(readFileSync(join(folder, 'history.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(2);
    const latest = JSON.parse(readFileSync(join(folder, 'public', 'latest.json'), 'utf8'));
    expect(latest.implementations).toMatchObject([
      { name: 'production', release: 'abc1234', verdict: 'non-conformant' },
      { name: 'staging', release: 'abc1234', verdict: 'conformant' },
    ]);
    expect(readFileSync(join(folder, 'public', 'index.html'), 'utf8')).toContain('example/stores');
  },
);
