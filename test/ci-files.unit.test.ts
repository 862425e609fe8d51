import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateAction } from '@action-validator/core';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { packageVersion } from '../src/package-root.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const action = parse(read('action.yml'));
const [component, jobs] = parseAllDocuments(read('templates/petspec.yml')).map((each) => each.toJS());
const [job] = Object.values<Record<string, unknown>>(jobs);

test('action.yml is as the published schema of actions says', () => {
  expect(validateAction(read('action.yml')).errors).toEqual([]);
  expect(validateAction(read('action.yml').replace('using: composite', 'using: shell')).errors).not.toEqual(
    [],
  );
});

test('every input of the action is handed over, and none becomes part of a script', () => {
  const [run, upload] = action.runs.steps;
  const used = JSON.stringify([run.env, upload]);
  for (const name of Object.keys(action.inputs)) expect(used).toContain(`inputs.${name} `);
  for (const { run: script = '' } of action.runs.steps) expect(script).not.toContain('${{');
  for (const name of Object.keys(run.env))
    expect(run.run).toContain(`$${name.replace('INPUT_VERSION', '{INPUT_VERSION')}`);
});

test('actions of others are named by a commit', () => {
  const others = action.runs.steps.flatMap(({ uses }: { uses?: string }) => uses ?? []);
  for (const uses of others) expect(uses).toMatch(/@[0-9a-f]{40}$/);
});

test('the GitLab template uses each of its inputs, and has an input for each that it uses', () => {
  const used = [...read('templates/petspec.yml').matchAll(/\$\[\[ inputs\.([a-z-]+) \]\]/g)].map(
    ([, name]) => name,
  );
  expect([...new Set(used)].sort()).toEqual(Object.keys(component.spec.inputs).sort());
});

test('no input becomes part of the script of the GitLab template, and the key is none', () => {
  expect(Object.keys(job ?? {}).sort()).toEqual(['artifacts', 'image', 'script', 'stage', 'variables']);
  expect(JSON.stringify(job?.script)).not.toContain('$[[');
  expect(Object.keys(component.spec.inputs).filter((name) => name.includes('key'))).toEqual([]);
});

test('the GitLab template installs this version', () => {
  expect(component.spec.inputs.version.default).toBe(packageVersion);
});
