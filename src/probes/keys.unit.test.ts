import { describe, expect, test } from 'vitest';
import {
  contractOf,
  creation,
  operation,
  pathParameter,
  requirement,
  response,
} from '../../test/operations/operations.ts';
import type { Operation } from '../model/contract.ts';
import { statusesOf } from '../model/http/expectation.ts';
import type { KeyKind, Probe } from '../model/probe.ts';
import { keyProbes, keysOfDocument } from './keys.ts';
import { probe } from './probe.ts';

const secured = { secured: true, responses: [response('200'), response('401')] };
const list = operation(secured);
const get = operation({
  ...secured,
  id: 'getThing',
  path: '/things/{id}',
  parameters: [pathParameter('id', {})],
});
const create = creation(
  { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  secured,
);
const plain = probe(list, 'plain', 'first', { title: 'plain', query: [['size', '1']] });
const read = probe(get, 'one', 'read', {
  title: 'one',
  path: { id: { late: 'response', sources: [{ probe: plain.id, pointer: '/0/id' }] } },
});
const made = probe(create, 'minimal', 'create', { title: 'minimal', body: { json: {} } });
const wrong = (own: Operation, id: string, change: Partial<Probe> = {}) =>
  probe(own, id, 'invalid', { title: id, validity: 'invalid', ...change });

const FIRST = requirement('authentication.first');
const keysOf = (
  operations: Operation[],
  probes: Probe[],
  seed: number | 'none' = 'none',
  requirements = [FIRST],
) => keyProbes(contractOf(operations, { requirements }), probes, plain, seed);
const ALL = [list, create, get];
const RIGHT = [plain, made, read];
const pairs = (probes: Probe[]) => probes.map(({ id }) => id);

const TITLES: Record<Exclude<KeyKind, 'valid' | 'second'>, RegExp> = {
  absent: /^no key$/,
  unknown: /^an unknown key$/,
  empty: /^an empty key$/,
  scheme: /another scheme$/,
  longer: /one more character$/,
  shorter: /one character less$/,
  case: /letters in the other case$/,
  bare: /without a scheme$/,
  followed: /another word$/,
};

test('without a seed, the first operation gets most wrong keys, the others one each in turn', () => {
  const keys = keysOf(ALL, RIGHT);
  expect(pairs(keys)).toEqual([
    ...['absent', 'unknown', 'empty', 'scheme', 'longer', 'bare'].map((key) => `listThings:key-${key}`),
    ...['absent', 'unknown'].map((key) => `createThing:key-${key}`),
    ...['absent', 'case'].map((key) => `getThing:key-${key}`),
  ]);
  for (const { key, title, validity, expectation, stage } of keys) {
    expect(title).toMatch(TITLES[key as keyof typeof TITLES]);
    expect([validity, statusesOf(expectation), stage]).toEqual(['invalid', ['401'], 'keys']);
  }
});

test('with a seed, each operation gets a key that is like the right one and one that is not, and a message one', () => {
  const message = { ...create, id: 'sendMessage', address: 'apiUrl' };
  const sent = probe(message, 'minimal', 'messages', { title: 'minimal' });
  const like = ['unknown', 'case', 'shorter', 'longer'];
  const unlike = ['empty', 'scheme', 'bare'];
  for (const seed of [0, 1, 2, 3, 4, 5, 6]) {
    const keys = keysOf([list, message, create, get], [...RIGHT, sent], seed);
    const of = (id: string) => keys.filter(({ operation: own }) => own === id).map(({ key }) => key);
    for (const [index, id] of ['listThings', 'createThing', 'getThing'].entries())
      expect(of(id)).toEqual(['absent', like[(seed + index) % 4], unlike[(seed + index) % 3]]);
    expect(of('sendMessage')).toEqual(['absent', [...like, ...unlike][seed]]);
  }
});

test('a wrong key goes with a request that is otherwise right, after one without a key', () => {
  const keys = keysOf(ALL, RIGHT);
  const named = (id: string) => keys.find((each) => each.id === id);
  expect(named('listThings:key-unknown')).toMatchObject({
    ...{ query: [['size', '1']], path: {}, rule: 'authentication.key' },
    controls: ['listThings:key-absent', 'listThings:plain'],
  });
  expect(named('listThings:key-unknown')).not.toHaveProperty('body');
  for (const key of ['scheme', 'bare'])
    expect(named(`listThings:key-${key}`)?.rule).toBe('authentication.scheme');
  for (const key of ['empty', 'longer'])
    expect(named(`listThings:key-${key}`)?.rule).toBe('authentication.key');
  expect(named('listThings:key-absent')).toMatchObject({
    query: [['size', '1']],
    controls: ['listThings:plain'],
  });
  expect(named('listThings:key-absent')).not.toHaveProperty('rule');
  expect(named('getThing:key-case')?.path).toEqual({
    id: { late: 'response', sources: [{ probe: plain.id, pointer: '/0/id' }], otherwise: '1' },
  });
  expect(named('createThing:key-unknown')?.body).toMatchObject({
    json: { name: { late: 'own', of: 'createThing:key-unknown' } },
  });
});

test('no key goes with something else that is wrong, rather a body that no parser can read', () => {
  const odd = [
    wrong(create, 'first', { body: { json: [] } }),
    wrong(create, 'unreadable', { body: { text: '{' }, query: [['a', '1']] }),
    wrong(get, 'unknown', { path: { id: '0' } }),
  ];
  const keys = keysOf(ALL, [...RIGHT, ...odd]).filter(({ key }) => key === 'absent');
  expect(keys.slice(1)).toMatchObject([
    {
      ...{
        title: 'no key, and unreadable',
        rule: 'authentication.first',
        body: { text: '{' },
        query: [['a', '1']],
      },
      controls: ['createThing:minimal', 'createThing:unreadable'],
    },
    {
      ...{ title: 'no key, and unknown', rule: 'authentication.first', path: { id: '0' } },
      controls: ['getThing:one', 'getThing:unknown'],
    },
  ]);
  expect(keys[2]).not.toHaveProperty('body');
  expect(keys[0]).not.toHaveProperty('rule');
  const before = keysOf(ALL, [...RIGHT, ...odd], 'none', []).filter(({ key }) => key === 'absent');
  expect(before.map(({ title }) => title)).toEqual(['no key', 'no key', 'no key']);
});

test('if nothing of an operation is invalid, no key goes with a parameter that may be refused', () => {
  const open = (id: string, change: Partial<Probe>) => wrong(list, id, { validity: 'open', ...change });
  const odd = [
    open('below', { query: [['size', '0']] }),
    open('unknown', { query: [['kind', 'unknown']] }),
    open('without', {}),
    open('extra', { stage: 'first', query: [['page', '1']] }),
  ];
  const keyless = (probes: Probe[]) =>
    keysOf([list], [...RIGHT, ...probes]).find(({ key }) => key === 'absent');
  expect(keyless(odd)).toMatchObject({
    ...{ title: 'no key, and unknown', rule: 'authentication.first', query: [['kind', 'unknown']] },
    controls: ['listThings:plain', 'listThings:unknown'],
  });
  expect(keyless(odd.slice(2))).toMatchObject({ title: 'no key', query: [['size', '1']] });
  expect(keyless([...odd, wrong(list, 'invalid')])).toMatchObject({ title: 'no key, and invalid' });
});

test('an operation is asked with wrong keys if it asks for one, documents a 401, and can be asked otherwise', () => {
  const ask = (change: Partial<Operation>, probes = [plain]) => keysOf([{ ...list, ...change }], probes);
  expect(ask({})).toHaveLength(6);
  expect(ask({ secured: false })).toEqual([]);
  expect(ask({ responses: [response('200'), response('403')] })).toEqual([]);
  expect(ask({}, [])).toEqual([]);
  expect(ask({}, [{ ...plain, validity: 'invalid' }])).toEqual([]);
  expect(ask({}, [{ ...plain, validity: 'open' }])).toHaveLength(6);
});

test('a creation with a wrong key has every field, so that a list with a filter shows what it leaves', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, status: { enum: ['here', 'gone'] } },
  } as const;
  const own = creation(schema, secured);
  const fieldsWith = (seed: number | 'none') =>
    keysOf(
      [list, own],
      [plain, probe(own, 'minimal', 'create', { title: 'minimal', body: { json: {} } })],
      seed,
    )
      .filter(({ operation, key }) => operation === own.id && key !== 'absent')
      .map(({ body }) => (body && 'json' in body ? Object.keys(body.json as object) : []));
  for (const seed of [0, 1, 2, 3, 'none'] as const) {
    expect(fieldsWith(seed).length).toBeGreaterThan(0);
    for (const fields of fieldsWith(seed)) expect(fields).toEqual(['name', 'status']);
  }
});

describe('a document of the user', () => {
  const own = (change: Partial<Operation> = {}) => operation({ ...secured, mayRefuse: true, ...change });
  const reads = ['a', 'b', 'c', 'd'].map((id) => own({ id }));
  const kindsOf = (operations: Operation[], seed: number | 'none', asked = operations) => {
    const keysOfOne = keysOfDocument(contractOf(operations), seed);
    return asked.map((each) => keysOfOne(each, 'right').map(({ key }) => key));
  };

  test('each read gets no key, an unknown one, and one of the others in turn', () => {
    const usual = ['absent', 'unknown'];
    expect(kindsOf(reads, 0)).toEqual(
      ['longer', 'empty', 'shorter', 'longer'].map((further) => [...usual, further]),
    );
    expect(kindsOf(reads, 1)[0]).toEqual([...usual, 'empty']);
    expect(kindsOf(reads, 4_294_967_295)[0]).toEqual([...usual, 'longer']);
  });

  test('fewer reads get two each, so that all kinds are sent from two reads on', () => {
    const sent = kindsOf(reads.slice(0, 2), 0);
    expect(sent.map((kinds) => kinds.length)).toEqual([4, 4]);
    expect(new Set(sent.flat())).toEqual(new Set(['absent', 'unknown', 'longer', 'empty', 'shorter']));
  });

  test('without a seed, for what changes something, and where a key is optional, there are no further keys', () => {
    expect(kindsOf(reads, 'none')[0]).toEqual(['absent', 'unknown']);
    expect(kindsOf([own({ method: 'POST' })], 0)).toEqual([['absent', 'unknown']]);
    expect(kindsOf([own({ secured: false, isKeyOptional: true })], 0)).toEqual([[]]);
  });

  test.each<[what: string, credential: NonNullable<Operation['credential']>, kinds: KeyKind[]]>([
    ['bearer', { in: 'header', name: 'Authorization', scheme: 'Bearer' }, ['empty', 'longer', 'shorter']],
    ['a header', { in: 'header', name: 'X-Key' }, ['empty', 'longer', 'shorter']],
    ['the query', { in: 'query', name: 'key' }, ['empty', 'longer', 'shorter']],
    ['basic', { in: 'header', name: 'Authorization', scheme: 'Basic' }, ['empty']],
    ['a cookie', { in: 'cookie', name: 'sid' }, ['empty']],
  ])('%s: only what every service refuses is sent', (_, credential, kinds) => {
    const sent = [0, 1, 2].flatMap((seed) => kindsOf([own({ credential })], seed).flat());
    expect(new Set(sent)).toEqual(new Set(['absent', 'unknown', ...kinds]));
  });

  test('of several keys that go together, one at a time is wrong', () => {
    const both = own({
      credential: { in: 'header', name: 'X-One', key: 'one' },
      furtherCredentials: [{ in: 'cookie', name: 'two', key: 'two' }],
    });
    const sent = keysOfDocument(contractOf([both]), 2)(both, 'listThings:plain');
    expect(sent.map(({ name, wrongKey }) => [name, wrongKey])).toEqual([
      ['key-absent-one', 'one'],
      ['key-unknown-one', 'one'],
      ['key-absent-two', 'two'],
      ['key-unknown-two', 'two'],
      ['key-shorter-one', 'one'],
      ['key-empty-two', 'two'],
    ]);
    expect(sent[4]).toMatchObject({
      title: 'the key with one character less (one)',
      rule: 'authentication.key',
      controls: ['listThings:key-absent-one', 'listThings:plain'],
    });
  });
});
