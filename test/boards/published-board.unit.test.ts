import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderGithubWorkflow, renderGitlabPipeline } from '../../src/config/ci-jobs.ts';

const TARGETS = ['staging', 'production'].map((name) => ({ name, apiKeyVariable: 'KEY' }));

test('nothing is published unless the user wants it, and only this job may publish', () => {
  const { jobs, permissions } = parse(renderGithubWorkflow(TARGETS));
  expect(jobs.board.if).toContain("vars.PETSPEC_PAGES == 'true'");
  expect(permissions).toEqual({ contents: 'read' });
  const publishing = Object.entries<{ permissions?: { pages?: string } }>(jobs).filter(
    ([, job]) => job.permissions?.pages,
  );
  expect(publishing.map(([name]) => name)).toEqual(['board']);
  expect(parse(renderGitlabPipeline(TARGETS)).pages.rules).toEqual([
    { if: expect.stringContaining('$PETSPEC_PAGES == "true"'), when: 'always' },
  ]);
});
