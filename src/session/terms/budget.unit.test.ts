import { expect, test } from 'vitest';
import { countsAs, mostToExhaust, openBudget } from './budget.ts';

test('a budget allows as many requests of each kind as it has', () => {
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

test('lowering a budget counts earlier requests, and never raises it', () => {
  const budget = openBudget({ withKey: 100, wrongKeys: 0, messages: 0 });
  for (let sent = 0; sent < 10; sent += 1) budget.spend('withKey');
  budget.lower('withKey', 15);
  expect(budget.left('withKey')).toBe(5);
  budget.lower('withKey', 1_000);
  expect(budget.left('withKey')).toBe(5);
  budget.lower('withKey', 3);
  expect(budget.left('withKey')).toBe(0);
});

test('a message counts as a message, whatever its key', () => {
  expect(countsAs('apiUrl', 'absent')).toBe('messages');
  expect(countsAs('baseUrl', 'absent')).toBe('wrongKeys');
  expect(countsAs('baseUrl', 'valid')).toBe('withKey');
});

test('using up a limit takes two requests more, and those of the plan and of taking apart, or of the refill', () => {
  expect(mostToExhaust(49, 60)).toBe(60 + 2 + 49 + 16);
  expect(mostToExhaust(49, 1_000)).toBe(1_502);
  expect(mostToExhaust(0, 5)).toBe(5 + 2 + 16);
});

test('requests for the time after the recovery cannot be sent before it', () => {
  const budget = openBudget(
    { withKey: 3, wrongKeys: 0, messages: 0 },
    { withKey: 2, wrongKeys: 0, messages: 0 },
  );
  expect([budget.spend('withKey'), budget.spend('withKey'), budget.reserved('withKey')]).toEqual([
    true,
    false,
    2,
  ]);
  budget.release();
  expect([budget.spend('withKey'), budget.reserved('withKey')]).toEqual([true, 0]);
});
