import { describe, expect, test } from 'vitest';
import type { AlgorithmName, LimiterSettings } from '../../src/reference/settings.ts';
import { loggedRun } from '../economy/logged-run.ts';

const free = { plan: { minute: 60, day: 1_000 }, options: { plan: 'free' } };

const conforms = async (
  seconds: number,
  algorithm: AlgorithmName,
  limiter: Partial<LimiterSettings> = {},
) => {
  const { violated } = await loggedRun({
    ...free,
    limiter: { algorithm, windows: 'minute', minute: seconds * 1_000, ...limiter },
  });
  expect(violated).toEqual([]);
};

/** Each kind that gives back requests in a way of its own, with windows that are not a minute. */
describe('a limiter conforms however long its window is', () => {
  test.each<[AlgorithmName, readonly number[]]>([
    ['fixed-window', [2, 120]],
    ['sliding-log', [3, 3_600]],
    ['token-bucket', [5, 30]],
    ['token-bucket-in-lots', [10]],
    ['gcra', [7]],
    ['sliding-counter', [20]],
    ['whole-sliding-counter', [5]],
    ['sliding-segments', [10]],
  ])('%s: %j s', async (algorithm, lengths) => {
    for (const seconds of lengths) await conforms(seconds, algorithm);
  });
});

/** A length that is not a minute goes with every way to count that the interface leaves open. */
describe('a limiter with a short window conforms whatever it counts together', () => {
  test.each<[what: string, seconds: number, AlgorithmName, Partial<LimiterSettings>]>([
    ['each path', 10, 'token-bucket', { scope: 'key-and-path' }],
    ['reads and writes apart', 30, 'gcra', { scope: 'key-and-method' }],
    ['lists apart from all else', 10, 'sliding-counter', { apart: ['listPets'] }],
    ['the deprecated operation apart', 5, 'sliding-counter', { apart: ['getPet'], messages: 'shared' }],
  ])('%s: %i s, %s', (_what, seconds, algorithm, limiter) => conforms(seconds, algorithm, limiter));
});
