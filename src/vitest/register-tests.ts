// A run under vitest registers its tests with this alone: it loads no reference.
import type * as vitest from 'vitest';
import type { TestContext } from 'vitest';
import type { Contract, Requirement } from '../model/contract.ts';
import { groupedBy } from '../model/large/lookups.ts';
import { visible } from '../model/visible.ts';
import { whyNotJudged } from '../report/facts/verdict.ts';
import { annotations, explain } from '../report/text/explain.ts';
import type { Interface } from '../run/contract-of.ts';
import { type Job, type JobResult, recordOf, type TestMeta } from '../run/job.ts';
import type { RunPlan } from '../run/plan.ts';

/** What registers tests: vitest, or its runner. */
type TestApi = Pick<typeof vitest, 'afterAll' | 'beforeAll' | 'describe' | 'test'>;

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
  // Frees the exchanges: they are in the ledger, and the runner keeps the tests with all that they refer to.
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

/**
 * Registers a test for each requirement of a plan, in a `describe` for each section of the interface.
 * @param vitest the vitest that runs the calling file
 * @param body throws if the requirement is violated
 */
export function registerRequirements(
  { describe, test }: Pick<typeof import('vitest'), 'describe' | 'test'>,
  contract: Contract,
  plan: Pick<RunPlan, 'checks'>,
  body: (requirement: Requirement, context: TestContext) => void | Promise<void>,
): void {
  const planned = new Set(plan.checks.map(({ requirement }) => requirement));
  const requirements = contract.requirements.filter(({ id }) => planned.has(id));
  for (const [section, members] of groupedBy(requirements, (requirement) => requirement.section))
    describe(section, () => {
      for (const requirement of members)
        test(`${requirement.id}: ${requirement.statement}`, (context) => body(requirement, context));
    });
}
