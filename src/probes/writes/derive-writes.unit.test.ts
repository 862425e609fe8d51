import { expect, test } from 'vitest';
import { missingIn } from '../../../test/complete-probes.ts';
import {
  contractOf,
  operation,
  parameter,
  pathParameter,
  requirement,
  response,
} from '../../../test/operations.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { deriveWrites } from './derive-writes.ts';

const TEXT: Schema = { type: 'string' };
const ID = pathParameter('shelfId', { type: 'integer' });
const BOOK_ID = pathParameter('bookId', { type: 'integer' });
const made: Schema = { type: 'object', properties: { id: { type: 'integer' } } };
const body = (schema: Schema) => ({ required: true, mediaType: 'application/json', schema, unspecified: [] });
const NEW: Schema = {
  type: 'object',
  required: ['name'],
  properties: { name: TEXT, kind: { type: 'string', enum: ['wood', 'steel'] } },
};
const secured = { secured: true };
const refusing = [response('401'), response('422')];

const shelf = {
  list: operation({ id: 'listShelves', path: '/shelves' }),
  create: operation({
    ...secured,
    ...{ id: 'createShelf', method: 'POST', path: '/shelves', body: body(NEW) },
    responses: [response('201', { schema: made }), ...refusing],
  }),
  get: operation({
    ...secured,
    ...{ id: 'getShelf', path: '/shelves/{shelfId}', parameters: [ID] },
    responses: [response('200', { schema: made }), response('401'), response('404')],
  }),
  put: operation({
    ...{ id: 'putShelf', method: 'PUT', path: '/shelves/{shelfId}', parameters: [ID], body: body(NEW) },
    responses: [response('200'), response('400')],
  }),
  cover: operation({
    ...{ id: 'putCover', method: 'PUT', path: '/shelves/{shelfId}/cover', parameters: [ID], body: body(NEW) },
    responses: [response('204')],
  }),
  remove: operation({
    ...secured,
    ...{ id: 'removeShelf', method: 'DELETE', path: '/shelves/{shelfId}', parameters: [ID] },
    responses: [response('204'), response('401'), response('403')],
  }),
};
const book = {
  create: operation({
    ...{ id: 'createBook', method: 'POST', path: '/shelves/{shelfId}/books', parameters: [ID] },
    responses: [response('201', { schema: made })],
  }),
  get: operation({ id: 'getBook', path: '/shelves/{shelfId}/books/{bookId}', parameters: [ID, BOOK_ID] }),
  remove: operation({
    ...{
      id: 'removeBook',
      method: 'DELETE',
      path: '/shelves/{shelfId}/books/{bookId}',
      parameters: [ID, BOOK_ID],
    },
    responses: [response('204')],
  }),
};
const ALL = [...Object.values(shelf), ...Object.values(book)];
const written = (operations: readonly Operation[]) => deriveWrites(contractOf(operations));
const all = written(ALL);
const named = (id: string, probes = all) => probes.find((each) => each.id === id);
const idsIn = (stage: string, probes = all) =>
  probes.filter((each) => each.stage === stage).map(({ id }) => id);

test('first all is created, read and changed in one chain, a thing before its parts', () => {
  expect(idsIn('create')).toEqual([
    ...['createShelf:first', 'createShelf:second', 'getShelf:created', 'getShelf:created-second'],
    ...['putShelf:changed', 'getShelf:changed-put', 'putCover:changed'],
    ...['createBook:first', 'createBook:second', 'getBook:created', 'getBook:created-second'],
  ]);
  const [first, ...others] = all.filter(({ stage }) => stage === 'create');
  expect(first?.follows).toBeUndefined();
  expect(others.every(({ follows }) => follows)).toBe(true);
});

test('at the end what was created is removed, parts first, and then whatever else a request created', () => {
  const removed = idsIn('remove');
  expect(removed.slice(0, 4)).toEqual([
    'removeBook:removal',
    'getBook:removed',
    'removeShelf:removal',
    'getShelf:removed',
  ]);
  const cleaned = removed.slice(4).map((id) => [id, named(id)?.cleansUp]);
  expect(cleaned).toEqual([
    ['removeBook:clean-up-first', 'createBook:first'],
    ['removeBook:clean-up-second', 'createBook:second'],
    ...all
      .filter(({ operation: own }) => own === 'createShelf')
      .map(({ id }) => [`removeShelf:clean-up-${id.split(':')[1]}`, id]),
  ]);
  const follows = removed.map((id) => named(id)?.follows ?? false);
  expect(follows.slice(0, 5)).toEqual([false, true, true, true, false]);
  expect(named('getShelf:removed')).toMatchObject({ validity: 'open', acceptable: [] });
  expect(named('removeShelf:removal')).toMatchObject({
    validity: 'valid',
    acceptable: ['204'],
    isWriting: true,
  });
});

const own = (...probes: string[]) => ({
  late: 'response',
  isOwn: true,
  sources: probes.map((probe) => ({ probe, pointer: '/id' })),
});
const SHELF = own('createShelf:first', 'createShelf:second');

test('nothing but what this run created is changed, removed, or gets parts', () => {
  for (const id of [
    'getShelf:created',
    'putShelf:changed',
    'putCover:changed',
    'removeShelf:removal',
    'getShelf:removed',
  ])
    expect(named(id)?.path).toEqual({ shelfId: SHELF });
  expect(named('getShelf:created-second')?.path).toEqual({ shelfId: own('createShelf:second') });
  expect(named('createBook:first')?.path).toEqual({ shelfId: SHELF });
  expect(named('removeBook:removal')?.path).toEqual({
    shelfId: SHELF,
    bookId: own('createBook:first', 'createBook:second'),
  });
  expect(named('removeShelf:clean-up-second')?.path).toEqual({ shelfId: own('createShelf:second') });
  expect(
    all.every(({ path, creates, operation: id }) => creates || id === 'createBook' || 'shelfId' in path),
  ).toBe(true);
});

test('each request says what it is there for', () => {
  const words = (id: string) => named(id)?.title;
  expect(words('createShelf:first')).toBe('what is created first');
  expect(words('createShelf:second')).toBe('what is created second');
  expect(words('getShelf:created')).toBe('what was created first');
  expect(words('getShelf:created-second')).toBe('what was created second');
  expect(words('putShelf:changed')).toBe('what was created is changed');
  expect(words('getShelf:changed-put')).toBe('what was changed with PUT');
  expect(words('putCover:changed')).toBe('a part of what was created is replaced');
  expect(words('removeShelf:removal')).toBe('what was created is removed');
  expect(words('getShelf:removed')).toBe('what was removed');
  expect(words('removeShelf:clean-up-second')).toBe('what was created with what is created second');
  expect(missingIn(all, contractOf(ALL, { requirements: RULES }))).toEqual([]);
});

/** The requirements that the document implies. */
const RULES = ['createShelf.body', 'putShelf.body', 'authentication.key'].map(requirement);

test('wrong bodies go where they are refused as documented, few of them to a change', () => {
  const wrong = all.filter(({ stage }) => stage === 'invalid');
  expect(wrong.map(({ id, validity, controls }) => [id, validity, controls])).toEqual([
    ...['name-missing', 'name-object', 'kind-non-member'].map((each) => [
      `createShelf:${each}`,
      'invalid',
      ['createShelf:first', 'createShelf:second'],
    ]),
    ['createShelf:malformed', 'open', ['createShelf:first', 'createShelf:second']],
    ...['name-missing', 'name-object'].map((each) => [`putShelf:${each}`, 'invalid', ['putShelf:changed']]),
    ['putShelf:malformed', 'open', ['putShelf:changed']],
  ]);
  const silent = { ...shelf.put, responses: [response('200')] };
  const without = written([...ALL.filter(({ id }) => id !== 'putShelf'), silent]);
  expect(idsIn('invalid', without).filter((id) => id.startsWith('putShelf'))).toEqual([]);
});

test('no key and an unknown one go wherever a 401 is documented', () => {
  const keys = all.filter(({ stage }) => stage === 'keys');
  expect(keys.map(({ id, title, key, rule, acceptable }) => [id, title, key, rule, acceptable])).toEqual(
    [
      ['createShelf', ['401']],
      ['removeShelf', ['403', '401']],
      // Nothing else knows an id for it.
      ['getShelf', ['401']],
    ].flatMap(([id, acceptable]) => [
      [`${id}:key-absent`, 'no key', 'absent', undefined, acceptable],
      [`${id}:key-unknown`, 'an unknown key', 'unknown', 'authentication.key', acceptable],
    ]),
  );
  for (const { validity } of keys) expect(validity).toBe('invalid');
  expect(named('createShelf:key-absent')?.controls).toEqual(['createShelf:first']);
  expect(named('removeShelf:key-absent')?.controls).toEqual(['createShelf:first']);
  expect(named('getShelf:key-absent')?.controls).toEqual(['getShelf:created']);
  const open = { ...shelf.create, secured: false };
  expect(idsIn('keys', written([open, shelf.get])).filter((id) => id.startsWith('createShelf'))).toEqual([]);
  const silent = { ...shelf.create, responses: [response('201', { schema: made }), response('403')] };
  expect(idsIn('keys', written([silent, shelf.get])).filter((id) => id.startsWith('createShelf'))).toEqual(
    [],
  );
});

test('what cannot be read or removed is created all the same', () => {
  const probes = written([shelf.create, shelf.put]);
  expect(idsIn('create', probes)).toEqual(['createShelf:first', 'createShelf:second', 'putShelf:changed']);
  expect(idsIn('remove', probes)).toEqual([]);
});

test('without a value that a creation needs, nothing of it is sent', () => {
  const odd = body({ ...NEW, properties: { name: { type: 'string', pattern: '^[A-Z]{3}$' } } });
  expect(written([{ ...shelf.create, body: odd }, shelf.get])).toEqual([]);
  const needing = parameter('tenant', { type: 'string', pattern: '^-$' }, { in: 'header', required: true });
  expect(written([{ ...shelf.create, parameters: [needing] }, shelf.get])).toEqual([]);
  const optional = { ...odd, required: false };
  expect(
    named('createShelf:first', written([{ ...shelf.create, body: optional }, shelf.get])),
  ).not.toHaveProperty('body');
});

test('a parameter of the path that is no id of a parent needs a value that the user states', () => {
  const path = '/tenants/{tenant}/shelves';
  const tenant = pathParameter('tenant', TEXT, { example: 'mine' });
  const of = (parameters: Operation['parameters']) =>
    written([
      { ...shelf.create, path, parameters },
      { ...shelf.get, path: `${path}/{shelfId}`, parameters: [...parameters, ID] },
    ]);
  expect(of([tenant])).toEqual([]);
  const probes = of([{ ...tenant, isStated: true }]);
  expect(named('createShelf:first', probes)?.path).toEqual({ tenant: 'mine' });
  expect(named('getShelf:created', probes)?.path).toEqual({ tenant: 'mine', shelfId: SHELF });
});

test('required parameters and those that the user states go with each request', () => {
  const parameters = [
    parameter('trace', TEXT, { in: 'header', required: true, example: 't' }),
    parameter('dry', TEXT, { isStated: true, example: 'no' }),
    parameter('other', TEXT, { example: 'o' }),
  ];
  const probes = written([{ ...shelf.create, parameters }, shelf.get]);
  expect(named('createShelf:second', probes)).toMatchObject({
    headers: [['trace', 't']],
    query: [['dry', 'no']],
  });
});

const burn = operation({
  id: 'burn',
  method: 'POST',
  path: '/shelves/{shelfId}/burn',
  responses: [response('204')],
});
const stated = { ...ID, isStated: true as const, example: 4 };

test('what the user states values for is sent once with these, and nothing else that only changes something', () => {
  const example = (change: Partial<Operation>) => written([{ ...burn, ...change }]).map(({ id }) => id);
  expect(example({ parameters: [stated] })).toEqual([]);
  expect(example({ parameters: [{ ...ID, example: 4 }], isAllowed: true })).toEqual([]);
  expect(example({ parameters: [{ ...stated, example: {} }], isAllowed: true })).toEqual([]);
  const [sent, ...others] = written([{ ...burn, parameters: [stated], isAllowed: true }]);
  expect(others).toEqual([]);
  expect(sent).toMatchObject({
    id: 'burn:example',
    title: 'as in the examples',
    stage: 'other',
    path: { shelfId: '4' },
  });
  const removal = { ...shelf.remove, parameters: [stated], isAllowed: true as const };
  expect(written([removal])).toMatchObject([{ id: 'removeShelf:example', stage: 'remove' }]);
  expect(written([{ ...shelf.get, parameters: [stated], isAllowed: true }])).toEqual([]);
  const planned = written([{ ...shelf.create, isAllowed: true }, shelf.get]);
  expect(planned.map(({ id }) => id)).not.toContain('createShelf:example');
});
