import { expect, test } from 'vitest';
import { observed, type Seen } from '../../../test/limiters/limiter-states.ts';
import { fallsAlone, usualFall } from './falls.ts';

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
