import { expect, test } from 'vitest';
import { atOnce, inTurns, type Steps } from './steps.ts';

/** Works until somebody else had a turn, or for ever. */
function* untilHeard(heard: () => boolean, most: number): Steps<number> {
  let steps = 0;
  while (!heard() && steps < most) {
    steps += 1;
    yield;
  }
  return steps;
}

test('between steps, others have their turn: an interruption is heard', async () => {
  const interruption = new AbortController();
  setImmediate(() => interruption.abort());
  await inTurns(untilHeard(() => interruption.signal.aborted, Number.POSITIVE_INFINITY));
  expect(interruption.signal.aborted).toBe(true);
});

test('at once, nobody has', () => {
  const interruption = new AbortController();
  setImmediate(() => interruption.abort());
  expect(atOnce(untilHeard(() => interruption.signal.aborted, 1_000))).toBe(1_000);
});
