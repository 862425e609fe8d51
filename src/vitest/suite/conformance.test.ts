import * as vitest from 'vitest';
import { inTurns } from '../../model/large/steps.ts';
import { interfaceOf } from '../../run/contract-of.ts';
import { conductWatched, type Job } from '../../run/job.ts';
import { DEFAULT_OPTIONS } from '../../run/options.ts';
import { planning } from '../../run/plan.ts';
import { registerRun } from '../register-tests.ts';

// The tests of `petspec run --ui`, and the conformance tests of petspec itself.
const job: Job = vitest.inject('job') ?? { options: DEFAULT_OPTIONS };
const judging = await interfaceOf(job.options);
const plan = await inTurns(planning(judging.contract, judging.checks, job.options));
const { signal } = new AbortController();

registerRun(vitest, judging, plan, job, () =>
  conductWatched(judging.contract, plan, job, { onEvent() {}, signal }),
);
