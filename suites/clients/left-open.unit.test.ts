import { describe, expect, test } from 'vitest';
import { clientFinding, type SentByClient, scenarioOf } from '../../test/exchanges/client-requests.ts';

const add: SentByClient = { call: 'POST http://a.example/v1/pets', body: { name: 'Rex', categoryId: 1 } };
const failing = { ...add, status: 500 };
const nothing = { status: 'observed', observed: 'no request shows this', evidence: [] };

describe('a request is sent again after a 5xx', () => {
  test.each<[what: string, sent: SentByClient[], expected: object]>([
    [
      'the same one',
      [{ status: 503 }, failing, {}, add],
      { status: 'observed', observed: 'the client sent a GET again after a 5xx', evidence: [3, 4] },
    ],
    ['not after another answer', [{ ...add, status: 499 }, add], nothing],
    ['not before it', [add, failing], nothing],
    ['not with another method', [{ status: 500 }, { call: 'POST http://a.example/v1/pets' }], nothing],
    ['not to another address', [{ status: 500 }, { call: 'GET http://a.example/v1/pets?limit=5' }], nothing],
    ['not with another body', [failing, { ...add, body: { name: 'Mo', categoryId: 1 } }], nothing],
  ])('%s', (_what, sent, expected) => {
    expect(clientFinding('open.repeated', [scenarioOf(sent)])).toMatchObject(expected);
  });
});

describe('what is sent until a 401 comes', () => {
  test.each<[what: string, sent: SentByClient[], expected: object]>([
    [
      'requests',
      [{ status: 401 }, {}, { status: 401 }],
      { status: 'observed', observed: 'the client sent 2 requests that got 401', evidence: [1, 3] },
    ],
    ['one request', [{ status: 401 }], { observed: 'the client sent 1 request that got 401' }],
    ['nothing that got one', [{}, { status: 404 }], nothing],
  ])('%s', (_what, sent, expected) => {
    expect(clientFinding('open.refused-key', [scenarioOf(sent)])).toMatchObject(expected);
  });
});

test.each([
  ['open.repeated', 'the client sent a GET again after a 5xx', [6]],
  ['open.refused-key', 'the client sent 2 requests that got 401', [3, 4]],
])('what another origin answers is not known: %s', (requirement, observed, evidence) => {
  const foreign: SentByClient = { call: 'GET http://c.example/v1/pets', isForeign: true };
  const sent = scenarioOf([foreign, foreign, { status: 401 }, { status: 401 }, { status: 500 }, {}]);
  expect(clientFinding(requirement, [sent])).toMatchObject({ status: 'observed', observed, evidence });
});

test('how a client ends, in each scenario', () => {
  const scenarios = [
    scenarioOf([{}, {}]),
    scenarioOf([{}, {}], { name: 'other-form', from: 3, end: { kind: 'failed', words: 'exit status 1' } }),
  ];
  expect(clientFinding('open.end', scenarios)).toMatchObject({
    status: 'observed',
    observed: 'plain: exit status 0; other-form: exit status 1',
    evidence: [1, 3],
  });
});

test.each<[what: string, sent: SentByClient[], expected: object]>([
  ['all bodies are read', [{}, add], nothing],
  [
    'one is not',
    [{}, { ...add, unreadBody: 'longer than 1 MiB' }],
    { observed: 'not judged: 1 body longer than 1 MiB', evidence: [2] },
  ],
  [
    'several are not: each reason once, and five of them at most',
    ['a', 'b', 'a', 'c', 'd', 'e', 'f'].map((unreadBody) => ({ ...add, unreadBody })),
    { observed: 'not judged: 7 bodies a, b, c, d, e', evidence: [1, 2, 3, 4, 5, 6, 7] },
  ],
])('bodies that petspec does not read: %s', (_what, sent, expected) => {
  expect(clientFinding('open.body', [scenarioOf(sent)])).toMatchObject({ status: 'observed', ...expected });
});
