import * as vitest from 'vitest';
import { inTurns } from '../../model/large/steps.ts';
import { visible } from '../../model/visible.ts';
import { annotations, explain } from '../../report/text/explain.ts';
import { whyNotJudged } from '../../report/verdict.ts';
import { interfaceOf } from '../../run/contract-of.ts';
import { conductJob, type Job, recordOf, type TestMeta } from '../../run/job.ts';
import type { Conducted } from '../../run/judge-outcome.ts';
import { DEFAULT_OPTIONS } from '../../run/options.ts';
import { type Prepared, preparedFor } from '../../run/plan/prepared.ts';
import { planning } from '../../run/plan.ts';
import { registerRequirements } from '../register.ts';

// The tests of `petspec run`. The plan is executed once, before the first of them.
const job: Job = vitest.inject('job') ?? { options: DEFAULT_OPTIONS };
const { contract, checks, plan } = preparedFor(job.run) ?? (await prepared());
let conducted: Conducted;

async function prepared(): Promise<Prepared> {
  const judging = await interfaceOf(job.options);
  return { ...judging, plan: await inTurns(planning(judging.contract, judging.checks, job.options)) };
}

vitest.beforeAll(async () => {
  conducted = await conductJob(contract, plan, job);
}, 0);

// What was received is in the ledger, and vitest keeps the tests and what they hold to the end.
vitest.afterAll(() => {
  conducted = { ...conducted, exchanges: [] };
});

vitest.test('the plan is executed', ({ task }) => {
  Object.assign(task.meta, { run: recordOf(contract, checks, plan, job, conducted) } satisfies TestMeta);
});

registerRequirements(vitest, contract, plan, async (requirement, { task, skip, annotate }) => {
  const finding = conducted.findings[requirement.id];
  if (!finding) throw new Error(`requirement '${requirement.id}' has no finding`);
  Object.assign(task.meta, { requirement: requirement.id, finding } satisfies TestMeta);
  if (job.isResumed)
    for (const [text, kind] of annotations(requirement, finding, conducted)) await annotate(text, kind);
  if (finding.status === 'violated') throw new Error(explain(requirement, finding));
  const why = whyNotJudged(finding);
  if (why !== undefined) skip(visible(why));
});
