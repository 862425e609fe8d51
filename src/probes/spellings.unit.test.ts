import { expect, test } from 'vitest';
import { contractOf, operation, response } from '../../test/operations/operations.ts';
import { loadContract } from '../contract/load.ts';
import { SPELLINGS } from '../model/probe.ts';
import { spelled } from '../requests/request.ts';
import { deriveProbes } from './derive.ts';
import { guessedRequests, spelledProbes } from './keys.ts';
import { probe } from './probe.ts';

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

const read = operation({
  secured: true,
  responses: [response('200', { schema: {} }), response('401', { requirement: 'Refused' })],
});

test('it is open what a read at another spelling gets, and a title says which it is', () => {
  expect(spelledProbes(contractOf([read]), guessedRequests([]), 0)).toMatchObject(
    [
      ['slash', 'no key, and a slash at the end of the path'],
      ['doubled', 'no key, and a doubled slash in the path'],
      ['encoded', 'no key, and a percent-encoded letter in the path'],
    ].map(([spelling, title]) => ({
      spelling,
      title,
      validity: 'open',
      key: 'absent',
      rule: 'Refused',
      stage: 'keys',
    })),
  );
});

test('a path that a spelling does not change is not sent, and an id that nobody knows is guessed', () => {
  const kinds = (path: string) =>
    spelledProbes(contractOf([{ ...read, path }]), guessedRequests([]), 0).map(({ spelling }) => spelling);
  expect(kinds('/1/2')).toEqual(['slash', 'doubled']);
  const path = { id: { late: 'response', sources: [{ probe: 'a', pointer: '/id' }] } } as const;
  const known = probe(read, 'one', 'read', { title: 'one', path });
  expect(spelledProbes(contractOf([read]), guessedRequests([known]), 0)[0]?.path).toEqual({
    id: { ...path.id, otherwise: '1' },
  });
});

test('only a read that asks for a key, and shows something, is sent so', () => {
  const count = (change: Partial<typeof read>) =>
    spelledProbes(contractOf([{ ...read, ...change }]), guessedRequests([]), 0).length;
  expect(count({})).toBe(3);
  const [shown, refused] = read.responses;
  if (!shown || !refused) throw new Error('no responses');
  for (const change of [
    { secured: false },
    { method: 'DELETE' },
    { address: 'apiUrl' },
    { responses: [shown] },
    { responses: [response('200'), refused] },
    { responses: [{ ...shown, status: '404' }, refused] },
  ])
    expect(count(change)).toBe(0);
});
