import type { VitestRunner } from '@vitest/runner';
import { packageRoot } from '../model/package-root.ts';
import type { Interface } from '../run/contract-of.ts';
import { conductWatched, type Job, type TestMeta, type Watch } from '../run/job.ts';
import type { RunPlan } from '../run/plan.ts';
import { registerRun } from './register-tests.ts';

/** Conducts a run of one target. @returns the findings of the run; its exchanges are in the ledger */
export type Conductor = (
  judging: Interface,
  plan: RunPlan,
  job: Job,
  watch: Pick<Watch, 'onEvent' | 'signal'>,
) => Promise<NonNullable<TestMeta['run']>>;

/** Neither the user's configuration nor time limits: a run has its own. */
const CONFIG: VitestRunner['config'] = {
  root: packageRoot,
  name: undefined,
  setupFiles: [],
  passWithNoTests: false,
  allowOnly: false,
  testNamePattern: undefined,
  sequence: { seed: 0, hooks: 'stack', setupFiles: 'list' },
  chaiConfig: undefined,
  maxConcurrency: 1,
  testTimeout: 0,
  hookTimeout: 0,
  retry: 0,
  includeTaskLocation: undefined,
  tags: [],
  tagsFilter: undefined,
  strictTags: false,
};

/**
 * Runs the conformance suite with vitest's runner, in this thread. The rest of vitest, which takes half a second to load, is for
 * files to transform, workers, and the pages of `--ui`.
 * @throws Error if a test failed for any reason but a violation, which is a bug of petspec
 */
export const runInVitest: Conductor = async (judging, plan, job, watch) => {
  const [{ startTests, ...api }, { getTests }] = await Promise.all([
    import('@vitest/runner'),
    import('@vitest/runner/utils'),
  ]);
  const files = await startTests(['conformance'], {
    config: CONFIG,
    importFile: () =>
      registerRun(api, judging, plan, job, () => conductWatched(judging.contract, plan, job, watch)),
  });
  const tests = getTests(files);
  const metaOf = ({ meta }: { meta: object }): TestMeta => meta;
  const record = tests.map(metaOf).find(({ run }) => run)?.run;
  // A violated requirement fails its test on purpose. Any other failure is a bug of petspec.
  const failed = tests.filter((test) => metaOf(test).finding?.status !== 'violated');
  const errors = [...files, ...failed].flatMap(({ result }) => result?.errors ?? []);
  if (errors.length > 0 || !record) throw new Error(errors[0]?.message ?? 'the run returned no result');
  return record;
};
