import { expect, test } from 'vitest';
import { MINUTE, type Seen, statesAfter } from '../../../test/limiters/limiter-states.ts';
import { givenBack, readLate } from './liberties.ts';
import { lotsOf } from './lots.ts';
import type { Model, State } from './model.ts';
import { wholeTokens } from './token-bucket.ts';

const five: Seen = { at: 0, remaining: 5 };
/** Each leaves something else: what is left, or when it was counted. */
const different: readonly Seen[] = [five, { ...five, remaining: 6 }, { ...five, until: 2 }];
/** By Reset, the next request comes back then, or all of them. */
const byReset: readonly Seen[] = [
  { ...five, reset: [5, 5] },
  { ...five, reset: [33, 33] },
];
/** By Reset, the next lot comes then, or the last of four, so that the next one comes at 9 s. */
const byNextLot: readonly Seen[] = [
  { ...five, reset: [8, 8] },
  { ...five, reset: [39, 39] },
];

test.each<[name: string, model: Model, seen: readonly Seen[]]>([
  ['bucket with lots', lotsOf(MINUTE)[6] as Model, [...different, ...byNextLot]],
  ['bucket that gives back', givenBack[2] as Model, [...different, ...byReset]],
  ['bucket that is read late', readLate[2] as Model, [...different, ...byReset]],
  ['bucket of whole tokens', wholeTokens, different],
])('what is known of a %s has a key of its own', (_name, model, seen) => {
  const keys = seen.map((each) => (statesAfter(model, [each]) as readonly State[])[0]?.key);
  expect(new Set(keys).size).toBe(seen.length);
});
