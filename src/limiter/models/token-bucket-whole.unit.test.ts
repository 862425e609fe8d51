import { expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import { isMisfit, type Observation, type State } from './model.ts';
import { wholeTokens } from './token-bucket.ts';

const FIGURES = { limit: 20, windowMs: 10_000, burst: 0 };

function read(at: number, change: Partial<Observation>): Observation {
  return {
    exchange: exchange(),
    at: { lo: at, hi: at + 1 },
    kind: 'read',
    outcome: 'let-through',
    others: 0,
    held: 0,
    beside: 0,
    ...change,
  };
}

/** Whether the model explains these reads, each of which takes one. */
function explains(reads: readonly Observation[]): boolean {
  const [first] = reads;
  let states: readonly State[] = first ? wholeTokens.start(FIGURES, first) : [];
  for (const each of reads)
    states = states.flatMap((state) => {
      const next = state.follow(each, 1);
      return isMisfit(next) ? [] : next;
    });
  return states.length > 0;
}

/** Reads that come faster than two a second, until none is left. */
const used = Array.from({ length: 20 }, (_, index) => read(400 * index, { remaining: 19 - index }));

test('reads that come faster than the rate get nothing back, and after a pause all that the time gives', () => {
  const refused = read(7_900, { outcome: 'refused' });
  expect(explains([...used, refused, read(12_650, { remaining: 9 })])).toBe(true);
});

test('but a slow read that gets nothing back is not explained', () => {
  expect(explains([read(0, { remaining: 5 }), read(5_000, { remaining: 4 })])).toBe(false);
});

test('and neither is one that gets back more', () => {
  expect(explains([read(0, { remaining: 5 }), read(400, { remaining: 6 })])).toBe(false);
});

test('a limiter that tells a Reset is another', () => {
  expect(wholeTokens.isPossible?.([read(0, { reset: { lo: 0, hi: 1 } })])).toBe(false);
});
