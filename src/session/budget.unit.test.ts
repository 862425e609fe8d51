import { expect, test } from 'vitest';
import { countsAs, mostToExhaust, openBudget } from './budget.ts';

test('no more is spent of a kind than there is', () => {
  const budget = openBudget({ withKey: 2, wrongKeys: 1, messages: 0 });
  expect([budget.spend('withKey'), budget.spend('withKey'), budget.spend('withKey')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(budget.spend('wrongKeys')).toBe(true);
  expect(budget.spend('messages')).toBe(false);
  expect(budget.left('withKey')).toBe(0);
});

test('what is lowered counts what was spent before, and is never raised', () => {
  const budget = openBudget({ withKey: 100, wrongKeys: 0, messages: 0 });
  for (let sent = 0; sent < 10; sent += 1) budget.spend('withKey');
  budget.lower('withKey', 15);
  expect(budget.left('withKey')).toBe(5);
  budget.lower('withKey', 1_000);
  expect(budget.left('withKey')).toBe(5);
  budget.lower('withKey', 3);
  expect(budget.left('withKey')).toBe(0);
});

test('a message counts as that, whatever its key', () => {
  expect(countsAs('apiUrl', 'absent')).toBe('messages');
  expect(countsAs('baseUrl', 'absent')).toBe('wrongKeys');
  expect(countsAs('baseUrl', 'valid')).toBe('withKey');
});

test('a limit takes two requests beyond it, and the larger of what came before and what refills', () => {
  expect(mostToExhaust(49, 60)).toBe(111);
  expect(mostToExhaust(49, 1_000)).toBe(1_502);
  expect(mostToExhaust(0, 5)).toBe(10);
});
