import { type CiTarget, INSTALL, NODE, PETSPEC, requirePetspec, scalar, shareKeys } from './ci-target.ts';

/** The file with the jobs, and the one that includes it. */
export const GITLAB_FILE = 'petspec.gitlab-ci.yml';
export const GITLAB_MAIN_FILE = '.gitlab-ci.yml';

const SETUP = `    - ${requirePetspec()}\n    - ${INSTALL}\n`;

/** A .gitlab-ci.yml that only includes the jobs. */
export const GITLAB_INCLUDE = `include:\n  - local: ${GITLAB_FILE}\n`;

/**
 * GitLab CI jobs that judge the targets of a configuration. With several targets, there is a job for each, and one that
 * compares their reports.
 */
export function renderGitlabPipeline(targets: readonly CiTarget[]): string {
  const isSeveral = targets.length > 1;
  const matrix = targets.map(({ name }) => `      - TARGET: ${scalar(name)}\n`).join('');
  const target = isSeveral ? '$TARGET' : (targets[0]?.name ?? '');
  const group = shareKeys(targets) ? 'petspec' : `petspec-${target}`;
  return `# Runs petspec against the targets of petspec.config.yaml. The API keys are masked variables of this project.
petspec:
  image: node:${NODE}
${isSeveral ? `  parallel:\n    matrix:\n${matrix}` : ''}  # Two jobs with the same key would use up each other's rate limit.
  resource_group: ${group}
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  script:
${SETUP}    - ${PETSPEC} run "${target}" --out "reports/${target}"
  artifacts:
    when: always
    paths:
      - reports
    reports:
      junit: reports/*/junit.xml
${isSeveral ? compareJob() : ''}`;
}

function compareJob(): string {
  return `petspec-compare:
  image: node:${NODE}
  needs:
    - petspec
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
      when: always
  script:
${SETUP}    - ${PETSPEC} compare reports/*/report.json
    - ${PETSPEC} compare reports/*/report.json --format html > comparison.html
  artifacts:
    paths:
      - comparison.html
`;
}
