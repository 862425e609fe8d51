import { describe, expect, test } from 'vitest';
import {
  explainedRemaining,
  MINUTE,
  observed,
  type Seen,
  statesAfter,
} from '../../../../../test/limiters/limiter-states.ts';
import { gradual } from './gradual.ts';
import type { State } from './model.ts';
import { ROUNDINGS } from './rounding.ts';

const { down } = gradual;
const first: Seen = { at: 10, remaining: 5 };
const from = (least: number, most: number) =>
  Array.from({ length: most - least + 1 }, (_, index) => least + index);

test('it stands for all that round alike', () => {
  for (const rounding of ROUNDINGS) {
    const { name, surprise, counting, isGradual } = gradual[rounding];
    expect([name, surprise, counting, isGradual]).toEqual([
      expect.stringContaining(rounding),
      0,
      'any',
      true,
    ]);
  }
});

describe('what is left', () => {
  test.each<[what: string, next: Seen, expected: number[]]>([
    // Less than six were left, one is taken, and one comes back in five seconds.
    ['at once', { at: 10 }, [4]],
    ['after twenty seconds', { at: 30 }, from(4, 8)],
    // A counter of whole requests forgets one more when a window ends.
    ['after ten minutes', { at: 600 }, from(4, 12)],
    ['earlier, as requests may be counted in another order', { at: 5 }, [4]],
    ['after others used two', { at: 30, others: 2 }, from(2, 8)],
    ['after others used any', { at: 30, others: 50 }, from(0, 8)],
  ])('%s', (_what, next, expected) => {
    expect(explainedRemaining(down, [first], next)).toEqual(expected);
  });

  test('with a burst, which Remaining may include', () => {
    expect(explainedRemaining(down, [first], { at: 600 }, { ...MINUTE, burst: 3 })).toEqual(from(1, 15));
  });

  test('and the misfit says so', () => {
    expect(statesAfter(down, [first, { at: 30, remaining: 9 }])).toEqual({
      kind: 'remaining',
      expected: { lo: 4, hi: 8 },
    });
  });
});

test('what is known of what is left, and when, covers what may follow from more', () => {
  const [begun] = down.start(MINUTE, observed({ at: 0 })) as [State];
  const stateAfter = (seen: Seen) => (begun.follow(observed(seen), 0) as readonly State[])[0] as State;
  const [any, later, told] = [
    stateAfter({ at: 0 }),
    stateAfter({ at: 5 }),
    stateAfter({ at: 0, remaining: 5 }),
  ];
  for (const less of [later, told]) {
    expect([any.covers(any), any.covers(less), less.covers(any)]).toEqual([true, true, false]);
    expect(less.key).not.toBe(any.key);
  }
});
