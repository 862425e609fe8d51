import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { packageRoot } from '../model/package-root.ts';

/** A target for a CI service. Neither text has a character that is special in a shell. */
export interface CiTarget {
  name: string;
  apiKeyVariable: string;
}

/** The path of the workflow of GitHub Actions. */
export const GITHUB_FILE = '.github/workflows/petspec.yml';

/** The file with the jobs of GitLab CI, and the one that includes it. */
export const GITLAB_FILE = 'petspec.gitlab-ci.yml';
export const GITLAB_MAIN_FILE = '.gitlab-ci.yml';

/** A .gitlab-ci.yml that only includes the jobs. */
export const GITLAB_INCLUDE = `include:\n  - local: ${GITLAB_FILE}\n`;

/**
 * A GitHub Actions workflow that judges the targets of a configuration. With several targets, there is a job for each,
 * and one that compares their reports. The last job publishes the board of their runs, if the user wants it.
 */
export function renderGithubWorkflow(targets: readonly CiTarget[]): string {
  return judgingWorkflow(targets) + filled('github-board.yml', {});
}

function judgingWorkflow(targets: readonly CiTarget[]): string {
  const [first] = targets;
  if (first && targets.length === 1)
    return filled('github-one.yml', { target: first.name, variable: first.apiKeyVariable });
  const entries = targets.map(
    ({ name, apiKeyVariable }) => `- target: ${scalar(name)}\n            variable: ${apiKeyVariable}`,
  );
  const workflow = filled('github-several.yml', { targets: entries.join('\n          ') });
  return shareKeys(targets) ? workflow : workflow.replace(/ *# Some targets share a key\.\n.*\n/, '');
}

/**
 * GitLab CI jobs that judge the targets of a configuration. With several targets, there is a job for each, and one that
 * compares their reports. The last job publishes the board of their runs, if the user wants it.
 */
export function renderGitlabPipeline(targets: readonly CiTarget[]): string {
  return judgingJobs(targets) + filled('gitlab-board.yml', {});
}

function judgingJobs(targets: readonly CiTarget[]): string {
  const [first] = targets;
  if (first && targets.length === 1)
    return filled('gitlab-one.yml', { target: first.name, group: `petspec-${first.name}` });
  const entries = targets.map(({ name }) => `- TARGET: ${scalar(name)}`);
  return filled('gitlab-several.yml', {
    targets: entries.join('\n      '),
    group: shareKeys(targets) ? 'petspec' : 'petspec-$TARGET',
  });
}

/**
 * A template with a text in place of each `<name>`. The jobs install the petspec of the project's lockfile, never one
 * from a registry, and run no scripts then, because a key may be in the environment. Actions are pinned to a commit,
 * because a tag can move.
 */
function filled(template: string, texts: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(packageRoot, 'assets', 'ci', template), 'utf8');
  return text.replace(/<(\w+)>/g, (placeholder, name: string) => texts[name] ?? placeholder);
}

/** Whether targets share a key. Their jobs must then run one after the other, because they share the rate limit. */
function shareKeys(targets: readonly CiTarget[]): boolean {
  return new Set(targets.map(({ apiKeyVariable }) => apiKeyVariable)).size < targets.length;
}

/** A name as a YAML string: `1e3` must not become a number. */
function scalar(name: string): string {
  return stringify(name).trim();
}
