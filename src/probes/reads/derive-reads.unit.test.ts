import { expect, test } from 'vitest';
import { missingIn } from '../../../test/exchanges/complete-probes.ts';
import {
  contractOf,
  operation,
  parameter,
  pathParameter,
  requirement,
  response,
} from '../../../test/operations/operations.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { expecting, statusesOf } from '../../model/http/expectation.ts';
import { whole } from '../../model/large/steps.ts';
import { derivingReads } from './derive-reads.ts';

const deriveReads = whole(derivingReads);

const listOf = (...names: string[]): Schema => ({
  type: 'array',
  items: { type: 'object', properties: Object.fromEntries(names.map((each) => [each, { type: 'integer' }])) },
});
const SHELF_ID = pathParameter('shelfId', { type: 'integer' });
const BOOK_ID = pathParameter('bookId', { type: 'integer' });
const found = [response('200'), response('404')];

const ping = operation({ id: 'ping', path: '/ping' });
const listShelves = operation({
  ...{ id: 'listShelves', path: '/shelves', secured: true },
  responses: [response('200', { schema: listOf('id') }), response('401')],
});
const getShelf = operation({
  id: 'getShelf',
  path: '/shelves/{shelfId}',
  parameters: [SHELF_ID],
  responses: found,
});
const listBooks = operation({
  ...{ id: 'listBooks', path: '/shelves/{shelfId}/books', parameters: [SHELF_ID] },
  responses: [response('200', { schema: listOf('bookId') })],
});
const getBook = operation({
  ...{ id: 'getBook', path: '/shelves/{shelfId}/books/{bookId}', parameters: [SHELF_ID, BOOK_ID] },
  responses: found,
});
const ALL = [getBook, listBooks, ping, getShelf, listShelves];
const derived = (operations: readonly Operation[], ids: string[] = []) =>
  deriveReads(contractOf(operations, { requirements: ids.map(requirement) }));
const all = derived(ALL);
const named = (id: string, probes = all) => probes.find((each) => each.id === id);

test('lists that know the ids of others come first, then what needs them', () => {
  const plain = all.filter(({ id }) => id.endsWith(':plain'));
  expect(plain.map(({ id, stage, title, follows }) => [id, stage, title, follows ?? false])).toEqual([
    ['ping:plain', 'first', 'a plain request', false],
    ['listShelves:plain', 'find', 'a plain request', false],
    ['listBooks:plain', 'find', 'a plain request, shelfId as listed or as in the document', false],
    ['getBook:plain', 'read', 'a plain request, shelfId and bookId as listed or as in the document', false],
    ['getShelf:plain', 'read', 'a plain request, shelfId as listed or as in the document', false],
  ]);
  const shelfId = { late: 'response', sources: [{ probe: 'listShelves:plain', pointer: '/0/id' }] };
  expect(named('getShelf:plain')?.path).toEqual({ shelfId });
  expect(named('getBook:plain')?.path).toEqual({
    shelfId,
    bookId: { late: 'response', sources: [{ probe: 'listBooks:plain', pointer: '/0/bookId' }] },
  });
  expect(missingIn(all, contractOf(ALL, { requirements: [requirement('authentication.key')] }))).toEqual([]);
});

test('lists that need no ids do not wait for each other', () => {
  const listAuthors = { ...listShelves, id: 'listAuthors', path: '/authors' };
  const getAuthor = operation({
    id: 'getAuthor',
    path: '/authors/{id}',
    parameters: [pathParameter('id', {})],
  });
  const probes = derived([ping, listAuthors, getAuthor, listShelves, getShelf]);
  const finding = probes.filter(({ stage }) => stage === 'find');
  expect(finding.map(({ id, follows }) => [id, follows])).toEqual([
    ['listAuthors:plain', undefined],
    ['listShelves:plain', undefined],
  ]);
});

test('the first request needs no id; a read with an id that the document states is an ordinary one', () => {
  const stated = { ...getShelf, parameters: [{ ...SHELF_ID, example: 3 }] };
  const probes = derived([stated, ping]);
  expect(probes.slice(0, 2).map(({ id, stage }) => [id, stage])).toEqual([
    ['ping:plain', 'first'],
    ['getShelf:plain', 'read'],
  ]);
  expect(named('getShelf:plain', probes)?.path).toEqual({ shelfId: '3' });
  expect(derived([ping, { ...ping, id: 'pong' }]).map(({ stage }) => stage)).toEqual(['first', 'list']);
});

test('an id that does not exist is asked for where a 404 is documented, in place of the last one', () => {
  const unknown = all.filter(({ id }) => id.endsWith(':unknown'));
  expect(unknown.map(({ id }) => id)).toEqual(['getBook:unknown', 'getShelf:unknown']);
  expect(named('getBook:unknown')).toMatchObject({
    title: 'a bookId that does not exist',
    stage: 'invalid',
    validity: 'invalid',
    expectation: expecting([], ['404']),
    controls: ['getBook:plain'],
    path: {
      shelfId: named('getShelf:plain')?.path.shelfId,
      bookId: { late: 'random', format: 'int32', like: [{ probe: 'listBooks:plain', pointer: '/0/bookId' }] },
    },
  });
});

test.each<[schema: Schema, value: unknown]>([
  [{ type: 'integer' }, { late: 'random', format: 'int32', like: [] }],
  [{ type: 'number' }, { late: 'random', format: 'int32', like: [] }],
  [
    { type: 'integer', pattern: '^a$' },
    { late: 'random', format: 'int32', like: [] },
  ],
  [
    { type: 'integer', format: 'int32' },
    { late: 'random', format: 'int32', like: [] },
  ],
  [
    { type: 'integer', format: 'int64' },
    { late: 'random', format: 'int64', like: [] },
  ],
  [
    { type: 'integer', format: 'int64', maximum: 2 ** 62 },
    { late: 'random', format: 'int32', like: [] },
  ],
  [{ type: 'integer', maximum: 2 ** 31 - 2 }, undefined],
  [{ type: 'integer', minimum: 2 ** 30 + 1 }, undefined],
  [{ type: 'string' }, 'petspec-none-such'],
  [
    { type: 'string', format: 'uuid' },
    expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/),
  ],
  [{ type: 'string', pattern: '^[a-z-]+$' }, 'petspec-none-such'],
  [{ type: 'string', pattern: '^\\d+$' }, undefined],
  [{ type: 'string', pattern: '^cus\\-\\d+$' }, undefined],
  [{ type: 'string', pattern: '^petspec\\-none' }, 'petspec-none-such'],
  [{ type: 'string', format: 'uuid', pattern: '^f' }, expect.stringMatching(/^f/)],
  [{ type: 'string', enum: ['a'] }, undefined],
])('an id of the schema %j that does not exist', (schema, value) => {
  const example = schema.type === 'string' ? 'a' : 1;
  const probes = derived([
    { ...getShelf, parameters: [pathParameter('shelfId', schema, { example, isStated: true })] },
  ]);
  expect(named('getShelf:unknown', probes)?.path.shelfId).toEqual(value);
});

test('no key and an unknown one are sent where a key is asked for', () => {
  const keys = all.filter(({ stage }) => stage === 'keys');
  const fields = { validity: 'invalid', expectation: expecting([], ['401']), stage: 'keys', path: {} };
  expect(keys).toMatchObject([
    {
      ...fields,
      id: 'listShelves:key-absent',
      title: 'no key',
      key: 'absent',
      controls: ['listShelves:plain'],
    },
    {
      ...fields,
      id: 'listShelves:key-unknown',
      title: 'an unknown key',
      key: 'unknown',
      rule: 'authentication.key',
      controls: ['listShelves:key-absent', 'listShelves:plain'],
    },
  ]);
  expect(keys[0]).not.toHaveProperty('rule');
  const keysOf = (change: Partial<Operation>) =>
    derived([{ ...listShelves, ...change }])
      .filter(({ stage }) => stage === 'keys')
      .map(({ expectation }) => statusesOf(expectation));
  expect(keysOf({ secured: false })).toEqual([]);
  expect(keysOf({ responses: [response('200'), response('403')] })).toEqual([
    ['3XX', '4XX'],
    ['3XX', '4XX'],
  ]);
  expect(keysOf({ responses: [response('200'), response('401'), response('403')] })).toEqual([
    ['403', '401'],
    ['403', '401'],
  ]);
});

test('the first three reads that need no id may use up a stated limit', () => {
  const reads = [1, 2, 3, 4].map((each) => operation({ id: `read${each}`, path: `/read${each}` }));
  const used = (operations: Operation[], ids = ['rate-limit.enforced']) =>
    derived(operations, ids).filter(({ stage }) => stage === 'exhaust' || stage === 'recover');
  expect(used([getShelf, ...reads].map((each) => each)).map(({ id }) => id)).toEqual(
    ['exhaust', 'recover'].flatMap((stage) => ['read1', 'read2', 'read3'].map((each) => `${each}:${stage}`)),
  );
  expect(used(reads, [])).toEqual([]);
  const [, second] = reads;
  expect(used([{ ...ping, address: 'other' }, ...(second ? [second] : [])]).map(({ id }) => id)).toEqual([
    'read2:exhaust',
    'read2:recover',
  ]);
  const parameters = [
    parameter('q', { type: 'string' }, { required: true }),
    parameter('trace', { type: 'string' }, { in: 'header', required: true }),
    parameter('session', { type: 'string' }, { in: 'cookie', required: true }),
  ];
  expect(used([{ ...ping, parameters }])).toMatchObject(
    [
      ['exhaust', 'until the limit is reached'],
      ['recover', 'after the time that Retry-After states'],
    ].map(([stage, title]) => ({
      ...{ id: `ping:${stage}`, title, stage, expectation: expecting(['200']), validity: 'valid' },
      query: [['q', 'petspec']],
      headers: [['trace', 'petspec']],
      cookies: [['session', 'petspec']],
    })),
  );
});

test('only a stated limit is used up, and only by reads that need no id', () => {
  const ids = (...stated: string[]) =>
    derived(ALL, stated).flatMap(({ id, stage }) => (stage === 'exhaust' ? [id] : []));
  expect(ids('rate-limit.enforced')).toEqual(['ping:exhaust', 'listShelves:exhaust']);
  expect(ids('authentication.key')).toEqual([]);
});

test('a plain read is all there is of one without parameters, keys and limits', () => {
  expect(derived([ping]).map((each) => each.id)).toEqual(['ping:plain']);
  const stated = { ...getShelf, parameters: [{ ...SHELF_ID, example: 3 }], responses: [response('200')] };
  expect(derived([stated]).map((each) => each.id)).toEqual(['getShelf:plain']);
});
