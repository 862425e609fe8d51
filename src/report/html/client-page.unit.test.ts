import { expect, test } from 'vitest';
import { type SentByClient, scenarioOf } from '../../../test/exchanges/client-requests.ts';
import { contract } from '../../../test/reports/sample-runs.ts';
import { scenarios } from '../../reference/scenarios/index.ts';
import { assembleClient } from '../assemble/assemble-client.ts';
import { renderHtml } from './index.ts';

/** The card of a finding about a client that sends one request. */
function cardOf(requirement: string, sent: SentByClient) {
  const record = {
    ...{
      command: 'node sync.js',
      advice: 'give it a key',
      only: [requirement],
      strict: false,
      isInterrupted: false,
    },
    ...{ scenarios: scenarios.slice(0, 1), startedAt: 0, finishedAt: 1 },
  };
  const report = assembleClient(contract, record, { contract, scenarios: [scenarioOf([sent])] });
  const [card = ''] = /<article class="finding[\s\S]*?<\/article>/.exec(renderHtml(report)) ?? [];
  const [, request = '', response = ''] = card.split('<div class="wire">');
  const [, received = ''] = card.split('<div class="side received">');
  const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll('&quot;', '"');
  const marked = (html: string) =>
    [...html.matchAll(/<mark>([\s\S]*?)<\/mark>/g)].map(([mark]) => textOf(mark));
  return {
    request: marked(request),
    response: marked(response),
    received: textOf(received.split('<details')[0] ?? '').replaceAll(/\s+/g, ' '),
  };
}

const ADDITION = 'POST http://a.example/v1/pets';
const refused = { status: 400, answer: { name: 'the name of the error', status: 400 } };

test('what is wrong in the body of a client is shown and marked in its request', () => {
  const card = cardOf('client.NewPet.name', { ...refused, call: ADDITION, body: { name: 7, categoryId: 1 } });
  expect(card).toMatchObject({ request: ['"name": 7'], response: [] });
  expect(card.received).toContain('at /name of the request body');
  expect(card.received).toContain('{ "name": 7, "categoryId": 1 }');
  expect(card.received).not.toContain('the name of the error');
});

test.each<[what: string, requirement: string, sent: SentByClient, marked: string]>([
  [
    'a parameter',
    'client.listPets.limit',
    { ...refused, call: 'GET http://a.example/v1/pets?limit=0' },
    'GET http://a.example/v1/pets?limit=0',
  ],
  ['no key', 'client.key.sent', { ...refused, key: 'absent' }, 'Authorization: absent'],
  [
    'a wrong key',
    'client.key.form',
    { ...refused, key: 'scheme', headers: [['authorization', 'Token [hidden]']] },
    'authorization: Token [hidden]',
  ],
  [
    'the key in another header',
    'client.key.place',
    { ...refused, headers: [['X-Key', '[key]']], keyPlaces: ['X-Key'] },
    'X-Key: [key]',
  ],
  [
    'the key in the URL',
    'client.key.place',
    { ...refused, call: 'GET http://a.example/v1/pets?key=[key]', keyPlaces: ['URL'] },
    'GET http://a.example/v1/pets?key=[key]',
  ],
  [
    'the key in the body',
    'client.key.place',
    { ...refused, call: ADDITION, body: { token: '[key]' }, keyPlaces: ['body'] },
    '{ "token": "[key]" }',
  ],
  [
    'a body that is declared as something else',
    'client.createPet.body',
    { ...refused, call: ADDITION, body: {}, mediaType: 'text/plain' },
    'Content-Type: text/plain',
  ],
  ['no body', 'client.createPet.body', { ...refused, call: ADDITION }, 'no body'],
])('what is at fault in the request of a client is marked, and nothing of the response: %s', (...row) => {
  const [, requirement, sent, marked] = row;
  expect(cardOf(requirement, sent)).toMatchObject({ request: [marked], response: [] });
});
