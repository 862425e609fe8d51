import { describe, expect, test } from 'vitest';
import {
  explainedRemaining,
  isExplained,
  refused,
  type Seen,
  statesAfter,
} from '../../../test/limiters/limiter-states.ts';
import { twoNodes } from './fixed-window.ts';
import type { State } from './model.ts';

const remainingAfter = (seen: readonly Seen[], next: Seen) => explainedRemaining(twoNodes, seen, next);
const stateOf = (...seen: Seen[]) => (statesAfter(twoNodes, seen) as readonly State[])[0] as State;

/** One node let one through, and then the other did, which has not learnt of it. */
const first: Seen = { at: 0, remaining: 11, reset: [30, 30] };
const both: readonly Seen[] = [first, { ...first, at: 1 }];

test('it is a rare fixed window, in which every request counts', () => {
  const { name, surprise, counting } = twoNodes;
  expect([name, surprise, counting]).toEqual(['fixed window, counted by two nodes', 6, 'every']);
});

describe('what a node says', () => {
  test.each<[what: string, seen: readonly Seen[], next: Seen, expected: number[]]>([
    ['the other one has not learnt of the first', [first], { at: 1 }, [5, 6, 7, 8, 9, 10, 11]],
    ['each has counted its own', both, { at: 2 }, [5, 6, 7, 8, 9, 10]],
    ['a request that takes nothing', both, { at: 2, weight: 0 }, [6, 7, 8, 9, 10, 11]],
    ['only a node that counted one has anything to say', [first], { at: 1, weight: 0 }, [6, 7, 8, 9, 10, 11]],
    [
      'others may have been counted by it',
      [first],
      { at: 1, weight: 0, others: 1 },
      [5, 6, 7, 8, 9, 10, 11, 12],
    ],
    ['a new window begins with the limit', both, { at: 31 }, [11]],
    ['its first response may not tell', [...both, { at: 31 }], { at: 32 }, [10, 11]],
  ])('%s', (_what, seen, next, expected) => {
    expect(remainingAfter(seen, next)).toEqual(expected);
  });

  test('is at most what it or the window has left', () => {
    expect(statesAfter(twoNodes, [...both, { at: 2, remaining: 11 }])).toEqual({
      kind: 'remaining',
      expected: { lo: 5, hi: 10 },
    });
    const last: Seen = { ...first, weight: 11, remaining: 1 };
    expect(statesAfter(twoNodes, [last, { at: 1, remaining: 1 }])).toEqual({
      kind: 'remaining',
      expected: { lo: 0, hi: 0 },
    });
  });

  test('is at most what it said before, of two the one that fits', () => {
    // One says 10 and the other 8: then 9 is what the first one says next, and 7 what either may.
    const apart: Seen[] = [
      { ...first, remaining: 8 },
      { ...first, at: 1, remaining: 10 },
    ];
    expect(isExplained(twoNodes, [...apart, { at: 2, remaining: 9 }, { at: 3, remaining: 7 }])).toBe(true);
    expect(isExplained(twoNodes, [...apart, { at: 2, remaining: 9 }, { at: 3, remaining: 9 }])).toBe(false);
    expect(isExplained(twoNodes, [...apart, { at: 2, remaining: 7 }, { at: 3, remaining: 9 }])).toBe(true);
    expect(isExplained(twoNodes, [...apart, { at: 2, remaining: 7 }, { at: 3, remaining: 8 }])).toBe(true);
  });

  test('a refusal takes nothing', () => {
    // Each node says that two are left when one is.
    const used: Seen[] = [
      { ...first, weight: 10, remaining: 2 },
      { at: 1, remaining: 2 },
      { at: 2, remaining: 0 },
    ];
    const none = { remaining: 0 };
    expect(isExplained(twoNodes, [...used, refused(3, none), refused(4, none), refused(5)])).toBe(true);
    expect(statesAfter(twoNodes, [first, refused(1)])).toEqual({
      kind: 'refused',
      expected: { lo: 6, hi: 11 },
    });
  });
});

describe('what is known', () => {
  const lost: Seen = { at: 0, weight: 0, outcome: 'unknown' };
  const none = stateOf(lost);
  const one = stateOf(first);
  const later = stateOf(first, { at: 0, weight: 0, remaining: 10 });
  const second = stateOf({ ...first, remaining: 8 }, { ...first, remaining: 10 });
  const untold = stateOf({ ...first, remaining: 8 }, { at: 0 });

  test('has a key of its own', () => {
    const states = [none, one, later, second, untold];
    expect(new Set(states.map(({ key }) => key)).size).toBe(states.length);
  });
});
