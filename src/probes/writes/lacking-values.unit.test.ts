import { expect, test } from 'vitest';
import { body, operation, parameter, pathParameter, response } from '../../../test/operations/operations.ts';
import { ID, idsIn, made, NEW, shelf, TEXT, written } from '../../../test/operations/shelf-operations.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { exceededValues, validBody } from './bodies.ts';

const named = (id: string, probes: ReturnType<typeof written>) => probes.find((each) => each.id === id);

test('what cannot be read or removed is created all the same', () => {
  const probes = written([shelf.create, shelf.put]);
  expect(idsIn('create', probes)).toEqual(['createShelf:first', 'createShelf:second', 'putShelf:changed']);
  expect(idsIn('remove', probes)).toEqual([]);
});

test('without a value that a creation needs, nothing of it is sent', () => {
  const odd = body({ ...NEW, properties: { name: { type: 'string', pattern: '^(?=A)[A-Z]{3}$' } } });
  expect(written([{ ...shelf.create, body: odd }, shelf.get])).toEqual([]);
  const needing = parameter(
    'tenant',
    { type: 'string', pattern: '^(?!)$' },
    { in: 'header', required: true },
  );
  expect(written([{ ...shelf.create, parameters: [needing] }, shelf.get])).toEqual([]);
  const optional = { ...odd, required: false };
  expect(
    named('createShelf:first', written([{ ...shelf.create, body: optional }, shelf.get])),
  ).not.toHaveProperty('body');
});

// Without a bound it would have 10^8 values.
const WIDE = Array.from({ length: 8 }).reduce<Schema>(
  (inner, _, level) => {
    const names = Array.from({ length: 10 }, (_, index) => `f${index}`);
    return {
      'x-component': `Wide${level}`,
      type: 'object',
      required: names,
      properties: Object.fromEntries(names.map((name) => [name, inner])),
    };
  },
  { type: 'boolean' },
);

test('a body that needs very many values is not sent, unless an example states it', () => {
  const create = { ...shelf.create, body: body(WIDE) };
  expect(written([create, shelf.get])).toEqual([]);
  expect(exceededValues(create)).toBe(10_000);
  expect(exceededValues(shelf.create)).toBeUndefined();
  const isStated = { ...create, body: { ...body(WIDE), isStated: true as const, example: { f0: 1 } } };
  expect(exceededValues(isStated)).toBeUndefined();
  expect(named('createShelf:first', written([isStated, shelf.get]))).toMatchObject({ body: {} });
});

test('nor is an optional part that does not fit into a body', () => {
  const create = {
    ...shelf.create,
    body: body({ ...NEW, properties: { z: WIDE, ...NEW.properties } }),
  };
  expect(exceededValues(create)).toBeUndefined();
  expect(validBody(create, 'first', 'x')).not.toHaveProperty('z');
  const second = validBody(create, 'second', 'x');
  expect(second).toBeDefined();
  expect(second).not.toHaveProperty('z');
});

test('alternatives that lead to each other in very many ways are looked at once', () => {
  const choice = Array.from({ length: 60 }).reduce<Schema>(
    (inner, _, level) => ({ 'x-component': `Choice${level}`, anyOf: [inner, inner] }),
    NEW,
  );
  const create = { ...shelf.create, body: body(choice) };
  expect(idsIn('create', written([create, shelf.get]))).toEqual([]);
  expect(exceededValues(create)).toBeUndefined();
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
  expect(named('getShelf:created', probes)?.path).toMatchObject({ tenant: 'mine', shelfId: { isOwn: true } });
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

test('nothing else is planned', () => {
  const ids = (operations: readonly Operation[]) => written(operations).map((each) => each.id);
  const plain = {
    ...shelf.create,
    secured: false,
    responses: [response('201', { schema: made }), response('422')],
  };
  const sent = [
    'first',
    'second',
    'name-missing',
    'name-object',
    'kind-non-member',
    'name-null',
    'malformed',
    'empty',
    'array',
    'null',
    'name-array',
    'kind-other-case',
    'kind-array',
    'name-other-type',
  ].map((each) => `createShelf:${each}`);
  expect(ids([plain, { ...shelf.put, responses: [response('200')] }])).toEqual([
    ...sent.slice(0, 2),
    'putShelf:changed',
    ...sent.slice(2),
  ]);
  expect(
    ids([
      { ...plain, body: body({ type: 'object' }) },
      { ...shelf.get, secured: false },
    ]),
  ).toEqual([
    ...[
      'createShelf:first',
      'createShelf:second',
      'getShelf:created',
      'getShelf:created-second',
      ...['malformed', 'empty', 'array', 'null'].map((each) => `createShelf:${each}`),
    ],
  ]);
  const odd = { ...NEW, properties: { name: { type: 'string', pattern: '^(?=A)[A-Z]{3}$' } } };
  const changed = { ...shelf.put, body: body(odd), responses: [response('200')] };
  const part = { ...shelf.cover, body: body(odd) };
  expect(ids([plain, changed, part])).toEqual(sent);
  const both = { ...plain, body: body({ ...odd, required: [] }) };
  expect(
    ids([both, { ...shelf.remove, secured: false, body: body(odd) }]).filter((id) => id.includes('remov')),
  ).toEqual([]);
});

test('a change is refused with a 422, too', () => {
  const put = { ...shelf.put, responses: [response('200'), response('422')] };
  expect(
    idsIn('invalid', written([shelf.create, put])).filter((id) => id.startsWith('putShelf')),
  ).toHaveLength(4);
});

test('of several values of a path, the user states all or none are used', () => {
  const many = { ...burn, path: '/tenants/{tenant}/shelves/{shelfId}/burn', isAllowed: true as const };
  const tenant = pathParameter('tenant', TEXT, { example: 'mine' });
  const wet = parameter('wet', TEXT, { example: 'no' });
  expect(written([{ ...many, parameters: [stated, tenant] }])).toEqual([]);
  expect(written([{ ...many, parameters: [stated, { ...tenant, isStated: true, example: {} }] }])).toEqual(
    [],
  );
  expect(written([{ ...many, parameters: [wet, stated, { ...tenant, isStated: true }] }])).toMatchObject([
    { path: { tenant: 'mine', shelfId: '4' }, query: [] },
  ]);
});
