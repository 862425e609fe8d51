import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const lockfile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const packages = Object.entries<{ [field: string]: unknown }>(lockfile.packages).filter(
  ([path]) => path !== '',
);
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-audit-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every package of the lockfile is pinned by its hash, and by no host', () => {
  expect(packages.length).toBeGreaterThan(100);
  for (const [path, { version, integrity, resolved, link }] of packages)
    expect({ path, version, integrity, resolved, link }).toEqual({
      path,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      integrity: expect.stringMatching(/^sha512-/),
      resolved: undefined,
      link: undefined,
    });
});

// npm warns of `prepare` where petspec is installed from a tarball. `dependencies` runs in a clone alone.
test('nothing runs where petspec is installed: neither of its own, nor of what it needs', () => {
  for (const hook of ['preinstall', 'install', 'postinstall', 'prepare'])
    expect(manifest.scripts).not.toHaveProperty(hook);
  const needed = packages.filter(([, { dev }]) => !dev);
  expect(needed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([]);
});

test('versions are exact', () => {
  const ranges = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
  for (const range of ranges) expect(range).toMatch(/^\d+\.\d+\.\d+$/);
});

/** What CI says where npm answers so: to the first question, and to the second. */
function audit(signatures: unknown, advisories: unknown) {
  const answers = [signatures, advisories].map((each) =>
    typeof each === 'string' ? each : JSON.stringify(each),
  );
  const npm = join(folder, 'npm');
  const [first, second] = answers.map((each) => `'${each.replaceAll("'", "'\\''")}'`);
  writeFileSync(
    npm,
    `#!/bin/sh\nif [ "$2" = signatures ]; then printf '%s\\n' ${first}; else printf '%s\\n' ${second}; fi\nexit 1\n`,
  );
  chmodSync(npm, 0o755);
  const PATH = [folder, dirname(process.execPath), process.env.PATH].join(delimiter);
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, '.ci/audit.js')], {
    encoding: 'utf8',
    env: { PATH },
  });
  return { status, lines: stdout.trimEnd().split('\n') };
}

const fine = { invalid: [], missing: [] };
const unanswered = { statusCode: 405, message: 'Method Not Allowed', error: { summary: '' } };

test.each([
  ['nothing found', fine, { vulnerabilities: {} }, 0, ['nothing found', 'nothing found']],
  [
    'a registry that does not answer',
    unanswered,
    unanswered,
    0,
    ['not answered (405)', 'not answered (405)'],
  ],
  [
    'no way to the registry',
    { error: { code: 'ENOTFOUND' } },
    { message: 'connect ECONNREFUSED 127.0.0.1:9' },
    0,
    ['not answered (ENOTFOUND)', 'not answered (ECONNREFUSED)'],
  ],
  ['no JSON', 'npm is out of order', '', 0, ['not answered (no JSON)', 'not answered (no JSON)']],
  [
    'a wrong signature',
    { invalid: [{ name: 'a', version: '1.0.0' }], missing: [{ name: 'b', version: '2.0.0' }] },
    unanswered,
    1,
    ['a@1.0.0: its signature is wrong; b@2.0.0: its signature is missing', 'not answered (405)'],
  ],
  [
    'something known against a package',
    fine,
    { vulnerabilities: { a: { name: 'a', severity: 'high', range: '<2.0.0' } } },
    1,
    ['nothing found', 'a <2.0.0: high'],
  ],
])('the audit of CI: %s', (_, signatures, advisories, status, words) => {
  const questions = ['npm audit signatures', 'npm audit --omit=dev'];
  const lines = words.map((each, index) => `${questions[index]}: ${each}`);
  expect(audit(signatures, advisories)).toEqual({ status, lines });
});
