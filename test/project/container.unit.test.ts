import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
const dockerfile = DockerfileParser.parse(text);
const instructions = dockerfile.getInstructions();
const last = (keyword: string) => instructions.findLast((each) => each.getKeyword() === keyword);

test('the linter has nothing to say of the Dockerfile', () => {
  expect(validate(text)).toEqual([]);
  expect(validate(text.replace('USER node', 'USERS node'))).not.toEqual([]);
});

test('the image is small, and its user is not root', () => {
  const bases = dockerfile.getFROMs().map((from) => from.getImage());
  expect(bases).toHaveLength(2);
  for (const base of bases) expect(base).toMatch(/^node:\d+-slim$/);
  expect(last('USER')?.getArgumentsContent()).toBe('node');
});

test('petspec gets the signals: the entry point is not a shell', () => {
  expect(dockerfile.getENTRYPOINTs().map((each) => each.getArgumentsContent())).toEqual(['["petspec"]']);
});

test('nothing runs when packages are installed, and no key is in the image', () => {
  for (const each of instructions.filter((one) => one.getKeyword() === 'RUN'))
    for (const [command] of (each.getArgumentsContent() ?? '').matchAll(/npm (?:ci|install|prune)[^&]*/g))
      expect(command).toContain('--ignore-scripts');
  expect(text).not.toMatch(/PETSPEC_API_KEY|^ARG /m);
});

test('each file that is copied from this folder exists, and is not ignored', () => {
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').trim().split('\n');
  const copied = dockerfile
    .getCOPYs()
    .flatMap((each) => each.getArguments().map((one) => one.getValue()))
    .filter((path) => path.startsWith('/build/'))
    .map((path) => path.replace('/build/', ''));
  expect(copied).toContain('bin');
  const made = /^(?:dist|node_modules)(?:\/|$)/;
  for (const path of copied.filter((each) => !made.test(each))) {
    expect({ path, exists: existsSync(join(ROOT, path)) }).toEqual({ path, exists: true });
    expect(ignored).not.toContain(path);
  }
});
