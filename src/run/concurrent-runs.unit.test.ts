import { expect, test } from 'vitest';
import { allChecks } from '../../suites/index.ts';
import { loadContract } from '../contract/load.ts';
import { conductSideBySide } from './concurrent-runs.ts';
import { DEFAULT_OPTIONS } from './options.ts';
import { makePlan, type RunPlan } from './plan.ts';

const contract = loadContract();
const checks = allChecks(contract);
const judging = { contract, checks };

test('a bug of petspec in one run is reported, and the other runs finish', async () => {
  const options = { ...DEFAULT_OPTIONS, only: ['listPets.200'] };
  const plan = makePlan(contract, checks, options);
  const failing: RunPlan = {
    ...plan,
    checks: plan.checks.map((check) => ({
      ...check,
      judge: () => {
        throw new Error('a check that throws');
      },
    })),
  };
  const ends = new Map<string, unknown>();
  await conductSideBySide(
    [
      { name: 'one', judging, plan, job: { options } },
      { name: 'failing', judging, plan: failing, job: { options } },
      { name: 'other', judging, plan, job: { options } },
    ],
    { onEvent: () => {}, onHeldBack: () => {}, signal: new AbortController().signal },
    async ({ name }, result) => {
      ends.set(name, result instanceof Error ? result.message : result.findings['listPets.200']?.status);
    },
  );
  expect(Object.fromEntries(ends)).toEqual({ one: 'met', failing: 'a check that throws', other: 'met' });
});
