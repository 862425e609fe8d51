import { describe, expect, test } from 'vitest';
import { probeNamed } from '../../test/exchanges.ts';
import { type Answer, contract, falling, shown } from '../../test/limited-runs.ts';
import type { Contract } from '../model/contract.ts';
import { derivedChecks, ownedCheck } from './derived-checks.ts';

/** The interface as a document that does not say of all responses when they come. */
const { isComplete: _, ...incomplete } = contract;

const checkOf = (requirement: string, of: Contract = incomplete) =>
  derivedChecks(of).find((each) => each.requirement === requirement);

test('what such a document lists without saying when it comes has no check', () => {
  const requirements = contract.requirements.map((each) =>
    each.id === 'getPet.404' ? { ...each, level: 'open' as const } : each,
  );
  expect(checkOf('getPet.404', { ...incomplete, requirements })).toBeUndefined();
  expect(checkOf('getPet.404', { ...contract, requirements })).toBeDefined();
  expect(checkOf('getPet.200', { ...incomplete, requirements })).toBeDefined();
});

describe('a part of a body', () => {
  test('is shown by any request that is not wrong, of an operation that has it', () => {
    const names = ['listPets:plain', 'listPets:limit=below', 'createPet:name-missing', 'sendMessage:minimal'];
    const looked = names.filter((name) => checkOf('Pet.id')?.probes(probeNamed(name)));
    expect(looked).toEqual(['listPets:plain', 'listPets:limit=below']);
  });

  test('is in order if a right response has it, whatever others lack', () => {
    expect(checkOf('Pet.id')?.judge(shown([{ status: 404 }, { remaining: 5 }]))).toEqual({
      status: 'met',
      exercised: false,
      reason: 'no response could have shown a violation',
      evidence: [2],
    });
    expect(checkOf('Pet.id')?.judge(shown([{ status: 404 }]))).toMatchObject({ status: 'not-tested' });
    const elsewhere = shown([{ status: 404 }, { operation: 'sendMessage', status: 200 }]);
    expect(checkOf('Pet.id')?.judge(elsewhere)).toMatchObject({ status: 'not-tested' });
  });
});

describe('how often reads fail', () => {
  const silent: Answer = { limit: undefined, remaining: 5 };
  const reasonOf = (wrong: readonly Answer[], right: number) =>
    ownedCheck('X-RateLimit-Limit', () => true).judge(
      shown([...wrong, ...falling(Array.from({ length: right }, () => 5))]),
    ).reason;

  test.each<[what: string, wrong: Answer[], right: number, words: string]>([
    ['rarely', [silent], 25, ' (1 of 26 responses: listPets)'],
    ['a quarter of them', Array(7).fill(silent), 21, ' (7 of 28 responses: listPets)'],
    ['more than a quarter', Array(8).fill(silent), 22, ' (8 responses: listPets)'],
    ['one of few', [silent], 24, ''],
    [
      'rarely, and something else as well',
      [silent, { ...silent, key: 'absent', status: 401 }],
      30,
      ' (2 responses: listPets)',
    ],
  ])('%s', (_what, wrong, right, words) => {
    expect(reasonOf(wrong, right)).toBe(`X-RateLimit-Limit is absent${words}`);
  });
});
