import { expect, test } from 'vitest';
import { contract, probeNamed } from '../../test/exchanges/exchanges.ts';
import { type Answers, heldAgainst } from '../../test/exchanges/judged-answers.ts';
import type { Operation } from '../model/contract.ts';

/** A document that says of its operations that they need no key, and of none when it refuses a request. */
const keyless = {
  contract: {
    ...contract,
    operations: contract.operations.map(
      (each): Operation => ({
        ...each,
        mayRefuse: true,
        needsNoKey: true,
        responses: each.responses.filter(({ status }) => status !== '401'),
      }),
    ),
  },
};
const refused = (name: string, status = 401) => `${probeNamed(name).title}: refused with ${status}`;

test.each<[what: string, answers: Answers, held: readonly string[] | string]>([
  ['is wrong', { 'createPet:minimal': 201, 'listPets:plain': 401 }, ['listPets.200']],
  [
    'is wrong, whatever else is refused',
    { 'createPet:minimal': 201, 'getStoreOrders:plain': 503, 'listPets:plain': 401 },
    ['listPets.200'],
  ],
  [
    'may come from something before the service, where nobody is let in',
    { 'createPet:minimal': 503, 'listPets:plain': 401 },
    refused('listPets:plain'),
  ],
  [
    'may refuse the request for something else where the request is wrong',
    { 'listPets:plain': 200, 'createPet:empty': 401 },
    refused('createPet:empty'),
  ],
  [
    'is no other refusal, which may come at any time',
    { 'createPet:minimal': 201, 'listPets:plain': 403 },
    refused('listPets:plain', 403),
  ],
])('a 401 for a request that needs no key %s', (_what, answers, held) => {
  expect(heldAgainst(answers, keyless)).toEqual(held);
});
