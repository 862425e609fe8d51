import { describe, expect, test } from 'vitest';
import { type Answer, falling, shown } from '../../../../test/limiters/limited-runs.ts';
import { idsOf } from '../../evidence/check.ts';
import { answered, answeredWithAnyKey, isShared, nothingToJudge, violatedByExchange } from './evidence.ts';

test('what was answered with the key, and with any', () => {
  const failure = { kind: 'reset', phase: 'headers', message: 'connection reset' } as const;
  const varied = { variation: 'forwarded-for', remaining: 8 } as const;
  const evidence = shown([
    { key: 'absent', status: 401 },
    { remaining: 9 },
    { status: 500 },
    varied,
    { failure },
  ]);
  expect(idsOf(answered(evidence))).toEqual([2]);
  expect(idsOf(answeredWithAnyKey(evidence))).toEqual([1, 2]);
});

test('without requests, none was planned', () => {
  expect(nothingToJudge(shown([]), 'X-RateLimit-Limit')).toMatchObject({ untested: 'not-planned' });
});

test('exchanges that show a violation by themselves, at most so many', () => {
  const evidence = shown([{}, {}]);
  expect(violatedByExchange(evidence, 'X-RateLimit-Remaining')?.evidence).toEqual([1, 2]);
  expect(violatedByExchange(evidence, 'X-RateLimit-Remaining', 1)?.evidence).toEqual([1]);
});

describe('others use the key', () => {
  const taken = falling([59, 58, 55, 54]);
  const message: Answer = { operation: 'sendMessage', remaining: 9 };

  test.each<[what: string, answers: Answer[], isSeen: boolean]>([
    ['Remaining fell by more than was sent', taken, true],
    ['it did at one of two addresses', [message, ...taken], true],
    ['it did at neither', [...falling([59]), message, ...falling([57])], false],
    ['it was never told', [{}, {}], false],
  ])('%s: %o', (_what, answers, isSeen) => {
    expect(isShared(shown(answers))).toBe(isSeen);
  });

  test('before the request that shows it, nobody knew', () => {
    expect([3, 4].map((id) => isShared(shown(taken), { id }))).toEqual([false, true]);
  });

  test('the user says so', () => {
    expect(isShared(shown([], { sharedKey: true }))).toBe(true);
  });
});
