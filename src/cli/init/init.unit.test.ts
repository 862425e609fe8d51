import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '../../config/parse.ts';
import { packageRoot } from '../../model/package-root.ts';
import { UsageError } from '../../model/usage-error.ts';
import { initCommand } from './init.ts';
import { askForTargets, NoAnswer } from './targets.ts';

const before = process.cwd();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-init-'));
  process.chdir(folder);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const init = (...options: string[]) => initCommand().parseAsync(['node', 'petspec', ...options]);
const STAGING = ['--target', 'staging=https://staging.example.com/v1'];
const PRODUCTION = ['--target', 'production=https://api.example.com/v1'];
const files = () =>
  readdirSync('.', { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ name }) => name)
    .sort();

test('from flags: a configuration that petspec reads, and that editors find the schema of', async () => {
  await init(
    ...STAGING,
    ...PRODUCTION,
    '--plan',
    'free',
    '--api-url',
    'staging=https://messages.example.com',
  );
  const text = readFileSync('petspec.config.yaml', 'utf8');
  expect(parseConfig(text, '').targets).toMatchObject([
    {
      name: 'staging',
      baseUrl: 'https://staging.example.com/v1',
      apiUrl: 'https://messages.example.com',
      apiKeyVariable: 'PETSPEC_API_KEY_STAGING',
      plan: 'free',
    },
    {
      name: 'production',
      baseUrl: 'https://api.example.com/v1',
      apiKeyVariable: 'PETSPEC_API_KEY_PRODUCTION',
    },
  ]);
  const [, schema = ''] =
    /^# yaml-language-server: \$schema=\.\/node_modules\/petspec\/(\S+)\n/.exec(text) ?? [];
  expect(existsSync(join(packageRoot, schema))).toBe(true);
  const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  expect(manifest.files).toContain(schema);
  expect(manifest.exports).toHaveProperty([`./${schema}`]);
});

const BAD: [what: string, options: string[], words: string][] = [
  ['no flags, and no terminal', [], 'no terminal to ask on; name a target'],
  ['no address', ['--target', 'staging'], "--target: 'staging' is not name=value"],
  ['an invalid address', ['--target', 'staging=example.com'], "'baseUrl' must be an http or https URL"],
  ['an invalid name', ['--target', 'Staging=https://a.example/v1'], 'is not a valid name'],
  ['a name twice', [...STAGING, ...STAGING], "target 'staging' already exists"],
  [
    'two names, one variable',
    ['--target', 'a-b=http://a/v1', '--target', 'a_b=http://b/v1'],
    'would use the same variable',
  ],
  ['an unknown plan', [...STAGING, '--plan', 'fre'], "did you mean 'free'?"],
  [
    'a plan of nothing',
    [...STAGING, '--plan', 'production=free'],
    "unknown target 'production'; add --target production=",
  ],
  ['a plan alone', ['--plan', 'free'], '--api-url and --plan need --target'],
  [
    'another service',
    [...STAGING, '--ci', 'jenkins'],
    "--ci: unknown service 'jenkins'; expected one of github, gitlab",
  ],
];
test.each(BAD)('wrong usage in one line, and nothing is written: %s', async (_, options, words) => {
  const error: unknown = await init(...options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  expect(`${error}`).toContain(words);
  expect(files()).toEqual([]);
});

test.each([
  ['petspec.config.yaml', 'github'],
  ['.github/workflows/petspec.yml', 'github'],
  ['petspec.gitlab-ci.yml', 'gitlab'],
])('nothing is overwritten, and nothing else written: %s', async (path, ci) => {
  mkdirSync('.github/workflows', { recursive: true });
  writeFileSync(path, 'was there before');
  await expect(init(...STAGING, '--ci', ci)).rejects.toThrow(`${path} already exists`);
  expect(files()).toEqual([path.split('/').at(-1)]);
  expect(readFileSync(path, 'utf8')).toBe('was there before');
});

test('a configuration that is there keeps its plans and addresses: options that would state others are refused', async () => {
  await init(...STAGING);
  for (const options of [
    ['--plan', 'free'],
    ['--api-url', 'https://messages.example.com'],
  ])
    await expect(init('--ci', 'github', ...options)).rejects.toThrow('--api-url and --plan need --target');
  expect(files()).toEqual(['petspec.config.yaml']);
});

test('what cannot be written whole is not written at all', async () => {
  writeFileSync('.github', 'a file where a folder has to be');
  await expect(init(...STAGING, '--ci', 'github')).rejects.toThrow(UsageError);
  expect(files()).toEqual(['.github']);
});

test('for a configuration that is there: the workflow alone', async () => {
  writeFileSync(
    'petspec.config.yaml',
    'targets: { local: { baseUrl: http://127.0.0.1:8080/v1, apiKeyVariable: LOCAL } }',
  );
  await init('--ci', 'github');
  expect(files()).toEqual(['petspec.config.yaml', 'petspec.yml']);
  expect(readFileSync('.github/workflows/petspec.yml', 'utf8')).toMatch(
    /^ +LOCAL: \$\{\{ secrets\.LOCAL \}\}$/m,
  );
});

test('GitLab: a pipeline that is there is left alone, and told what to include', async () => {
  writeFileSync('.gitlab-ci.yml', 'stages: [test]\n');
  await init(...STAGING, '--ci', 'gitlab');
  expect(files()).toEqual(['.gitlab-ci.yml', 'petspec.config.yaml', 'petspec.gitlab-ci.yml']);
  expect(process.stdout.write).toHaveBeenCalledWith(
    expect.stringContaining('- local: petspec.gitlab-ci.yml'),
  );
  rmSync('.gitlab-ci.yml');
  rmSync('petspec.gitlab-ci.yml');
  await init('--ci', 'gitlab');
  expect(parse(readFileSync('.gitlab-ci.yml', 'utf8'))).toEqual({
    include: [{ local: 'petspec.gitlab-ci.yml' }],
  });
});

test('targets with one key are judged one at a time', async () => {
  writeFileSync('petspec.config.yaml', 'defaults: { baseUrl: http://a/v1 }\ntargets: { a: {}, b: {} }');
  await init('--ci', 'github');
  const { jobs } = parse(readFileSync('.github/workflows/petspec.yml', 'utf8'));
  expect(jobs.judge.strategy['max-parallel']).toBe(1);
  await init('--ci', 'gitlab');
  const { petspec } = parse(readFileSync('petspec.gitlab-ci.yml', 'utf8'));
  expect(petspec.resource_group).not.toContain('$');
});

/** Answers as they are typed, and the questions that they got. */
async function asked(...answers: string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  let questions = '';
  output.on('data', (piece) => {
    questions += piece;
  });
  input.end(answers.map((each) => `${each}\n`).join(''));
  return { answers: await askForTargets(input, output), questions };
}

test('from questions: what cannot be is said and asked again', async () => {
  const { answers, questions } = await asked(
    ...[
      'Staging',
      'staging',
      'staging.example.com',
      'https://staging.example.com/v1',
      '',
      'gold',
      'free',
      'y',
    ],
    ...['staging', 'local', 'http://127.0.0.1:8080/v1', 'http://127.0.0.1:8081', '', 'n', 'travis', 'gitlab'],
  );
  expect(answers).toEqual({
    targets: [
      {
        name: 'staging',
        settings: {
          baseUrl: 'https://staging.example.com/v1',
          apiKeyVariable: 'PETSPEC_API_KEY_STAGING',
          plan: 'free',
        },
      },
      {
        name: 'local',
        settings: {
          baseUrl: 'http://127.0.0.1:8080/v1',
          apiUrl: 'http://127.0.0.1:8081',
          apiKeyVariable: 'PETSPEC_API_KEY_LOCAL',
        },
      },
    ],
    ci: 'gitlab',
  });
  for (const words of [
    "'Staging' is not a valid name",
    "'baseUrl' must be an http or https URL",
    `'plan' cannot be "gold"`,
    "unknown service 'travis'; expected one of github, gitlab, or nothing",
  ])
    expect(questions).toContain(words);
  expect(questions.match(/Target name/g)).toHaveLength(4);
  expect(questions).toContain("target 'staging' already exists");
});

test('an input that ends early leaves nothing half answered', async () => {
  await expect(asked('staging')).rejects.toThrow(NoAnswer);
});
