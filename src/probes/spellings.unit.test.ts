import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { SPELLINGS } from '../model/probe.ts';
import { deriveProbes } from './derive.ts';
import { spelled } from './spellings.ts';

const contract = loadContract();
const spelledWith = (seed: number | 'none') =>
  deriveProbes(contract, [], seed).filter(({ spelling }) => spelling !== undefined);

test.each([
  ['slash', '/pets', '/pets/'],
  ['slash', '/pets/7', '/pets/7/'],
  ['doubled', '/pets/7', '//pets/7'],
  ['encoded', '/pets/7', '/p%65ts/7'],
  ['encoded', '/1/7', '/1/7'],
] as const)('%s: %s becomes %s', (spelling, path, expected) => {
  expect(spelled(path, spelling)).toBe(expected);
});

test('each seed sends every spelling once, without a key, and seeds 0 and 1 send it to every read that shows records', () => {
  for (const seed of [0, 1, 5])
    expect(spelledWith(seed).map(({ spelling, key, creates }) => [spelling, key, creates])).toEqual(
      SPELLINGS.map((spelling) => [spelling, 'absent', false]),
    );
  const pairs = [0, 1].flatMap((seed) => spelledWith(seed).map(({ id }) => id)).sort();
  expect(pairs).toEqual(
    ['getPet', 'listPets'].flatMap((each) => [...SPELLINGS].sort().map((one) => `${each}:spelled-${one}`)),
  );
});

test('without a seed there are none: older versions sent no other spellings', () => {
  expect(spelledWith('none')).toEqual([]);
});
