import { describe, expect, test } from 'vitest';
import { rawNumber } from '../../src/model/json.ts';
import type { Json } from '../../src/suite.ts';
import { clientFinding, type SentByClient, scenarioOf } from '../../test/exchanges/client-requests.ts';

/** Beyond 2^53 a double holds only even numbers: it reads the first as the second. */
const LARGE = 9007199254740995n;
const AS_DOUBLE = 9007199254740996n;

const listed = (answer: Json = [{ id: LARGE, name: 'Rex', owner: null }]): SentByClient => ({ answer });
const fetched = (id: string | bigint): SentByClient => ({
  call: `GET http://a.example/v1/pets/${id}`,
  answer: {},
});
const added = (categoryId: Json): SentByClient => ({
  call: 'POST http://a.example/v1/pets',
  body: { name: 'Rex', categoryId },
  answer: {},
});

const lost = {
  status: 'violated',
  kind: 'meaning',
  reason: 'an id lost digits: it was read as a floating-point number (scenario plain)',
  expected: `${LARGE}`,
  received: `${AS_DOUBLE}`,
  evidence: [2],
};
const untested = { status: 'not-tested', reason: 'the client did not send back an id beyond 2^53' };

test.each<[what: string, sent: SentByClient[], expected: object]>([
  ['an id comes back with every digit', [listed(), fetched(LARGE)], { status: 'met', evidence: [2] }],
  ['an id of a nested record does', [listed({ pets: [{ id: LARGE }] }), fetched(LARGE)], { status: 'met' }],
  ['a reference in a body does', [listed(), added(LARGE)], { status: 'met', evidence: [2] }],
  ['an id lost digits in the address', [listed(), fetched(AS_DOUBLE)], lost],
  ['a reference lost digits in a body', [listed(), added(AS_DOUBLE)], { ...lost, pointer: '/categoryId' }],
  [
    'a reference lost digits as a double is printed',
    [listed(), added(rawNumber('9.007199254740996E15') as Json)],
    lost,
  ],
  [
    'the first id that a double cannot hold lost digits',
    [listed([{ id: 9007199254740993n }]), fetched('9007199254740992')],
    { ...lost, expected: '9007199254740993', received: '9007199254740992' },
  ],
  [
    'it lost digits in a body',
    [listed([{ id: 9007199254740993n }]), added(rawNumber('9007199254740992') as Json)],
    { ...lost, expected: '9007199254740993', received: '9007199254740992' },
  ],
  [
    'both are ids of the service',
    [listed([{ id: LARGE }, { id: AS_DOUBLE }]), fetched(AS_DOUBLE)],
    { status: 'met' },
  ],
  ['another large id may be anything', [listed(), fetched(9007199254740999n)], untested],
  ['an id came back before it was there', [fetched(AS_DOUBLE), listed()], untested],
  ['small ids have no digits to lose', [listed([{ id: 7 }]), fetched('7')], untested],
  ['a text is no id', [listed(), fetched('Rex')], untested],
  ['a fraction is no id', [listed([{ id: LARGE }, { id: 7 }]), added(0.5)], untested],
  ['a text in place of a number is no id', [listed(), added(`${LARGE}`)], untested],
  ['a page size is no id', [listed(), { call: `GET http://a.example/v1/pets?limit=${LARGE}` }], untested],
])('%s', (_what, sent, expected) => {
  expect(clientFinding('ids', [scenarioOf(sent)])).toMatchObject(expected);
});

describe('other number types lose digits, too', () => {
  const id = 1152921506125217794n;
  const asDouble = (text: string) => BigInt(Number(text));
  test.each<[as: string, received: bigint]>([
    ['a number of 14 digits', 1152921506125200000n],
    ['a number of 15 digits', asDouble(Number(id).toPrecision(15))],
    ['a number of 17 digits', 1152921506125217700n],
    ['a number of 32 bits', BigInt.asIntN(32, id)],
    ['a floating-point number of 32 bits', BigInt(Math.fround(Number(id)))],
    ['a floating-point number', id - (id % 256n)],
    ['a number that is 2^53 at most', 9007199254740991n],
  ])('%s', (as, received) => {
    // Services that draw ids from all of int64 have negative ones, which lose digits likewise.
    for (const sign of [1n, -1n])
      for (const sent of [fetched(sign * received), added(sign * received)])
        expect(clientFinding('ids', [scenarioOf([listed([{ id: sign * id }]), sent])])).toMatchObject({
          status: 'violated',
          reason: `an id lost digits: it was read as ${as} (scenario plain)`,
          expected: `${sign * id}`,
          received: `${sign * received}`,
        });
  });

  test.each<[string, SentByClient[]]>([
    ['the next one', [listed([{ id }]), fetched(id + 1n), fetched(id - 1n)]],
    ['a small one', [listed([{ id: 2n ** 60n + 4097n }]), fetched(4097n), fetched(1n)]],
    ['one that the service showed, too', [listed([{ id }, { id: 1518370818 }]), fetched(1518370818n)]],
    [
      'one that the client knew before',
      [fetched(9007199254740991n), listed([{ id }]), fetched(9007199254740991n)],
    ],
    ['the largest one', [listed([{ id }]), fetched(2n ** 63n - 1n)]],
  ])('but %s is another id', (_what, sent) => {
    expect(clientFinding('ids', [scenarioOf(sent)])).toMatchObject(untested);
  });
});

test('an id that a client knows in one scenario it knows in another', () => {
  const hardCoded = fetched(9007199254740991n);
  const scenarios = [
    scenarioOf([hardCoded]),
    scenarioOf([listed(), hardCoded], { name: 'large-ids', from: 2 }),
  ];
  expect(clientFinding('ids', scenarios)).toMatchObject(untested);
});

test('an id that the client made up is no id of the service', () => {
  const made: SentByClient = {
    ...added(LARGE),
    answer: { id: 7, name: 'Rex', categoryId: LARGE },
    status: 201,
  };
  const again = [made, listed([{ id: 7, categoryId: LARGE }]), added(LARGE), added(AS_DOUBLE)];
  expect(clientFinding('ids', [scenarioOf(again)])).toMatchObject(untested);
  const lostFirst = [listed(), added(AS_DOUBLE), listed([{ id: AS_DOUBLE }]), fetched(AS_DOUBLE)];
  expect(clientFinding('ids', [scenarioOf(lostFirst)])).toMatchObject({
    status: 'violated',
    evidence: [2, 4],
  });
});

test('each scenario has ids of its own', () => {
  const scenarios = [
    scenarioOf([listed()]),
    scenarioOf([fetched(AS_DOUBLE)], { name: 'large-ids', from: 2 }),
  ];
  expect(clientFinding('ids', scenarios)).toMatchObject(untested);
});

test('what is not JSON has no ids', () => {
  const { scenario, end, requests } = scenarioOf([listed(), fetched(AS_DOUBLE)]);
  const [first, ...others] = requests;
  if (!first?.exchange.response) throw new Error('there is no response');
  const response = { ...first.exchange.response, body: `[{"id":${LARGE}}` };
  const cut = { ...first, exchange: { ...first.exchange, response } };
  expect(clientFinding('ids', [{ scenario, end, requests: [cut, ...others] }])).toMatchObject(untested);
});

test('what another origin answers is not known', () => {
  const foreign: SentByClient = { call: 'GET http://c.example/v1/pets', isForeign: true };
  expect(clientFinding('ids', [scenarioOf([listed(), foreign, fetched(AS_DOUBLE)])])).toMatchObject({
    ...lost,
    evidence: [3],
  });
});
