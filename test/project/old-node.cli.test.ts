import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testedCommandLine } from '../command-line/tested-command-line.ts';

const { line, inFolder } = testedCommandLine();

/** Runs petspec on this Node, which takes itself for another one, and lacks what an old one lacks. */
function onNode(version: string, ...options: string[]) {
  const disguise = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
    if (parseInt('${version}') < 20) delete globalThis.File;`;
  const file = inFolder(`disguise-${version}.cjs`);
  writeFileSync(file, disguise);
  return line.startProgram(process.execPath, ['--require', file, line.bin, ...options]).ended;
}

test.concurrent.each(['12.22.12', '18.20.8', '20.18.3', '21.7.3'])(
  'Node %s: one line that says which version is needed, 2, and nothing else is loaded',
  async (version) => {
    expect(await onNode(version, 'run')).toEqual({
      status: 2,
      signal: null,
      out: '',
      err: `petspec: unsupported Node ${version}; petspec needs Node 20.19, 22 or newer\n`,
    });
  },
);

test.concurrent.each(['20.19.0', '22.0.0', '23.1.0', '100.0.0'])('Node %s runs it', async (version) => {
  const { status, err } = await onNode(version, '--version');
  expect({ status, err }).toEqual({ status: 0, err: '' });
});

test('the package names the same versions', () => {
  const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  expect(engines).toEqual({ node: '^20.19 || >=22' });
});
