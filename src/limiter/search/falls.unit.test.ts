import { expect, test } from 'vitest';
import { observed, type Seen } from '../../../test/limiters/limiter-states.ts';
import { fallsAlone, seemsCounted, usualFall } from './falls.ts';

const observations = (...seen: readonly Seen[]) => seen.map((each) => observed({ kind: 'list', ...each }));

test('what a kind of request takes off is what Remaining falls by as a rule', () => {
  const falls = fallsAlone(
    observations(
      { at: 0, remaining: 50 },
      { at: 0.1, remaining: 41 },
      { at: 0.2, remaining: 32 },
      { at: 0.3, remaining: 30, kind: 'read' },
      { at: 0.4, remaining: 22 },
    ),
  );
  expect(falls.ofKind.get('list')).toEqual([9, 9, 8]);
  expect([usualFall(falls, 'list', 'listPets'), usualFall(falls, 'read', 'listPets')]).toEqual([9, 2]);
});

test.each<[what: string, second: Seen]>([
  ['after a pause a window may have ended', { at: 5, remaining: 41 }],
  ['a new window has more left', { at: 0.1, remaining: 59 }],
  ['a refusal takes nothing', { at: 0.1, remaining: 50, outcome: 'refused' }],
  ['a response may not tell', { at: 0.1 }],
])('%s', (_what, second) => {
  expect(fallsAlone(observations({ at: 0, remaining: 50 }, second)).ofKind.size).toBe(0);
});

test('those of a burst show nothing of one request', () => {
  const [first, second] = observations({ at: 0, remaining: 50 }, { at: 0.1, remaining: 41 });
  const inBurst = [first, second].flatMap((each) =>
    each ? [{ ...each, exchange: { ...each.exchange, burst: 'beside' as const } }] : [],
  );
  expect(fallsAlone(inBurst).ofKind.size).toBe(0);
});

test('a kind that was never sent alone takes what its operation takes', () => {
  const falls = fallsAlone(observations({ at: 0, remaining: 50 }, { at: 0.1, remaining: 48 }));
  const { operation } = observed({ at: 0 }).exchange;
  expect(usualFall(falls, 'unknown', operation)).toBe(2);
  expect(usualFall(falls, 'unknown', 'another')).toBeUndefined();
});

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
