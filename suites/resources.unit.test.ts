import { describe, expect, test } from 'vitest';
import { checkOf, findingOf, probesFor, type Sent } from '../test/exchanges/suite-evidence.ts';

const PET = { id: 1, name: 'Mo', categoryId: 1 };

describe('how long responses take', () => {
  const plain = (ms: number, probe = 'listPets:plain'): Sent => ({
    probe,
    body: [PET],
    change: { sentAt: 1000, receivedAt: 1000 + ms },
  });

  test.each<[what: string, sent: Sent[], observed: string]>([
    ['in whole ms', [plain(7.6)], 'median 8 ms, longest 8 ms'],
    ['in any order', [plain(100), plain(9), plain(20.2)], 'median 20 ms, longest 100 ms'],
    ['of an even number', [plain(10), plain(40), plain(30), plain(20)], 'median 30 ms, longest 40 ms'],
    ['with the key alone', [plain(10), plain(99, 'listPets:key-absent')], 'median 10 ms, longest 10 ms'],
  ])('%s', (_what, sent, observed) => {
    expect(findingOf('open.latency', sent)).toMatchObject({ status: 'observed', observed });
  });
});

describe('fields that the interface does not list', () => {
  const list = (...more: object[]): Sent => ({
    probe: 'listPets:plain',
    body: more.map((each, id) => ({ ...PET, ...each, id })),
  });
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x${index}`, 1]));

  test.each<[what: string, sent: Sent[], observed: string]>([
    ['none', [list({ status: 'sold' })], 'no other fields'],
    [
      'each once, with the resource',
      [
        list({ color: 'red' }, { color: 'red', age: 1 }),
        {
          probe: 'getPet:createPet:minimal',
          body: { ...PET, color: 'red', weight: 2 },
          change: { url: 'http://127.0.0.1/v1/pets/1' },
        },
        { probe: 'getPet:unknown', status: 404, body: { code: 'c', message: 'm', status: 404, help: 'h' } },
      ],
      'other fields: Pet.color, Pet.age, Pet.weight, Error.help',
    ],
    ['none of what has another fault', [list({ color: 'red', name: 1 })], 'no other fields'],
    [
      'the first 20',
      [list(many)],
      `other fields: ${Object.keys(many)
        .slice(0, 20)
        .map((name) => `Pet.${name}`)
        .join(', ')}`,
    ],
  ])('%s', (_what, sent, observed) => {
    expect(findingOf('open.extra-fields', sent)).toMatchObject({ status: 'observed', observed });
  });

  test('those of messages are told elsewhere', () => {
    const probes = probesFor('open.extra-fields');
    expect(probes).toContain('createPet:key-absent');
    expect(probes.filter((id) => id.startsWith('sendMessage'))).toEqual([]);
  });
});

test.each([
  ['open.category', 'petspec sees only the ids of categories'],
  ['open.transitions', 'no operation changes a status'],
  ['open.events', 'petspec does not look for them'],
  ['open.stability', 'no response shows it'],
  ['open.policy', 'no response shows it'],
  ['open.backoff', 'this binds clients, petspec among them'],
])('no response shows %s', (requirement, observed) => {
  expect(findingOf(requirement, [])).toMatchObject({ status: 'observed', observed, exercised: false });
});

test.each(['service.http', 'service.json', 'service.content-type'])(
  '%s holds for every response',
  (requirement) => {
    const sent: Sent[] = [{ probe: 'listPets:plain', body: [PET] }];
    expect(checkOf(requirement).phase).toBe('every-exchange');
    expect(probesFor(requirement)).toEqual(
      expect.arrayContaining(['listPets:key-absent', 'sendMessage:minimal']),
    );
    expect(findingOf(requirement, sent)).toMatchObject({ status: 'met', exercised: true });
  },
);
