import { expect, test } from 'vitest';
import { contract } from '../../test/exchanges/exchanges.ts';
import { contractOf, creation } from '../../test/operations/operations.ts';
import { clientChecks } from './index.ts';

const idsOf = (of: typeof contract) => clientChecks(of).map(({ requirement }) => requirement.id);

test('a client of any document is asked all that does not need the animal store, and what it survives', () => {
  const document = contractOf([
    creation({ type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }),
  ]);
  const derived = ['client.createThing.body', 'client.createThing.body.title'];
  const ofStore = clientChecks(contract)
    .map(({ requirement }) => requirement)
    .filter(({ id, source }) => source === 'listed' && !['client.backoff', 'client.key.origin'].includes(id))
    .map(({ id }) => id);
  expect(ofStore).toContain('client.ids');
  expect(idsOf(document).toSorted()).toEqual([...ofStore, ...derived, 'client.survives'].toSorted());
  expect(idsOf(contract)).not.toContain('client.survives');
});
