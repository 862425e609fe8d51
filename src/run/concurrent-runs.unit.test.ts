import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { allChecks } from '../../suites/index.ts';
import { loadContract } from '../contract/load.ts';
import { conductSideBySide, FEW, MAX_AT_ONCE, sharingWindows, startInTurn } from './concurrent-runs.ts';
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

test('a few runs start at once, each further one once the thread has time, one at a time, in order', async () => {
  const idle: (() => void)[] = [];
  const start = startInTurn(() => new Promise((resolve) => idle.push(resolve)));
  let few = 0;
  for (let number = 0; number < FEW; number += 1)
    void start(() => {
      few += 1;
      return new Promise(() => {});
    });
  await turn();
  expect(few).toBe(FEW);
  const started: number[] = [];
  for (const number of [1, 2, 3])
    void start(() => {
      started.push(number);
      return new Promise(() => {});
    });
  for (const expected of [[1], [1, 2], [1, 2, 3]]) {
    await turn();
    expect(idle).toHaveLength(1);
    idle.pop()?.();
    await turn();
    expect(started).toEqual(expected);
  }
});

test('only so many runs go on at a time; each that ends lets another one start, also if it fails', async () => {
  const start = startInTurn(async () => {});
  const runs: { end: () => void; fail: (error: Error) => void }[] = [];
  const run = () => new Promise<void>((end, fail) => runs.push({ end, fail }));
  const ends = Array.from({ length: MAX_AT_ONCE + 3 }, () => start(run));
  await turn();
  expect(runs).toHaveLength(MAX_AT_ONCE);
  runs[0]?.end();
  runs[1]?.fail(new Error('a bug'));
  await expect(ends[1]).rejects.toThrow('a bug');
  await turn();
  expect(runs).toHaveLength(MAX_AT_ONCE + 2);
  for (const each of runs.slice(2)) each.end();
  await turn();
  for (const each of runs.slice(2)) each.end();
  await Promise.all(ends.toSpliced(1, 1));
});
