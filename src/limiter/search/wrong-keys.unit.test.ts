import { expect, test } from 'vitest';
import { observed, type Seen } from '../../../test/limiters/limiter-states.ts';
import { seemsCounted } from './wrong-keys.ts';

const wrongKeys = (count: number): Seen[] =>
  Array.from({ length: count }, () => ({
    at: 0,
    kind: 'a rejected key, listPets',
    exchange: { key: 'absent' },
  }));
const told = (remaining: number, change: Partial<Seen> = {}): Seen => ({ at: 0, remaining, ...change });

test.each<[what: string, seen: readonly Seen[], expected: boolean]>([
  ['as Remaining falls by more than the others took', [told(9), ...wrongKeys(4), told(4)], true],
  ['not if there are few', [told(9), ...wrongKeys(3), told(5)], false],
  ['not if it falls by what the others took', [told(9), ...wrongKeys(4), told(8)], false],
  ['if it falls by most of that', [told(9), ...wrongKeys(4), told(5)], true],
  ['not if it falls by half of that', [told(9), ...wrongKeys(4), told(6)], false],
  ['not by what came after a rise', [told(9), told(2), told(9), ...wrongKeys(4), told(8)], false],
  [
    'not if it falls by what the others took at another time',
    [told(9), ...wrongKeys(4), told(8), told(20), ...wrongKeys(5), told(14)],
    false,
  ],
  [
    'whichever of several at a time was counted first',
    [told(9), ...wrongKeys(4), told(3), told(4, { beside: 1 })],
    true,
  ],
  ['not by what was counted beside', [told(9), ...wrongKeys(4), told(4, { beside: 2 })], false],
  ['not if nothing is told', wrongKeys(4), false],
])('requests with a wrong key seem to count: %s', (_what, seen, expected) => {
  expect(seemsCounted(seen.map(observed))).toBe(expected);
});
