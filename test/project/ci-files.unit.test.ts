import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { renderGithubWorkflow, renderGitlabPipeline } from '../../src/config/ci-jobs.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const action = parse(read('action.yml'));
const [component, jobs] = parseAllDocuments(read('templates/petspec.yml')).map((each) => each.toJS());
const [job] = Object.values<Record<string, unknown>>(jobs);

const TARGETS = [
  { name: 'staging', apiKeyVariable: 'STAGING_KEY' },
  { name: 'production', apiKeyVariable: 'PRODUCTION_KEY' },
] as const;
const SHIPPED = {
  'action.yml': read('action.yml'),
  'the GitLab template': read('templates/petspec.yml'),
  'the example of a vendor': read('examples/vendor-ci/.github/workflows/conformance.yml'),
};

test('action.yml is as the published schema of actions says', () => {
  expect(validateAction(read('action.yml')).errors).toEqual([]);
  expect(validateAction(read('action.yml').replace('using: composite', 'using: shell')).errors).not.toEqual(
    [],
  );
});

test('every input of the action is handed over, and none becomes part of a script', () => {
  const [, run, upload] = action.runs.steps;
  const used = JSON.stringify([run.env, upload]);
  expect(Object.keys(action.inputs)).not.toEqual([]);
  expect(Object.keys(action.inputs).filter((name) => !used.includes(`inputs.${name} `))).toEqual([]);
  for (const { run: script = '' } of action.runs.steps) expect(script).not.toContain('${{');
  expect(Object.keys(run.env)).not.toEqual([]);
  expect(Object.keys(run.env).filter((name) => !run.run.includes(`$${name}`))).toEqual([]);
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

const GENERATED = {
  'a workflow for one target': renderGithubWorkflow([TARGETS[0]]),
  'a workflow for several': renderGithubWorkflow(TARGETS),
  'a pipeline for one target': renderGitlabPipeline([TARGETS[0]]),
  'a pipeline for several': renderGitlabPipeline(TARGETS),
};

test.each(Object.entries({ ...GENERATED, ...SHIPPED }))(
  'the petspec that runs is the one of the lockfile: %s',
  (_, text) => {
    expect(text).not.toMatch(/\bnpx\b|petspec@(?!v?\d)|npm (?:install|exec|i)\b/);
    expect(text).toMatch(/\bnpm ci\b/);
    expect(text).toContain('node_modules/.bin/petspec ');
  },
);

test.each(Object.entries({ ...GENERATED, ...SHIPPED }))(
  'actions of others are named by a commit, and the version beside it: %s',
  (_, text) => {
    const used = [...text.matchAll(/\buses: (?!petspec\/petspec@)(.*)$/gm)].map(([, uses = '']) => uses);
    expect(used.filter((uses) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(uses))).toEqual([]);
  },
);

test('the generated workflows are as the published schema says', () => {
  for (const targets of [TARGETS, TARGETS.slice(0, 1)])
    expect(validateWorkflow(renderGithubWorkflow(targets)).errors).toEqual([]);
});

test('in a generated workflow the key is in the environment of the step that judges, and of no other', () => {
  for (const targets of [TARGETS, TARGETS.slice(0, 1)]) {
    const { jobs: generated, env } = parse(renderGithubWorkflow(targets));
    const steps = Object.values<{ env?: object; steps: object[] }>(generated).flatMap((each) => each.steps);
    const withKey = steps.filter((each) => JSON.stringify(each).includes('secrets'));
    expect(withKey).toEqual([expect.objectContaining({ name: expect.stringMatching(/^Judge/) })]);
    expect(
      JSON.stringify([env, Object.values<{ env?: object }>(generated).map((each) => each.env)]),
    ).not.toContain('secrets');
  }
});
