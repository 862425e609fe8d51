import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/suite.ts';
import { checkOf, findingsOf, probesFor, type Sent } from '../../test/exchanges/suite-evidence.ts';

const REX = { id: 1, name: 'Rex', categoryId: 1 };
const LOUD = { ...REX, name: 'REX' };

const list = (probe: string, ...body: Json[]): Sent => ({ probe: `listPets:${probe}`, body });
const added: Sent = { probe: 'createPet:minimal', sent: { name: 'Rex', categoryId: 1 }, body: REX };
const fetched: Sent = {
  probe: 'getPet:createPet:minimal',
  body: LOUD,
  change: { url: 'http://127.0.0.1/v1/pets/1' },
};

test('lists are compared with additions and with fetches', () => {
  expect(checkOf('listPets.stored').phase).toBe('functional');
  const looked = probesFor('listPets.stored');
  expect(looked).toEqual(
    expect.arrayContaining(['listPets:plain', 'createPet:full-1', 'getPet:listPets:plain']),
  );
  expect(looked).not.toContain('listPets:limit=above');
  expect(looked).not.toContain('createPet:name-missing');
  expect(looked).not.toContain('getPet:unknown');
  expect(looked).not.toContain('getStoreOrders:plain');
});

describe('another requirement explains what is wrong with a list', () => {
  test.each<[what: string, cause: string, sent: Sent[]]>([
    ['the animal was stored with the change', 'getPet.stored', [added, fetched, list('limit=maximum', LOUD)]],
    [
      'the addition got the id of another animal',
      'createPet.id',
      [list('plain', LOUD), added, list('limit=maximum', LOUD)],
    ],
    ['the list has an animal twice', 'listPets.distinct', [added, list('limit=maximum', REX, LOUD)]],
  ])('%s', (_what, cause, sent) => {
    const findings = findingsOf(sent);
    expect(findings[cause]).toMatchObject({ status: 'violated' });
    expect(findings['listPets.stored']).toMatchObject({ status: 'not-tested', untested: 'blocked', cause });
  });
});
