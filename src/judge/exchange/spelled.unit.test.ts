import { expect, test } from 'vitest';
import { contract, JSON_HEADERS, probeNamed, responseTo } from '../../../test/exchanges/exchanges.ts';
import type { Received } from '../../model/exchange.ts';
import { judgeSpelled } from './spelled.ts';

const { rule: _, ...unruled } = probeNamed('listPets:key-absent');
const spelled = { ...unruled, title: 'with a slash, without a key', spelling: 'slash' } as const;
const probe = { ...spelled, rule: 'Unauthorized' };

function judge(response: Partial<Received> | undefined, sent: typeof spelled = probe) {
  const operation = contract.operations.find(({ id }) => id === sent.operation);
  if (!operation) throw new Error(`no operation ${sent.operation}`);
  return judgeSpelled(sent, operation, response && responseTo(sent.operation, response));
}

test('records that come back without a key at another spelling of an address violate what asks for the key', () => {
  expect(judge({ status: 200 })).toEqual({
    outcome: 'deviant',
    met: [],
    deviations: [
      {
        requirement: 'Unauthorized',
        kind: 'status',
        reason: 'with a slash, without a key: accepted with 200',
        expected: 'status 401, or that there is nothing at this address',
        received: 'status 200 with a body as at the usual address',
      },
    ],
    hidden: [],
  });
});

test.each<[what: string, response: Partial<Received> | undefined]>([
  ['nothing', undefined],
  ['a refusal', { status: 401 }],
  ['that nothing is there', { status: 404 }],
  ['a redirect', { status: 300 }],
  ['what is no final response', { status: 199 }],
  ['a success that is not documented', { status: 203 }],
  ['a server error with records', { status: 500, body: '[{"id":1,"name":"Rex","categoryId":1}]' }],
  ['an empty list', { status: 200, body: '[]' }],
  ['something else', { status: 200, body: '[{"id":1}]' }],
  ['a page', { status: 200, headers: JSON_HEADERS.slice(1), body: '<p>' }],
])('what else comes back there is open: %s', (_what, response) => {
  expect(judge(response)).toEqual({
    outcome: 'inconclusive',
    inconclusive: { reason: 'another spelling of the address is another address' },
    met: [],
    deviations: [],
    hidden: [],
  });
});

test('a single record counts as well as a list, with any documented success', () => {
  expect(judge({ status: 200 }, { ...probe, operation: 'getPet' })).toMatchObject({ outcome: 'deviant' });
  expect(judge({ status: 299 }, { ...probe, operation: 'sendMessage' })).toMatchObject({
    outcome: 'deviant',
  });
});

test('without a rule, records are open, too', () => {
  expect(judge({ status: 200 }, spelled)).toMatchObject({ outcome: 'inconclusive' });
});
