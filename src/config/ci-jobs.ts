import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { packageRoot } from '../model/package-root.ts';

/** A target for a CI service. Neither text has a character that is special in a shell. */
export interface CiTarget {
  name: string;
  apiKeyVariable: string;
  /** Whether a run may use ten times its limit: the limit is known, and the interface is bundled. */
  canBeDeep?: boolean;
}

/** The path of the workflow of GitHub Actions. */
export const GITHUB_FILE = '.github/workflows/petspec.yml';

/** The file with the jobs of GitLab CI, and the file that includes it. */
export const GITLAB_FILE = 'petspec.gitlab-ci.yml';
export const GITLAB_MAIN_FILE = '.gitlab-ci.yml';

/**
 * The actions and the Node that the jobs use; docs/ci.md, action.yml, the GitLab template and the example have the same. Actions are
 * pinned to a commit, because a tag can move.
 */
export const VERSIONS: Readonly<Record<string, string>> = {
  checkout: 'actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0',
  'setup-node': 'actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0',
  'upload-artifact': 'actions/upload-artifact@330a01c490aca151604b8cf639adc76d48f6c5d4 # v5.0.0',
  'download-artifact': 'actions/download-artifact@634f93cb2916e3fdff6788551b99b062d0335ce0 # v5.0.0',
  'attest-build-provenance':
    'actions/attest-build-provenance@977bb373ede98d70efdf65b84cb5f73e068dcc2a # v3.0.0',
  cache: 'actions/cache@5a3ec84eff668545956fd18022155c47e93e2684 # v4.2.3',
  'upload-pages-artifact': 'actions/upload-pages-artifact@56afc609e74202658d3ffba0e8f6dda462b719fa # v3.0.1',
  'deploy-pages': 'actions/deploy-pages@d6db90164ac5ed86f2b6aed7e0febac5b3c0c03e # v4.0.5',
  node: '24',
};

/** A .gitlab-ci.yml that only includes the jobs. */
export const GITLAB_INCLUDE = `include:\n  - local: ${GITLAB_FILE}\n`;

/**
 * A GitHub Actions workflow that judges the targets of a configuration with fixed requests at each push and pull request, and
 * with new ones on a schedule. With several targets, there is a job for each, and one that compares their reports. The last jobs
 * certify them and attest the certificates, and publish the board of their runs, if the user wants it.
 */
export function renderGithubWorkflow(targets: readonly CiTarget[]): string {
  const certifying = filled('github-certify.yml', { targets: matrixOf(targets) });
  const workflow = judgingWorkflow(targets) + certifying + filled('github-board.yml', {});
  return shareKeys(targets) ? workflow : workflow.replace(/ *# Some targets share a key\.\n.*\n/g, '');
}

function judgingWorkflow(targets: readonly CiTarget[]): string {
  const [first] = targets;
  if (first && targets.length === 1)
    return filled('github-one.yml', {
      target: first.name,
      variable: first.apiKeyVariable,
      deep: deepOption(targets),
    });
  return filled('github-several.yml', { targets: matrixOf(targets), deep: deepOption(targets) });
}

/** The entries of a matrix with a job for each target. */
function matrixOf(targets: readonly CiTarget[]): string {
  return targets
    .map(({ name, apiKeyVariable }) => `- target: ${scalar(name)}\n            variable: ${apiKeyVariable}`)
    .join('\n          ');
}

/**
 * GitLab CI jobs that judge the targets of a configuration with fixed requests at each push and merge request, and with new ones
 * in scheduled pipelines. With several targets, there is a job for each, and one that compares their reports. The last job
 * publishes the board of their runs, if the user wants it.
 */
export function renderGitlabPipeline(targets: readonly CiTarget[]): string {
  return judgingJobs(targets) + filled('gitlab-board.yml', {});
}

function judgingJobs(targets: readonly CiTarget[]): string {
  const [first] = targets;
  if (first && targets.length === 1)
    return filled('gitlab-one.yml', {
      target: first.name,
      group: `petspec-${first.name}`,
      deep: deepOption(targets),
    });
  const entries = targets.map(({ name }) => `- TARGET: ${scalar(name)}`);
  return filled('gitlab-several.yml', {
    targets: entries.join('\n      '),
    deep: deepOption(targets),
    group: shareKeys(targets) ? 'petspec' : 'petspec-$TARGET',
  });
}

/**
 * A template with a text in place of each `<name>`. The jobs install the petspec of the project's lockfile (`<setup>`), never
 * one from a registry, and run no scripts then, because a key may be in the environment.
 */
function filled(template: string, texts: Readonly<Record<string, string>>): string {
  const setup = partOf('github-setup.yml').trimEnd();
  const replacements = { ...VERSIONS, ...texts };
  const whole = partOf(template).replaceAll('<setup>', setup);
  return whole.replace(/<([\w-]+)>/g, (placeholder, name: string) => replacements[name] ?? placeholder);
}

function partOf(file: string): string {
  return readFileSync(join(packageRoot, 'assets', 'ci', file), 'utf8');
}

/** At night there is time for many windows, if the limits of all targets are known. */
function deepOption(targets: readonly CiTarget[]): string {
  return targets.every(({ canBeDeep }) => canBeDeep) ? ' --deep' : '';
}

/** Whether targets share a key. Their jobs must then run one after the other, because they share the rate limit. */
function shareKeys(targets: readonly CiTarget[]): boolean {
  return new Set(targets.map(({ apiKeyVariable }) => apiKeyVariable)).size < targets.length;
}

/** A name as a YAML string: `1e3` must not become a number. */
function scalar(name: string): string {
  return stringify(name).trim();
}
