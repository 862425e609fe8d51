import { expect, test } from 'vitest';
import { checkOf, findingOf, probesFor, type Sent } from '../test/exchanges/suite-evidence.ts';

const sent: Sent[] = [1, 2].map((id) => ({
  probe: 'listPets:plain',
  body: [{ id, name: 'Mo', categoryId: 1 }],
}));

test.each<[baseUrl: string, expected: object]>([
  ['https://pets.example/v1', { status: 'met', exercised: true, evidence: [1] }],
  ['https://pets.example/store/v1', { status: 'met', exercised: true }],
  ['https://pets.example/v1/', { status: 'met', exercised: true }],
  ['https://pets.example/v1//', { status: 'met', exercised: true }],
  [
    'https://pets.example/v2',
    {
      status: 'violated',
      kind: 'meaning',
      reason: 'the base address does not end with /v1',
      expected: 'an address that ends with /v1',
      received: 'https://pets.example/v2',
      evidence: [1],
    },
  ],
  ['https://pets.example/v1/store', { status: 'violated' }],
  ['https://pets.example/rev1', { status: 'violated' }],
  ['https://pets.example/?next=/v1', { status: 'violated' }],
  ['', { status: 'not-tested', untested: 'no-traffic', reason: 'the base address is not known' }],
])('the base address is %s', (baseUrl, expected) => {
  expect(findingOf('versioning.address', sent, { baseUrl })).toMatchObject(expected);
});

test('where all requests were for the other address, nothing is said of the base address', () => {
  const message: Sent = { probe: 'sendMessage:minimal', body: {} };
  expect(findingOf('versioning.address', [message], { baseUrl: 'https://messages.example' })).toMatchObject({
    status: 'not-tested',
    untested: 'no-traffic',
    reason: 'no request was for the base address',
  });
});

test('the first request shows the base address', () => {
  expect(checkOf('versioning.address').phase).toBe('functional');
  expect(probesFor('versioning.address')).toEqual(['listPets:plain']);
});
