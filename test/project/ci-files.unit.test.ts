import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { renderGithubWorkflow, renderGitlabPipeline, VERSIONS } from '../../src/config/ci-jobs.ts';

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
  const used = JSON.stringify(action.runs.steps);
  expect(Object.keys(action.inputs)).not.toEqual([]);
  expect(Object.keys(action.inputs).filter((name) => !used.includes(`inputs.${name} `))).toEqual([]);
  const handed = action.runs.steps.flatMap(({ run = '', env = {} }: { run?: string; env?: object }) => {
    expect(run).not.toContain('${{');
    return Object.keys(env).map((name) => [name, run.includes(`$${name}`)]);
  });
  expect(handed).not.toEqual([]);
  expect(handed.filter(([, isUsed]: [string, boolean]) => !isUsed)).toEqual([]);
});

test('a certificate is attested where the user asks for it, by the only steps and jobs that may', () => {
  const attesting = action.runs.steps.filter((each: object) => JSON.stringify(each).includes('attest-build'));
  const { attest } = action.inputs;
  const isDue = (given: string) =>
    attesting.map((each: { if: string }) => isTrue(each.if, { inputs: { attest: given } }));
  expect([isDue('true'), isDue(attest.default)]).toEqual([[true], [false]]);
  for (const targets of [TARGETS, TARGETS.slice(0, 1)]) {
    const { jobs: generated } = parse(renderGithubWorkflow(targets));
    const { needs, if: condition, permissions, strategy, steps } = generated.certify;
    expect(permissions).toEqual({ contents: 'read', 'id-token': 'write', attestations: 'write' });
    expect(needs).toBe('judge');
    const events = (value: string) => eventsOf(condition, { vars: { PETSPEC_ATTEST: value } });
    expect(events('true')).toEqual(['push', 'schedule', 'workflow_dispatch']);
    expect(events('')).toEqual([]);
    expect(strategy.matrix.include.map(({ target }: { target: string }) => target)).toEqual(
      targets.map(({ name }) => name),
    );
    const attested = steps.findIndex((each: object) => JSON.stringify(each).includes('attest-build'));
    expect(steps[attested - 1].run).toContain('petspec certify "$TARGET" --out "certified/$TARGET"');
    expect(steps[attested].with['subject-path']).toMatch(
      /^certified\/.+ matrix\.target }}\/certificate\.json$/,
    );
    expect(steps[attested + 1].env.BUNDLE).toBe(`\${{ steps.${steps[attested].id}.outputs.bundle-path }}`);
    const others = Object.entries<{ permissions?: object }>(generated).filter(
      ([, each]) => each.permissions && 'attestations' in each.permissions,
    );
    expect(others.map(([name]) => name)).toEqual(['certify']);
  }
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
  for (const targets of [TARGETS, TARGETS.slice(0, 1)]) {
    // The validator's copy of the schema is older than this permission.
    const known = renderGithubWorkflow(targets).replace('      attestations: write\n', '');
    expect(validateWorkflow(known).errors).toEqual([]);
  }
});

test('in a generated workflow the key is in the environment of the step that judges, and of no other', () => {
  for (const targets of [TARGETS, TARGETS.slice(0, 1)]) {
    const { jobs: generated, env } = parse(renderGithubWorkflow(targets));
    const steps = Object.values<{ env?: object; steps: object[] }>(generated).flatMap((each) => each.steps);
    const withKey = steps.filter((each) => JSON.stringify(each).includes('secrets'));
    const judging = expect.objectContaining({ name: expect.stringMatching(/^Judge/) });
    expect(withKey).toEqual([judging, judging, judging]);
    expect(
      JSON.stringify([env, Object.values<{ env?: object }>(generated).map((each) => each.env)]),
    ).not.toContain('secrets');
  }
});

test('versions are those of what petspec init writes, in the documentation and in what is shipped, too', () => {
  const texts = { ...GENERATED, ...SHIPPED, 'docs/ci.md': read('docs/ci.md') };
  for (const text of Object.values(texts)) {
    const actions = [...text.matchAll(/\buses: (actions\/([\w-]+)@.*)$/gm)];
    for (const [, used, name = ''] of actions) expect(used).toBe(VERSIONS[name]);
    const nodes = [...text.matchAll(/\b(?:node-version: |node:)(\d+)/g)].map(([, version]) => version);
    expect([...actions, ...nodes]).not.toEqual([]);
    expect(nodes.filter((version) => version !== VERSIONS.node)).toEqual([]);
  }
});

/** The events at which a job of GitHub runs, by its condition. */
function eventsOf(condition: string, more: object = {}): string[] {
  const own = { repository: 'a/store', pull_request: { head: { repo: { full_name: 'a/store' } } } };
  const fork = { repository: 'a/store', pull_request: { head: { repo: { full_name: 'b/store' } } } };
  const events = { push: own, pull_request: own, fork, schedule: own, workflow_dispatch: own };
  return Object.entries(events)
    .filter(([event, { repository, pull_request }]) => {
      const github = {
        event_name: event === 'fork' ? 'pull_request' : event,
        repository,
        event: { pull_request },
      };
      return isTrue(condition, { github, ...more });
    })
    .map(([event]) => event);
}

/** Whether an expression of GitHub Actions holds, in the implementation of GitHub. */
function isTrue(condition: string, contexts: object): boolean {
  const [, text = ''] = /^\$\{\{ (.*) \}\}$/.exec(condition) ?? [];
  const names = Object.keys(contexts);
  const { tokens } = new Lexer(text).lex();
  const expression = new Parser(tokens, names, []).parse();
  const values = new data.Dictionary(
    ...Object.entries(contexts).map(([key, value]) => ({ key, value: dataOf(value) })),
  );
  return new Evaluator(expression, values).evaluate().coerceString() === 'true';
}

function dataOf(value: unknown): data.ExpressionData {
  if (typeof value === 'string') return new data.StringData(value);
  return new data.Dictionary(
    ...Object.entries(value as object).map(([key, each]) => ({ key, value: dataOf(each) })),
  );
}

test.each([1, 2])(
  'GitHub: fixed requests for pushes and pull requests, new ones on a schedule; %i targets',
  (count) => {
    const { on, jobs: generated } = parse(renderGithubWorkflow(TARGETS.slice(0, count)));
    expect(Object.keys(on).sort()).toEqual(['pull_request', 'push', 'schedule', 'workflow_dispatch']);
    const { judge, explore } = generated;
    expect(eventsOf(judge.if)).toEqual(['push', 'pull_request', 'workflow_dispatch']);
    expect(eventsOf(explore.if)).toEqual(['schedule']);
    const scriptOf = ({ steps }: { steps: { name?: string; run?: string }[] }) =>
      steps.find(({ name }) => name?.startsWith('Judge'))?.run ?? '';
    expect(scriptOf(judge)).not.toContain('--seed');
    expect(scriptOf(judge)).toContain(' --frugal');
    expect(scriptOf(explore)).not.toContain('--frugal');
    expect(scriptOf(explore)).toContain('--seed "$GITHUB_RUN_NUMBER"');
    const others = Object.values<{ needs?: string }>(generated).map(({ needs }) => needs);
    expect(others).not.toContain('explore');
  },
);

test.each([renderGithubWorkflow, renderGitlabPipeline])(
  'by night a run uses many windows, if each target has a known limit',
  (render) => {
    const [staging, production] = TARGETS;
    const known = { ...staging, canBeDeep: true };
    expect(render([known]).match(/--deep/g)).toHaveLength(1);
    expect(render([known, { ...production, canBeDeep: true }]).match(/--deep/g)).toHaveLength(1);
    expect(render([known, production])).not.toContain('--deep');
  },
);

test.each([1, 2])(
  'GitLab: the same, where a scheduled job does not hold up what else is in its pipeline; %i targets',
  (count) => {
    const {
      petspec,
      'petspec-explore': explore,
      ...rest
    } = parse(renderGitlabPipeline(TARGETS.slice(0, count)));
    const [schedule, ...gating] = petspec.rules;
    expect(schedule).toEqual({ if: '$CI_PIPELINE_SOURCE == "schedule"', when: 'never' });
    expect(gating.map((each: { if: string }) => each.if)).toEqual([
      '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH',
      expect.stringContaining('$CI_PIPELINE_SOURCE == "merge_request_event"'),
    ]);
    expect(petspec.variables).toEqual({ PETSPEC_OPTIONS: '--frugal' });
    expect(explore).toMatchObject({
      extends: 'petspec',
      variables: { PETSPEC_OPTIONS: '--seed=$CI_PIPELINE_IID' },
      rules: [{ if: '$CI_PIPELINE_SOURCE == "schedule"' }],
      allow_failure: true,
    });
    expect(JSON.stringify(rest)).not.toContain('petspec-explore');
  },
);
