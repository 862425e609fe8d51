import { expect, test } from 'vitest';
import { isExplained, MINUTE, type Seen } from '../../../test/limiters/limiter-states.ts';
import { inLotsOf, MODELS } from './index.ts';

/** The limit is used up at once. Two come back after ten seconds, and two after twenty. */
const inBucket: readonly Seen[] = [
  { at: 0, weight: 12, remaining: 0 },
  { at: 9.9, weight: 0, remaining: 0 },
  { at: 10.1, remaining: 1 },
  { at: 19.9, weight: 0, remaining: 1 },
  { at: 20.1, remaining: 2 },
];
/** Two are used in one piece of the window and three in the next. They come back together a minute later. */
const inWindow: readonly Seen[] = [
  { at: 0, remaining: 11 },
  { at: 9, remaining: 10 },
  { at: 11, weight: 3, remaining: 7 },
  { at: 59.9, weight: 0, remaining: 7 },
  { at: 60.1, weight: 0, remaining: 9 },
  { at: 69.9, weight: 0, remaining: 9 },
  { at: 70.1, weight: 0, remaining: 12 },
];

const explaining = (models: typeof MODELS, seen: readonly Seen[]) =>
  models.filter((model) => isExplained(model, seen)).map(({ name }) => name);

test.each<[what: string, seen: readonly Seen[], name: string]>([
  ['a bucket that gets two at a time', inBucket, 'token bucket, refilled in 6 lots'],
  ['a window that counts in pieces', inWindow, 'sliding window in 6 segments'],
])('%s is explained as nothing else', (_what, seen, name) => {
  expect(explaining(inLotsOf(MINUTE), seen)).toEqual([name]);
  expect(explaining(MODELS, seen)).toEqual([]);
});

test('none is tried for a day', () => {
  expect(inLotsOf({ ...MINUTE, windowMs: 86_400_000 })).toEqual([]);
});
