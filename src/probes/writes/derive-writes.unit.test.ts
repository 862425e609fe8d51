import { expect, test } from 'vitest';
import { missingIn } from '../../../test/exchanges/complete-probes.ts';
import {
  body,
  contractOf,
  operation,
  pathParameter,
  requirement,
  response,
} from '../../../test/operations/operations.ts';
import { book, idsIn, made, NEW, shelf, written } from '../../../test/operations/shelf-operations.ts';
import { expecting, OPEN, statusesOf } from '../../model/http/expectation.ts';

const ALL = [...Object.values(shelf), ...Object.values(book)];
const all = written(ALL);
const named = (id: string, probes = all) => probes.find((each) => each.id === id);

test('first all is created, read and changed in one chain, a thing before its parts', () => {
  expect(idsIn('create', all)).toEqual([
    ...['createShelf:first', 'createShelf:second', 'getShelf:created', 'getShelf:created-second'],
    ...['putShelf:changed', 'getShelf:changed-put', 'putCover:changed'],
    ...['createBook:first', 'createBook:second', 'getBook:created', 'getBook:created-second'],
    // A run creates so many things at most: the ones that others need come first.
    ...['createShelf:texts', 'getShelf:created-texts'],
  ]);
  const [first, ...others] = all.filter(({ stage }) => stage === 'create');
  expect(first?.follows).toBeUndefined();
  expect(others.every(({ follows }) => follows)).toBe(true);
});

test('what has bounds is also created with its largest values, read, and removed', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', maxLength: 30 },
      seats: { type: 'integer', maximum: 500 },
      note: { type: 'string', maxLength: 5_000 },
    },
  };
  const probes = written([{ ...shelf.create, body: body(schema) }, shelf.get, shelf.remove]);
  const json = named('createShelf:largest', probes)?.body as { json: Record<string, unknown> };
  expect(json.json).toEqual({
    name: { late: 'own', as: 'text', like: `${'x'.repeat(14)}petspec-xxxxxxxx`, of: 'createShelf:largest' },
    seats: 500,
    // No service usually has texts of thousands of characters.
    note: { late: 'own', as: 'text', like: 'petspec-xxxxxxxx', of: 'createShelf:largest' },
  });
  expect(named('getShelf:created-largest', probes)?.path).toEqual({ shelfId: own('createShelf:largest') });
  expect(probes.filter(({ cleansUp }) => cleansUp === 'createShelf:largest')).toHaveLength(1);
});

test('at the end what was created is removed, parts first, and of each kind what was created last', () => {
  const removed = idsIn('remove', all);
  const shelves = all.filter(({ operation: of }) => of === 'createShelf').map(({ id }) => id);
  expect(removed.map((id) => named(id)?.cleansUp ?? id)).toEqual([
    ...['removeBook:removal', 'getBook:removed', 'createBook:second', 'createBook:first'],
    ...['removeShelf:removal', 'getShelf:removed', ...shelves.toReversed()],
  ]);
  const following = removed.filter((id) => named(id)?.follows);
  expect(following).toEqual(['getBook:removed', 'getShelf:removed']);
  expect(named('getShelf:removed')).toMatchObject({ validity: 'open', expectation: OPEN });
  expect(named('removeShelf:removal')).toMatchObject({
    validity: 'valid',
    expectation: expecting(['204']),
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
  const ofCreation = (name: string) => [
    `createShelf:${name}`,
    'invalid',
    ['createShelf:first', 'createShelf:second'],
  ];
  expect(wrong.map(({ id, validity, controls }) => [id, validity, controls])).toEqual([
    ...['name-missing', 'name-object', 'kind-non-member', 'name-null'].map(ofCreation),
    ['createShelf:malformed', 'open', ['createShelf:first', 'createShelf:second']],
    ...['empty', 'array', 'null'].map(ofCreation),
    ...['name-array', 'kind-other-case', 'kind-array', 'name-other-type'].map(ofCreation),
    ...['name-missing', 'name-object', 'name-other-type'].map((each) => [
      `putShelf:${each}`,
      'invalid',
      ['putShelf:changed'],
    ]),
    ['putShelf:malformed', 'open', ['putShelf:changed']],
  ]);
  const silent = { ...shelf.put, responses: [response('200')] };
  const without = written([...ALL.filter(({ id }) => id !== 'putShelf'), silent]);
  expect(idsIn('invalid', without).filter((id) => id.startsWith('putShelf'))).toEqual([]);
});

test('no key and an unknown one go wherever a key is asked for', () => {
  const keys = all.filter(({ stage }) => stage === 'keys');
  expect(
    keys.map(({ id, title, key, rule, expectation }) => [id, title, key, rule, statusesOf(expectation)]),
  ).toEqual(
    [
      ['createShelf', ['401']],
      ['removeShelf', ['403', '401']],
      // Nothing else knows an id for it.
      ['getShelf', ['401']],
    ].flatMap(([id, statuses]) => [
      [`${id}:key-absent`, 'no key', 'absent', undefined, statuses],
      [`${id}:key-unknown`, 'an unknown key', 'unknown', 'authentication.key', statuses],
    ]),
  );
  for (const { validity } of keys) expect(validity).toBe('invalid');
  expect(named('createShelf:key-absent')?.controls).toEqual(['createShelf:first']);
  expect(named('removeShelf:key-absent')?.controls).toEqual(['createShelf:first']);
  expect(named('getShelf:key-absent')?.controls).toEqual(['getShelf:created']);
  const open = { ...shelf.create, secured: false };
  expect(idsIn('keys', written([open, shelf.get])).filter((id) => id.startsWith('createShelf'))).toEqual([]);
  const silent = { ...shelf.create, responses: [response('201', { schema: made }), response('403')] };
  const ofSilent = written([{ ...silent, mayRefuse: true }, shelf.get]).filter(
    ({ stage, operation: of }) => stage === 'keys' && of === 'createShelf',
  );
  expect(ofSilent.map(({ expectation, rule }) => [statusesOf(expectation), rule])).toEqual([
    [['3XX', '4XX'], 'createShelf.key'],
    [['3XX', '4XX'], 'authentication.key'],
  ]);
});

test('bodies differ: the first has what is required, the second all, and a change other values', () => {
  const text = (of: string) => ({ late: 'own', as: 'text', like: 'petspec-xxxxxxxx', of });
  const json = (id: string) => named(id)?.body;
  expect(json('createShelf:first')).toEqual({ json: { name: text('createShelf:first') } });
  expect(json('createShelf:second')).toEqual({ json: { name: text('createShelf:second'), kind: 'wood' } });
  expect(json('putShelf:changed')).toEqual({ json: { name: text('putShelf:changed'), kind: 'steel' } });
  expect(json('putCover:changed')).toEqual({ json: { name: text('putCover:changed'), kind: 'wood' } });
  expect(json('createShelf:key-absent')).toEqual({
    json: { name: text('createShelf:key-absent'), kind: 'wood' },
  });
  expect(json('createBook:first')).toBeUndefined();
});

test('a body refers to what the run created of something else', () => {
  const owner = { ...shelf.create, id: 'createOwner', path: '/owners' };
  const getOwner = operation({
    id: 'getOwner',
    path: '/owners/{ownerId}',
    parameters: [pathParameter('ownerId', {})],
  });
  const ofOwner = { ...NEW, required: ['ownerId'], properties: { ownerId: { type: 'integer' } } };
  const probes = written([{ ...shelf.create, body: body(ofOwner) }, shelf.get, owner, getOwner]);
  expect(idsIn('create', probes)[0]).toBe('createOwner:first');
  expect(named('createShelf:first', probes)?.body).toMatchObject({
    json: { ownerId: { late: 'created', probes: ['createOwner:first', 'createOwner:second'], otherwise: 1 } },
  });
});

test('what has free texts is also created with several scripts and signs in them, and whatever has a form stays plain', () => {
  const text = { type: 'string' };
  const schema = {
    type: 'object',
    required: ['title'],
    properties: {
      title: { ...text, maxLength: 40 },
      note: text,
      mark: { ...text, maxLength: 10 },
      mail: { ...text, format: 'email' },
      shade: { ...text, pattern: '^[a-z-]+$' },
      kind: { ...text, enum: ['wood'] },
      homepageUrl: text,
      owner: { type: 'object', properties: { nick: text } },
    },
  };
  const create = { ...shelf.create, body: body(schema) };
  const probes = written([create, shelf.get, shelf.remove]);
  const sent = named('createShelf:texts', probes);
  const { json } = (sent?.body ?? { json: {} }) as {
    json: Record<string, { like: string } & Record<string, { like: string }>>;
  };
  const isMixed = (like = '') => ['👩', '"'].every((sign) => like.includes(sign)) && /-x{8}$/.test(like);
  expect([json.title?.like, json.note?.like, json.owner?.nick?.like].map(isMixed)).toEqual([
    true,
    true,
    true,
  ]);
  expect([...(json.title?.like ?? '')]).toHaveLength(40);
  expect(json.title?.like).toContain('猫');
  for (const sign of ['C:\\new', '%41', '<b id="x">', 'e\u0301']) expect(json.note?.like).toContain(sign);
  const plain = named('createShelf:second', probes)?.body as { json: Record<string, { like: string }> };
  for (const name of ['mark', 'mail', 'shade', 'kind', 'homepageUrl'])
    expect([name, json[name]?.like]).toEqual([name, plain.json[name]?.like]);
  // A service may refuse it.
  expect(sent).toMatchObject({ validity: 'open', expectation: OPEN });
  expect(named('getShelf:created-texts', probes)?.path).toEqual({ shelfId: own('createShelf:texts') });
  expect(probes.filter(({ cleansUp }) => cleansUp === 'createShelf:texts')).toHaveLength(1);
});

test.each<[what: string, change: object]>([
  ['no free text', { schema: { type: 'object', properties: { kind: { type: 'string', enum: ['wood'] } } } }],
  [
    'a text that is its id',
    {
      schema: {
        type: 'object',
        required: ['shelfId'],
        properties: { shelfId: { type: 'string' }, note: { type: 'string' } },
      },
    },
  ],
  ['a form', { mediaType: 'application/x-www-form-urlencoded' }],
  ['a body that the user states', { isStated: true, example: { name: 'Oak' } }],
])('there are no such texts in %s', (_, change) => {
  const create = { ...shelf.create, body: { ...body(NEW), ...change } };
  expect(idsIn('create', written([create, shelf.get, shelf.remove]))).not.toContain('createShelf:texts');
  expect(idsIn('create', written([create, shelf.get, shelf.remove]))).toContain('createShelf:first');
});

test('such a thing is created where it can be read or removed', () => {
  const ids = (...operations: (typeof shelf.get)[]) =>
    idsIn('create', written([shelf.create, ...operations]));
  expect(ids(shelf.put)).not.toContain('createShelf:texts');
  expect(ids(shelf.remove)).toContain('createShelf:texts');
});

/** What the requests of an operation are, by their stage. */
const ofOperation = (id: string, operations: Parameters<typeof written>[0]) =>
  written(operations)
    .filter(({ operation: of }) => of === id)
    .map(({ stage, title }) => `${stage}: ${title}`);

test('a list below what the run created, which nothing else shows, is also asked for with wrong keys', () => {
  const pages = operation({
    ...{ id: 'listPages', path: '/shelves/{shelfId}/pages', parameters: shelf.get.parameters, secured: true },
    responses: [response('200'), response('401')],
  });
  expect(ofOperation('listPages', [shelf.create, shelf.get, pages])).toEqual([
    'create: what is below what was created',
    'keys: no key',
    'keys: an unknown key',
  ]);
});

test('in a sandbox, wrong keys are tried on what is there before the right one', () => {
  const list = { ...shelf.list, responses: [response('200', { schema: { type: 'array', items: made } })] };
  expect(ofOperation('removeShelf', [list, shelf.get, { ...shelf.remove, isUnguarded: true }])).toEqual([
    'keys: no key',
    'keys: an unknown key',
    'remove: in a sandbox',
  ]);
});
