// A run under vitest registers its tests with this alone: it loads no reference.
import type * as vitest from 'vitest';
import { visible } from '../model/visible.ts';
import { annotations, explain } from '../report/text/explain.ts';
import { whyNotJudged } from '../report/verdict.ts';
import type { Interface } from '../run/contract-of.ts';
import { type Job, type JobResult, recordOf, type TestMeta } from '../run/job.ts';
import type { RunPlan } from '../run/plan.ts';
import { registerRequirements } from './register.ts';

/** What registers tests: vitest, or its runner. */
export type TestApi = Pick<typeof vitest, 'afterAll' | 'beforeAll' | 'describe' | 'test'>;

/**
 * Registers the tests of `petspec run`: the plan is executed once, before the first of them. The record of the run and each
 * finding are in the meta of the tests.
 * @param conduct executes the plan
 */
export function registerRun(
  api: TestApi,
  { contract, checks }: Interface,
  plan: RunPlan,
  job: Job,
  conduct: () => Promise<JobResult>,
): void {
  let conducted: JobResult;
  api.beforeAll(async () => {
    conducted = await conduct();
  }, 0);
  // What was received is in the ledger, and whoever runs the tests keeps them and what they hold to the end.
  api.afterAll(() => {
    conducted = { ...conducted, exchanges: [] };
  });
  api.test('the plan is executed', ({ task }) => {
    Object.assign(task.meta, { run: recordOf(contract, checks, plan, job, conducted) } satisfies TestMeta);
  });
  registerRequirements(api, contract, plan, async (requirement, { task, skip, annotate }) => {
    const finding = conducted.findings[requirement.id];
    if (!finding) throw new Error(`requirement '${requirement.id}' has no finding`);
    Object.assign(task.meta, { requirement: requirement.id, finding } satisfies TestMeta);
    if (job.isResumed)
      for (const [text, kind] of annotations(requirement, finding, conducted)) await annotate(text, kind);
    if (finding.status === 'violated') throw new Error(explain(requirement, finding));
    const why = whyNotJudged(finding);
    if (why !== undefined) skip(visible(why));
  });
}
