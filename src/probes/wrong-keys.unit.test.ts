import { expect, test } from 'vitest';
import { loadContract, readSources } from '../contract/load.ts';
import { deriveProbes } from './derive.ts';

const contract = loadContract();
const wrong = deriveProbes(contract).filter(({ key }) => key !== 'valid');
const keysOf = (operation: string) =>
  wrong.filter((each) => each.operation === operation).map(({ key }) => key);

/** Wrong by their value alone: whoever looks only whether there is a key takes them. */
const LIKE_A_KEY = ['unknown', 'longer', 'shorter', 'case'];

test.each(contract.operations.filter(({ secured }) => secured).map(({ id }) => id))(
  '%s is asked without a key, and with one that nobody has',
  (operation) => {
    expect(keysOf(operation)).toContain('absent');
    expect(keysOf(operation).some((kind) => LIKE_A_KEY.includes(kind))).toBe(true);
  },
);

test('without a seed, each rarer way of being wrong is tried once, and not where it might add something', () => {
  for (const kind of ['empty', 'scheme', 'longer', 'shorter', 'case', 'bare'])
    expect(wrong.filter(({ key }) => key === kind).map(({ creates }) => creates)).toEqual([false]);
});

test('what a wrong key adds where it is let in has texts of its own', () => {
  const adding = wrong.filter(({ creates, rule }) => creates && rule !== 'authentication.first');
  expect(adding.map(({ id }) => id)).toEqual(['createPet:key-unknown']);
  expect(adding[0]?.body).toMatchObject({ json: { name: { late: 'own', of: 'createPet:key-unknown' } } });
});

test('no key goes with what else can be wrong with a request, and any other key with what is right', () => {
  const carried = wrong
    .filter(({ rule }) => rule === 'authentication.first')
    .map(({ id, key, title, query, body, path }) => ({ id, key, title, query, body, path }));
  const key = 'absent';
  expect(carried).toEqual([
    {
      id: 'listPets:key-absent',
      key,
      title: 'no key, and status not in its enumeration',
      query: [['status', 'unknown']],
      body: undefined,
      path: {},
    },
    {
      id: 'createPet:key-absent',
      key,
      title: 'no key, and malformed JSON',
      query: [],
      body: { text: '{"' },
      path: {},
    },
    {
      id: 'getPet:key-absent',
      key,
      title: 'no key, and a petId that does not exist',
      query: [],
      body: undefined,
      path: { petId: { late: 'random', format: 'int64', like: expect.anything() } },
    },
    {
      id: 'sendMessage:key-absent',
      key,
      title: 'no key, and malformed JSON',
      query: [],
      body: { text: '{"' },
      path: {},
    },
  ]);
  expect(wrong.filter(({ stage }) => stage === 'keys').length).toBe(12);
  expect(wrong.filter(({ stage }) => stage === 'messages').length).toBe(2);
});

/** Which wrong key a seed sends to which operation. */
const pairsOf = (seed: number) =>
  deriveProbes(contract, [], seed)
    .filter(({ key, spelling }) => key !== 'valid' && !spelling)
    .map(({ operation, key }) => `${operation} ${key}`);

test('seeds 0 to 6 send every wrong key to every operation', () => {
  const pairs = new Set([0, 1, 2, 3, 4, 5, 6].flatMap(pairsOf));
  const ways = ['absent', 'empty', 'scheme', 'bare', ...LIKE_A_KEY];
  const operations = contract.operations.filter(({ secured }) => secured).map(({ id }) => id);
  expect([...pairs].sort()).toEqual(
    operations.flatMap((operation) => ways.map((way) => `${operation} ${way}`)).sort(),
  );
});

test.each([0, 1, 2, 3, 4, 5, 6, 4_294_967_295])(
  'seed %i tries every wrong key at the base address',
  (seed) => {
    const atBase = pairsOf(seed).filter((pair) => !pair.startsWith('sendMessage'));
    expect(atBase.length).toBe(12);
    expect(new Set(atBase.map((pair) => pair.split(' ')[1])).size).toBe(8);
    for (const { id } of contract.operations.filter(({ address }) => address === 'baseUrl'))
      expect(atBase.some((pair) => LIKE_A_KEY.some((way) => pair === `${id} ${way}`))).toBe(true);
  },
);

test('a set that does not ask what comes first has all of them go with what is right', () => {
  const before = deriveProbes(loadContract(readSources(), '0.1.0')).filter((each) => each.key !== 'valid');
  expect(before.map(({ id }) => id)).toEqual(wrong.map(({ id }) => id));
  expect(before.filter(({ rule }) => rule === 'authentication.first')).toEqual([]);
  expect(before.find(({ id }) => id === 'createPet:key-absent')?.body).toMatchObject({
    json: { name: { late: 'own', of: 'createPet:key-absent' } },
  });
  expect(before.find(({ id }) => id === 'getPet:key-absent')?.path).toMatchObject({
    petId: { late: 'response' },
  });
});
