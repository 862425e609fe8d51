import { describe, expect, test } from 'vitest';
import { clientFinding, type SentByClient, scenarioOf } from '../../test/exchanges/client-requests.ts';

const foreign: SentByClient = { call: 'GET http://c.example/v1/pets', isForeign: true };
const unlisted: SentByClient = { call: 'DELETE http://a.example/v1/pets/1' };

describe('a request goes to the address of its operation', () => {
  test.each<[what: string, sent: SentByClient[], expected: object]>([
    ['as it does', [{}], { status: 'met', evidence: [1] }],
    [
      'and not to another one',
      [{}, { call: 'POST http://a.example/v1/messages', body: { message: 'm' } }],
      {
        status: 'violated',
        kind: 'meaning',
        reason: 'sendMessage was called at another address than its own (scenario plain)',
        expected: 'POST {apiUrl}/messages',
        received: 'POST http://a.example/v1/messages',
        evidence: [2],
      },
    ],
    [
      'unless the interface does not list it',
      [unlisted],
      { status: 'not-tested', reason: 'the client did not send a request for an operation of the interface' },
    ],
    ['unless it goes elsewhere', [foreign], { status: 'not-tested' }],
  ])('%s', (_what, sent, expected) => {
    expect(clientFinding('address', [scenarioOf(sent)])).toMatchObject(expected);
  });
});

describe('nobody calls what is deprecated', () => {
  test.each<[what: string, sent: SentByClient[], expected: object]>([
    ['as it should be', [{}], { status: 'met', evidence: [1] }],
    [
      'unlike this client',
      [{}, { call: 'GET http://a.example/v1/pets/7' }],
      {
        status: 'advisory',
        kind: 'meaning',
        reason: 'getPet is deprecated; it may be gone from 2030-12-05 (scenario plain)',
        expected: 'no call of it',
        received: 'GET http://a.example/v1/pets/7',
        evidence: [2],
      },
    ],
    ['unless the interface does not list it', [unlisted], { status: 'not-tested' }],
    [
      'unless it goes elsewhere',
      [{ ...foreign, call: 'GET http://c.example/v1/pets/7' }],
      { status: 'not-tested' },
    ],
  ])('%s', (_what, sent, expected) => {
    expect(clientFinding('deprecated', [scenarioOf(sent)])).toMatchObject(expected);
  });
});

describe('what the interface does not list', () => {
  test.each<[what: string, sent: SentByClient[], expected: object]>([
    [
      'nothing',
      [{}, foreign, { ...unlisted, isForeign: true }],
      { observed: 'no request shows this', evidence: [] },
    ],
    [
      'the first five calls, each once',
      [
        unlisted,
        unlisted,
        ...[2, 3, 4, 5, 6].map((id) => ({ call: `DELETE http://a.example/v1/pets/${id}?force=1` })),
      ],
      {
        observed: `the client called ${[1, 2, 3, 4, 5].map((id) => `DELETE /v1/pets/${id}`).join(', ')}`,
        evidence: [1, 2, 3, 4, 5, 6, 7],
      },
    ],
  ])('%s', (_what, sent, expected) => {
    expect(clientFinding('open.unlisted', [scenarioOf(sent)])).toMatchObject({
      status: 'observed',
      ...expected,
    });
  });
});
