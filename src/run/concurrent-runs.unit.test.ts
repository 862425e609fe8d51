import { expect, test } from 'vitest';
import { allChecks } from '../../suites/index.ts';
import { loadContract } from '../contract/load.ts';
import { conductSideBySide, sharingWindows } from './concurrent-runs.ts';
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

test('runs with the same key at the same origin leave the next window to each other, others use it', () => {
  const at = (baseUrl: string, apiKey: string, more = {}) => ({
    ...DEFAULT_OPTIONS,
    baseUrl,
    apiKey,
    ...more,
  });
  const shared = sharingWindows([
    at('https://one.example/v1', 'key-a'),
    at('https://one.example/v2', 'key-a'),
    at('https://one.example/v1', 'key-b'),
    at('https://two.example/v1', 'key-a'),
    at('https://three.example/v1', 'key-c', { apiUrl: 'https://four.example' }),
    at('https://four.example/v1', 'key-c', { budget: 600 }),
  ]);
  expect(shared.map(({ frugal }) => frugal)).toEqual([true, true, undefined, undefined, true, undefined]);
});
