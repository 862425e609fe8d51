import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inProcess } from '../../../test/command-line/in-process.ts';
import { testedCommandLine } from '../../../test/command-line/tested-command-line.ts';

const { line, inFolder } = testedCommandLine();

/** A folder with files and folders (whose names end with a slash), and the command line in it. */
function project(name: string, entries: Readonly<Record<string, string>>) {
  const folder = inFolder(name);
  mkdirSync(folder);
  for (const [path, text] of Object.entries(entries)) {
    mkdirSync(join(folder, path, path.endsWith('/') ? '.' : '..'), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(join(folder, path), text);
  }
  return {
    petspec: (...options: string[]) => inProcess({ folder, variables: line.variables }, options),
    names: (path = '.') => readdirSync(join(folder, path)).sort(),
  };
}

test('no folder is named: 2, and the files of the working folder stay', async () => {
  const { petspec, names } = project('unnamed', { 'badge.json': '{}', 'certificate.json': '{}' });
  for (const command of ['certify', 'run']) {
    const { status, out, err } = await petspec(command, 'http://127.0.0.1:9/v1', '--out', '');
    expect({ status, out, err }).toEqual({ status: 2, out: '', err: 'petspec: --out: no folder named\n' });
  }
  expect(names()).toEqual(['badge.json', 'certificate.json']);
});

test('a folder in place of a report: 2, and the earlier reports stay', async () => {
  const { petspec, names } = project('blocked', { 'out/junit.xml': '<a/>', 'out/report.json/': '' });
  const { status, err } = await petspec('run', '--out', 'out');
  expect({ status, err }).toEqual({
    status: 2,
    err: expect.stringMatching(/^petspec: --out: cannot write to 'out' \([^\n]*\n$/),
  });
  expect(names('out')).toEqual(['junit.xml', 'report.json']);
});

test('a file in place of the folder of one target: 2, and the earlier reports of the others stay', async () => {
  const { petspec, names } = project('one-of-all', {
    'petspec.config.yaml':
      'targets: { one: { baseUrl: http://127.0.0.1:9/v1 }, two: { baseUrl: http://127.0.0.1:9/v1 } }',
    'reports/comparison.md': '# of an earlier run',
    'reports/one/report.json': '{}',
    'reports/two': 'a file',
  });
  const { status, err } = await petspec('run', '--all', '--quiet');
  expect({ status, err }).toEqual({
    status: 2,
    err: expect.stringMatching(/^petspec: --out: cannot write to 'reports\/two' \([^\n]*\n$/),
  });
  expect([names('reports'), names('reports/one')]).toEqual([
    ['comparison.md', 'one', 'two'],
    ['report.json'],
  ]);
});
