import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FEW, MAX_AT_ONCE, startInTurn } from './concurrent-runs.ts';

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
