import { describe, expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import { contract, JSON_HEADERS, probeNamed, responseTo } from '../../../test/exchanges/exchanges.ts';
import { contractOf, operation, response } from '../../../test/operations/operations.ts';
import type { Operation } from '../../model/contract.ts';
import type { Exchange, Received } from '../../model/exchange.ts';
import { type Json, stringifyJson } from '../../model/json.ts';
import { asksForNeedlessKey, judgeSpelled, perhapsOtherKey } from './keys.ts';

const IN_QUERY = { in: 'query', name: 'api_key' } as const;
const secured = (change: Partial<Operation> = {}) => operation({ secured: true, ...change });
const queried = secured({ id: 'queried', credential: IN_QUERY });
const plain = secured({ id: 'plain' });
const open = operation({ id: 'open', secured: false, credential: IN_QUERY });

const HINT = '; the document has several kinds of keys, and the one of this run may not be one for the ';
const hintOf = (
  asked: Operation,
  status = 401,
  key: 'valid' | 'unknown' = 'valid',
  others: Operation[] = [plain, queried],
) => perhapsOtherKey({ probe: { key }, operation: asked }, status, contractOf(others));

test('an operation of several kinds of keys may refuse the one that another accepts', () => {
  expect(hintOf(queried)).toBe(`${HINT}query api_key`);
  expect(hintOf(queried, 403)).toBe(`${HINT}query api_key`);
  expect(hintOf(plain)).toBe(`${HINT}header Authorization`);
});

test('another status, a wrong key, and an operation that takes none have other reasons', () => {
  expect(hintOf(queried, 404)).toBe('');
  expect(hintOf(queried, 401, 'unknown')).toBe('');
  expect(hintOf(open)).toBe('');
});

test('one kind of key is the same for all operations that take one', () => {
  expect(hintOf(plain, 401, 'valid', [plain, secured({ id: 'other' })])).toBe('');
  expect(hintOf(plain, 401, 'valid', [plain, open])).toBe('');
});

describe('an operation that needs no key is refused with 401', () => {
  const keyless = operation({ secured: false, needsNoKey: true });
  const status = (code: number) => ({ status: code, headers: [], body: '' });
  const asks = (
    change: Partial<Exchange> = {},
    { asked = keyless, others = [plain], isAnyLetIn = true } = {},
  ) =>
    asksForNeedlessKey(
      exchange({ response: status(401), ...change }),
      asked,
      contractOf([asked, ...others]),
      isAnyLetIn,
    );

  test('a request that carries nothing shows it', () => {
    expect(asks()).toBe(true);
    expect(asks({ requestHeaders: [['Accept', 'application/json']] })).toBe(true);
  });

  test.each<[what: string, change: Partial<Exchange>]>([
    ['another status', { response: status(403) }],
    ['no response', { response: undefined } as never],
    ['a recording, whose client may have sent more', { recorded: 'traffic' }],
    ['a body, which may have a password', { requestBody: '{}' }],
    ['a query, which may have a token', { url: 'http://127.0.0.1/v1/pets?token=a' }],
    ['a key', { requestHeaders: [['AUTHORIZATION', 'Bearer a']] }],
    ['a cookie', { requestHeaders: [['Cookie', 'a=b']] }],
    ['a key for a proxy', { requestHeaders: [['Proxy-Authorization', 'Basic a']] }],
    ['a header that is a key elsewhere', { requestHeaders: [['x-api-key', 'a']] }],
    ['a header that the operation takes', { requestHeaders: [['X-Token', 'a']] }],
  ])('not so: %s', (_what, change) => {
    const asked = {
      ...keyless,
      parameters: [{ name: 'X-Token', in: 'header', required: false, schema: {} }],
    };
    const others = [secured({ credential: { in: 'header', name: 'X-API-Key' } })];
    expect(asks(change, { asked: asked as Operation, others })).toBe(false);
  });

  test.each<[what: string, change: Partial<Operation>]>([
    ['the document says so of all operations, not of this one', { needsNoKey: undefined } as never],
    [
      'it lists a 401',
      { responses: [...keyless.responses, { ...keyless.responses[0], status: '401' }] as never },
    ],
    ['its path has a value', { path: '/pets/{petId}' }],
  ])('not so: %s', (_what, change) => {
    expect(asks({}, { asked: { ...keyless, ...change } })).toBe(false);
  });

  test('nor where the service lets nobody in: something before it may ask for a key', () => {
    expect(asks({}, { isAnyLetIn: false })).toBe(false);
  });
});

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

describe('where the document does not say what else comes', () => {
  const lenient = operation({
    ...{ id: 'getShelves', secured: true, mayRefuse: true },
    responses: [response('200', { mediaType: 'application/json', schema: {}, bodyRequirement: 'Shelves' })],
  });
  const answer = (value: Json): Received => ({
    ...{ status: 200, headers: [['Content-Type', 'application/json']], body: stringifyJson(value) },
  });
  const outcomeOf = (value: Json, usual: Json) =>
    judgeSpelled(probe, lenient, answer(value), [
      { exchange: exchange({ response: answer(usual) }), value: usual },
    ]).outcome;

  const rex = { id: 1, name: 'Rex' };
  const emma = { id: 2, name: 'Emma' };
  test.each<[what: string, value: Json, usual: Json, isShown: boolean]>([
    ['a record of the list', [rex], [emma, rex], true],
    ['other records', [emma], [rex], false],
    ['a record in lists of lists', { pets: [[rex]] }, [rex, emma], true],
    ['the same record', rex, rex, true],
    ['another record', emma, rex, false],
    ['the envelope of an empty list', { pets: [], total: 0 }, { pets: [], total: 0 }, false],
    [
      'an envelope whose list holds an empty list',
      { shelves: [{ books: [] }, { name: 'Poetry' }], total: 2 },
      { shelves: [{ books: [] }, { name: 'Poetry' }], total: 2 },
      false,
    ],
    ['what has too little to be told from others', { ok: true }, { ok: true }, false],
    ['a record of the list beside another one', [emma, rex], [rex], true],
    ['the same record, which lists words', { ...rex, tags: ['calm'] }, { ...rex, tags: ['calm'] }, true],
  ])('only records that the key gets, too, are shown: %s', (_what, value, usual, isShown) => {
    expect(outcomeOf(value, usual)).toBe(isShown ? 'deviant' : 'inconclusive');
  });

  const control = (value: Json, status = 200) => ({
    exchange: exchange({ response: { ...answer(value), status } }),
    value,
  });

  test('one of several responses with the key is enough', () => {
    const { outcome } = judgeSpelled(probe, lenient, answer([rex]), [control([emma]), control([rex])]);
    expect(outcome).toBe('deviant');
  });

  test('without a response with the key, nothing tells whether it is a record', () => {
    expect(judgeSpelled(probe, lenient, answer([rex])).outcome).toBe('inconclusive');
  });

  test('what a refusal of the key says as well is no record', () => {
    const refusal = { code: 'forbidden', message: 'This key may not read.' };
    const { outcome } = judgeSpelled(probe, lenient, answer(refusal), [control(refusal, 403)]);
    expect(outcome).toBe('inconclusive');
  });
});
