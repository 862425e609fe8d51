import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UsageError } from '../model/usage-error.ts';
import { runInVitest } from '../vitest/vitest-run.ts';
import { runCommand } from './commands/run.ts';
import { resolveTarget } from './options/resolve-target.ts';
import { worstOf } from './run/run-all.ts';

const before = process.cwd();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-config-'));
  process.chdir(folder);
  vi.stubEnv('FIRST_KEY', 'the-key-of-the-first');
});
afterEach(() => {
  vi.unstubAllEnvs();
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const TARGETS = `targets:
  staging: { baseUrl: https://staging.example.com/v1, apiKeyVariable: NOBODY_SET_THIS }
  production: { baseUrl: https://api.example.com/v1, apiKeyVariable: FIRST_KEY }
`;
const BAD: [what: string, config: string, options: string, words: string][] = [
  [
    'a name that is near',
    TARGETS,
    'run stagin',
    "petspec.config.yaml: unknown target 'stagin'; expected one of staging, production; did you mean 'staging'?",
  ],
  ['one that is near nothing', TARGETS, 'run xyzzy', 'expected one of staging, production\n'],
  [
    'a name without a configuration',
    '',
    'run staging',
    "unknown target 'staging': not a URL, and there is no petspec.config.yaml here",
  ],
  ['all without a configuration', '', 'run --all', '--all: no petspec.config.yaml'],
  [
    'a configuration that is not there',
    TARGETS,
    'run staging --config other.yaml',
    "--config: no such file 'other.yaml'",
  ],
  ['a folder for a configuration', TARGETS, 'run staging --config .', "--config: cannot read '.' (EISDIR)"],
  ['a configuration for nothing', TARGETS, 'run --config petspec.config.yaml', '--config: no target named'],
  [
    'a key that is not there',
    TARGETS,
    'run staging',
    'petspec.config.yaml:2:3: staging: missing API key; set the environment variable NOBODY_SET_THIS',
  ],
  ['one of all that is not there', TARGETS, 'run --all', 'set the environment variable NOBODY_SET_THIS'],
  [
    'a mistake',
    `${TARGETS}  x: { baseUrll: y }\n`,
    'run staging',
    "petspec.config.yaml:4:8: unknown setting 'baseUrll'; did you mean 'baseUrl'?",
  ],
  [
    'figures of a plan that has its own',
    'defaults: { plan: pro }\ntargets: { a: { baseUrl: http://a/v1, apiKeyVariable: FIRST_KEY, limit: 7 } }',
    'run a',
    'petspec.config.yaml:2:12: a: --limit cannot be used with --plan pro, which has fixed limits',
  ],
  ['all, and one', TARGETS, 'run staging --all', 'cannot combine --all and the target'],
  [
    'all with one key',
    TARGETS,
    'run --all --api-key x',
    'cannot combine --api-key or --api-key-file with --all',
  ],
  ['all with one address', TARGETS, 'run --all --api-url http://x', 'cannot combine --api-url with --all'],
  ['all in the UI', TARGETS, 'run --all --ui', 'cannot combine --ui and --all'],
];
test.each(BAD)('wrong usage in one line, and nothing is written: %s', async (_, config, options, words) => {
  if (config !== '') writeFileSync('petspec.config.yaml', config);
  const [, ...flags] = options.split(' ');
  const run = runCommand(() => {}, runInVitest).parseAsync(['node', 'petspec', ...flags]);
  const error: unknown = await run.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  expect(`${error}`).toMatch(/^[^\n]+$/);
  expect(`${error}\n`).toContain(words);
  expect(readdirSync('.')).toEqual(config === '' ? [] : ['petspec.config.yaml']);
});

const WIDE = `targets:
  staging: { baseUrl: 'http://127.0.0.1:1/v1', apiKeyVariable: FIRST_KEY, readOnly: true, exhaust: none, sharedKey: true, plan: enterprise, limit: 7, timeout: 5 }
`;
test.each([
  [
    '',
    {
      readOnly: true,
      exhaust: 'none',
      sharedKey: true,
      plan: 'enterprise',
      limits: { minute: 7 },
      timeout: 5,
      maxWait: 90,
    },
  ],
  [
    '--no-read-only --exhaust minute --no-shared-key',
    { readOnly: false, exhaust: 'minute', sharedKey: false, timeout: 5 },
  ],
  ['--limit 9 --timeout 6', { plan: 'enterprise', limits: { minute: 9 }, timeout: 6 }],
  ['--plan free', { plan: 'free', limits: undefined }],
])('the file, and what the command line states over it: %s', async (flags, expected) => {
  writeFileSync('petspec.config.yaml', WIDE);
  const command = runCommand(() => {}, runInVitest).action(() => {});
  await command.parseAsync(['node', 'petspec', ...flags.split(' ').filter((each) => each !== '')]);
  const { options } = await resolveTarget('staging', command.opts());
  expect({ limits: undefined, ...options }).toMatchObject({
    baseUrl: 'http://127.0.0.1:1/v1',
    apiKey: 'the-key-of-the-first',
    ...expected,
  });
});

const A = 'https://a.example.com';
const B = 'https://b.example.com';
test.each<[defaults: string, own: string, flags: string, apiUrl: string]>([
  ['', `apiUrl: ${A}`, `--server apiUrl=${B}`, B],
  ['', `servers: { apiUrl: ${A} }`, `--server apiUrl=${B}`, B],
  ['', `apiUrl: ${A}`, `--api-url ${B}`, B],
  ['', `servers: { apiUrl: ${A} }`, `--api-url ${B}`, B],
  ['', `servers: { apiUrl: ${A} }`, '', A],
  [`apiUrl: ${A}`, `servers: { apiUrl: ${B} }`, '', B],
  [`servers: { apiUrl: ${A} }`, `apiUrl: ${B}`, '', B],
])(
  'the API URL: what is stated last, whatever it is called: defaults {%s}, target {%s}, run %s',
  async (defaults, own, flags, apiUrl) => {
    const target = `{ baseUrl: http://a/v1, apiKeyVariable: FIRST_KEY, ${own} }`;
    writeFileSync('petspec.config.yaml', `defaults: { ${defaults} }\ntargets: { a: ${target} }`);
    const command = runCommand(() => {}, runInVitest).action(() => {});
    await command.parseAsync(['node', 'petspec', ...flags.split(' ').filter((each) => each !== '')]);
    const { options } = await resolveTarget('a', command.opts());
    expect({ servers: {}, ...options }).toMatchObject({ apiUrl, servers: {} });
  },
);

test('--api-url beside --server apiUrl is refused, also where the configuration has one', async () => {
  const config = `targets: { a: { baseUrl: http://a/v1, apiKeyVariable: FIRST_KEY, apiUrl: ${A} } }`;
  writeFileSync('petspec.config.yaml', config);
  const flags = { out: 'reports', apiUrl: A, server: [['apiUrl', B] as const] };
  await expect(resolveTarget('a', flags)).rejects.toThrow(
    '--api-url and --server apiUrl are the same; leave one out',
  );
});

test('--read-only overrides a configured write, and --no-read-only leaves it', async () => {
  const own = { interface: join(import.meta.dirname, '../../test/own-interface/bookshop.openapi.yaml') };
  const target = { baseUrl: 'http://a/v1', apiKeyVariable: 'FIRST_KEY', write: true, ...own };
  writeFileSync('petspec.config.yaml', JSON.stringify({ targets: { a: target } }));
  const written = async (readOnly: boolean) => {
    const { options } = await resolveTarget('a', { out: 'reports', readOnly });
    return { write: options.write ?? false, readOnly: options.readOnly };
  };
  expect(await written(true)).toEqual({ write: false, readOnly: true });
  expect(await written(false)).toEqual({ write: true, readOnly: false });
});

test('files are found from the configuration; what is stated elsewhere of the key or the certificate replaces them', async () => {
  mkdirSync('deep');
  writeFileSync('the-key', 'the-key-of-a-file\n');
  writeFileSync(
    'petspec.config.yaml',
    'targets: { a: { baseUrl: http://a/v1, apiKeyFile: the-key, clientKey: nowhere.key, insecure: true, baseline: known/a.yaml } }',
  );
  process.chdir('deep');
  const flags = { out: 'reports' };
  await expect(resolveTarget('a', flags)).rejects.toThrow('--client-key: no client certificate');
  const certified = { ...flags, clientCert: 'me.pem' };
  await expect(resolveTarget('a', certified)).rejects.toThrow("--client-cert: cannot read 'me.pem'");
  writeFileSync(
    '../petspec.config.yaml',
    'targets: { a: { baseUrl: http://a/v1, apiKeyFile: the-key, insecure: true, baseline: known/a.yaml } }',
  );
  const { name, baseline, options } = await resolveTarget('a', flags);
  expect({ name, baseline }).toEqual({ name: 'a', baseline: join(realpathSync(folder), 'known', 'a.yaml') });
  expect(options).toMatchObject({ apiKey: 'the-key-of-a-file', insecure: true });
  const other = await resolveTarget('a', { ...flags, apiKey: 'another', insecure: false });
  expect(other.options).toMatchObject({ apiKey: 'another', insecure: false });
});

test.each([
  [[0, 0], 0],
  [[0, 3, 0], 3],
  [[3, 4, 0], 4],
  [[0, 1, 3], 1],
  [[1, 4], 1],
  [[4, 1], 1],
])('of the exit statuses %j the worst is %i', (statuses, worst) => {
  expect(worstOf(statuses)).toBe(worst);
});
