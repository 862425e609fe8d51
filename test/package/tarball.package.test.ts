import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

/** The user that nothing belongs to: a superuser is not kept from writing by permissions. */
const NOBODY = 65_534;
const isSuperuser = process.getuid?.() === 0;

const ROOT = join(import.meta.dirname, '../..');

let project: string;
const tarballPath = inject('tarball').path;
/** What is in the tarball itself, whatever npm says of it. */
const packed = inTarball('-t')
  .trimEnd()
  .split('\n')
  .map((path) => path.replace(/^package\//, ''));

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'petspec-installed-'));
  // What a vendor's own project may hold, and petspec must not touch.
  for (const name of ['vite.config.js', 'vitest.config.js', 'postcss.config.js'])
    writeFileSync(join(project, name), 'throw new Error("the configuration of the user was loaded");');
  writeFileSync(join(project, '.env'), 'PETSPEC_API_KEY=from-the-env-file\n');
  cpSync(inject('installed'), project, { recursive: true, verbatimSymlinks: true });
  mkdirSync(join(project, 'out'));
  chmodSync(project, 0o755);
  chmodSync(join(project, 'out'), 0o777);
  makeReadOnly(join(project, 'node_modules', 'petspec'));
}, 60_000);

afterAll(() => rmSync(project, { recursive: true, force: true }), 60_000);

/** What tar says of the tarball itself. */
function inTarball(...options: string[]): string {
  return execFileSync('tar', [...options, '-z', '-f', tarballPath], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
}

function makeReadOnly(path: string): void {
  const { mode } = statSync(path);
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) makeReadOnly(join(path, name));
  chmodSync(path, mode & 0o555);
}

function petspec(...options: string[]) {
  const env = {
    PATH: process.env.PATH,
    TMPDIR: tmpdir(),
    HOME: '/nonexistent',
    npm_config_cache: join(project, 'out', '.npm'),
  };
  return spawnSync(process.execPath, [join(project, 'node_modules', '.bin', 'petspec'), ...options], {
    cwd: project,
    encoding: 'utf8',
    env,
    // What waits for somebody who ends it fails, and holds up nothing.
    timeout: 50_000,
    ...(isSuperuser ? { uid: NOBODY, gid: NOBODY } : {}),
  });
}

test('the installed package judges the bundled reference: read-only, without a home, with hostile configuration around', () => {
  const { status, stdout, stderr } = petspec('run', '--out', 'out');
  expect(stderr).not.toContain('configuration of the user');
  expect(stdout).toMatch(/^conformant: /m);
  expect(status).toBe(0);
  expect(JSON.parse(readFileSync(join(project, 'out', 'report.json'), 'utf8'))).toMatchObject({
    verdict: 'conformant',
  });
}, 60_000);

test('the installed commands tell the requirements and the version', () => {
  expect(petspec('requirements').stdout).toContain('listPets.200');
  expect(petspec('--version').stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
}, 60_000);

test.each(['12', '18'])(
  'a real Node %s: one line that says which version is needed, and 2',
  (version) => {
    const bin = join(project, 'node_modules', 'petspec', 'bin', 'petspec.js');
    const node = ['--yes', '--quiet', '--package', `node@${version}`, '--', 'node', bin, 'run'];
    const { status, stdout, stderr } = spawnSync('npx', node, { cwd: project, encoding: 'utf8' });
    const lines = stderr.split('\n').filter((each) => !each.startsWith('npm '));
    expect({ status, stdout, lines }).toEqual({
      status: 2,
      stdout: '',
      lines: [
        expect.stringMatching(
          new RegExp(
            `^petspec: unsupported Node ${version}\\.[\\d.]+; petspec needs Node 20\\.19, 22 or newer$`,
          ),
        ),
        '',
      ],
    });
  },
  120_000,
);

test('the package can be imported, types included', () => {
  const script = 'import { run } from "petspec"; const report = await run(); console.log(report.verdict);';
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: project,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout.trim()).toBe('conformant');
}, 60_000);

/** A file of a user that says what the types are: `any` would hide what is expected to be wrong. */
const TYPED = `
import { type Report, run } from 'petspec';
import { type Check, eachExchange } from 'petspec/suite';
import { conformance } from 'petspec/vitest';

export const report: Promise<Report> = run({ readOnly: true });
export const checks: readonly Check[] = [];
conformance({ target: 'http://127.0.0.1/v1', only: ['listPets'] });
// @ts-expect-error a run has no such setting
run({ readonly: true });
// @ts-expect-error a check has more than a name
eachExchange('a');
// @ts-expect-error there is no such option
conformance({ target: 'http://127.0.0.1/v1', readonly: true });
`;

test.each(['node16', 'bundler'])(
  'the types of each entry are one file, and resolve by moduleResolution %s',
  (resolution) => {
    expect(packed.filter((path) => path.endsWith('.d.ts')).sort()).toEqual([
      'dist/package/src/index.d.ts',
      'dist/package/src/suite.d.ts',
      'dist/package/src/vitest/index.d.ts',
    ]);
    writeFileSync(join(project, 'typed.ts'), TYPED);
    // Whoever imports petspec/vitest has vitest, and Node's types.
    for (const name of ['vitest', '@types/node']) {
      const place = join(project, 'node_modules', name);
      mkdirSync(dirname(place), { recursive: true });
      rmSync(place, { recursive: true, force: true });
      symlinkSync(join(ROOT, 'node_modules', name), place);
    }
    const module = resolution === 'bundler' ? 'preserve' : resolution;
    const options = ['--module', module, '--moduleResolution', resolution, '--lib', 'es2023,dom'];
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const all = [tsc, '--noEmit', '--strict', '--skipLibCheck', '--types', 'node', ...options, 'typed.ts'];
    const { stdout } = spawnSync(process.execPath, all, { cwd: project, encoding: 'utf8' });
    expect(stdout).toBe('');
  },
  60_000,
);

test('the package is light: few files, no native code, and npm has nothing to warn about', () => {
  expect(packed.length).toBeLessThan(400);
  expect(inject('printed')).not.toMatch(/warn/i);
  const paths = readdirSync(join(project, 'node_modules'), { recursive: true, encoding: 'utf8' });
  expect(paths.filter((path) => path.endsWith('.node'))).toEqual([]);
});

test('the UI needs packages that are not installed with petspec: one line that names them, 2', () => {
  const { status, stderr } = petspec('run', '--ui', '--out', 'out');
  expect(stderr).toMatch(/^petspec: --ui: needs vitest and @vitest\/ui \d\.\d; npm install [^\n]*\n$/);
  expect(status).toBe(2);
}, 60_000);

test('the package holds what it needs and nothing else', () => {
  expect(packed).toEqual(
    expect.arrayContaining([
      'bin/petspec.js',
      'LICENSE',
      'README.md',
      'package.json',
      'spec/openapi.yaml',
      'spec/requirements.yaml',
      'reports/report.schema.json',
      'petspec.config.schema.json',
      'petspec.requirements.schema.json',
    ]),
  );
  const strangers = packed.filter((path) =>
    /unit\.test|selfcheck\.test|\.map$|^(src|test|bench|scripts|examples)\/|dist\/(test|scripts)\/|testing\//.test(
      path,
    ),
  );
  expect(strangers).toEqual([]);
});

test('nothing of the package runs where it is installed', () => {
  const manifest = JSON.parse(inTarball('-x', '-O', 'package/package.json'));
  for (const hook of ['preinstall', 'install', 'postinstall', 'prepare'])
    expect(manifest.scripts).not.toHaveProperty(hook);
  // npm builds what has one of these.
  expect(packed.filter((path) => /\.(gyp|node)$/.test(path))).toEqual([]);
  expect(inTarball('-t', '-v').match(/^[^-]/gm)).toBeNull();
});

test('no file of the package names one that is not in it: no maps, no sources', () => {
  const text = inTarball('-x', '-O');
  expect(text).toContain('petspec');
  expect(text.match(/[#@] ?sourceMappingURL/)).toBeNull();
  expect(packed.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))).toEqual([]);
});

/** What only a clone has. */
const LEFT_OUT = /^(?:examples|suites|test)(?:\/|$)/;

test('each page of the package links to files of the package', () => {
  const pages = packed.filter((path) => path.endsWith('.md'));
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/getting-started.md']));
  const broken = pages.flatMap((page) =>
    linksIn(inTarball('-x', '-O', `package/${page}`))
      .map((link) => posix.join(posix.dirname(page), link))
      .filter((path) => !packed.includes(path) && !LEFT_OUT.test(path))
      .map((path) => `${page}: ${path}`),
  );
  expect(broken).toEqual([]);
});

/** The files that a page links to, without the headings in them. */
function linksIn(markdown: string): string[] {
  const links = [...markdown.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, link = '']) => link);
  return links.filter((link) => !/^https?:/.test(link));
}
