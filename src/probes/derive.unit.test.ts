import { expect, test } from 'vitest';
import { missingIn } from '../../test/exchanges/complete-probes.ts';
import {
  contractOf,
  creation,
  operation,
  parameter,
  pathParameter,
  requirement,
  response,
} from '../../test/operations/operations.ts';
import type { Operation } from '../model/contract.ts';
import { expecting, OPEN, statusesOf } from '../model/http/expectation.ts';
import { deriveProbes } from './derive.ts';

const SIZE = parameter('size', { type: 'integer', minimum: 1, maximum: 9 });
const ID = pathParameter('id', { type: 'integer' });
const link = { operation: 'getThing', parameter: 'id', pointer: '/0/id' };
const list = operation({
  parameters: [SIZE],
  responses: [response('200', { links: [link] }), response('400')],
});
const create = creation(
  {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, size: { type: 'integer', format: 'int64' } },
  },
  { responses: [response('201', { links: [{ ...link, pointer: '/id' }] }), response('400')] },
);
const get = operation({
  id: 'getThing',
  path: '/things/{id}',
  parameters: [ID],
  responses: [response('200'), response('404')],
});
const derived = (operations: Operation[], seed: number | 'none' = 'none') =>
  deriveProbes(contractOf(operations, { isComplete: true }), [], seed);
const named = (id: string, probes = derived([list, create, get])) => probes.find((each) => each.id === id);

test('the first request of a run is the plainest one that is due a success', () => {
  const open = operation({ id: 'ping', path: '/ping', responses: [response('500')] });
  const message = operation({ id: 'listMessages', path: '/messages', address: 'apiUrl' });
  expect(derived([open, message, create, list, get])[0]).toMatchObject({
    id: 'listThings:plain',
    stage: 'first',
    title: 'without parameters',
    expectation: expecting(['200']),
    validity: 'valid',
  });
  expect(derived([open])[0]).toMatchObject({
    id: 'ping:plain',
    stage: 'other',
    title: 'a plain request',
    expectation: OPEN,
    validity: 'open',
  });
});

test('what needs a parameter has no plain request, and its parameters are not tried either', () => {
  const needing = { ...list, parameters: [SIZE, parameter('q', { type: 'string' }, { required: true })] };
  expect(derived([needing]).map(({ id }) => id)).toEqual([]);
});

test('only a POST to a collection creates: nothing is replaced, and nothing below a thing is added', () => {
  const put = { ...create, id: 'putThing', method: 'PUT' };
  const part = { ...create, id: 'addPart', path: '/things/{id}/parts', parameters: [ID] };
  const { body: _, ...bodiless } = { ...create, id: 'reset' };
  expect(derived([put, part, bodiless]).map(({ id }) => id)).toEqual([]);
  expect(derived([create]).length).toBeGreaterThan(5);
});

test('what a creation and a list link to is read: of a thing of this run first, then of the list', () => {
  const reads = derived([list, create, get]).filter(({ stage }) => stage === 'read');
  expect(reads.map(({ id, title, expectation }) => [id, title, statusesOf(expectation)])).toEqual([
    ['getThing:createThing:minimal', 'what was created with only the required fields', ['200']],
    ['getThing:createThing:full-1', 'what was created with all fields, variety 1', ['200']],
    ['getThing:createThing:beyond-2-53', 'what was created with int64 beyond 2^53', ['200']],
    ['getThing:listThings:plain', 'the first of the list', ['200', '404']],
  ]);
  expect(reads.map(({ path }) => path.id)).toEqual(
    [
      ['createThing:minimal', '/id'],
      ['createThing:full-1', '/id'],
      ['createThing:beyond-2-53', '/id'],
      ['listThings:plain', '/0/id'],
    ].map(([probe, pointer]) => ({ late: 'response', sources: [{ probe, pointer }] })),
  );
  expect(derived([list, create]).filter(({ stage }) => stage === 'read')).toEqual([]);
});

test('the plainest valid request of an operation is a control of the others, and not of itself', () => {
  const probes = derived([list, create, get]);
  const plainest = {
    listThings: 'listThings:plain',
    createThing: 'createThing:minimal',
    getThing: 'getThing:createThing:minimal',
  };
  for (const { id, operation: own, controls } of probes) {
    const [first] = controls;
    const expected = plainest[own as keyof typeof plainest];
    if (id === expected) expect(controls).toEqual([]);
    else if (!/:(?:exhaust|recover)$/.test(id)) expect(first, id).toBe(expected);
  }
  const implied = ['size.minimum', 'size.maximum'].map((each) => requirement(`listThings.${each}`));
  const ofBody = ['body', 'body.name', 'body.size'].map((each) => requirement(`createThing.${each}`));
  const contract = contractOf([list, create, get], { requirements: [...implied, ...ofBody] });
  expect(missingIn(probes, contract)).toEqual([]);
});

test('every read may use up the limit, the list with its smallest size', () => {
  const probes = derived([list, create, get]);
  const last = probes.filter(({ stage }) => stage === 'exhaust' || stage === 'recover');
  const before = 'until the limit is reached';
  const after = 'after the time that Retry-After states';
  const smallest = ['listThings.size.minimum', ['listThings:size=minimum'], [['size', '1']]];
  expect(last.map(({ id, title, rule, controls, query }) => [id, title, rule, controls, query])).toEqual([
    ['listThings:exhaust', before, ...smallest],
    ['getThing:exhaust', before, undefined, [], []],
    ['listThings:recover', after, ...smallest],
    ['getThing:recover', after, undefined, [], []],
  ]);
  expect(named('getThing:exhaust')).toMatchObject({
    expectation: expecting(['200']),
    validity: 'valid',
    path: {
      id: {
        late: 'response',
        sources: expect.arrayContaining([{ probe: 'createThing:minimal', pointer: '/id' }]),
      },
    },
  });
  expect(named('getThing:exhaust')?.path.id).not.toHaveProperty('otherwise');
});

test('two sizes are both the smallest, and neither is what the request is there for', () => {
  const both = { ...list, parameters: [SIZE, parameter('skip', { type: 'integer', minimum: 0 })] };
  expect(named('listThings:exhaust', derived([both]))).toMatchObject({
    query: [
      ['size', '1'],
      ['skip', '0'],
    ],
    controls: [],
  });
  expect(named('listThings:exhaust', derived([both]))).not.toHaveProperty('rule');
  const header = {
    ...list,
    parameters: [parameter('trace', { type: 'integer', minimum: 1 }, { in: 'header' })],
  };
  expect(named('listThings:exhaust', derived([header]))?.query).toEqual([]);
});

test('nothing but a read at the base address uses up the limit', () => {
  const message = operation({ id: 'listMessages', path: '/messages', address: 'apiUrl' });
  const stages = derived([message, create]).map(({ stage }) => stage);
  expect(stages).not.toContain('exhaust');
});

test('a request that is due one of several statuses, or a refusal, is no control', () => {
  const several = { ...list, responses: [response('200'), response('204'), response('400')] };
  for (const { controls, id } of derived([several]))
    if (!/:(?:exhaust|recover|all-parameters)$/.test(id)) expect(controls, id).toEqual([]);
  expect(named('getThing:unknown-again', derived([get]))?.controls).toEqual([]);
  expect(named('getThing:non-integer', derived([get]))?.controls).toEqual(['getThing:unknown']);
});

test('without a seed there are no other spellings, and no extreme value but the least', () => {
  const ids = derived([{ ...list, secured: true }, create]).map(({ id }) => id);
  expect(ids.filter((id) => /:(?:spelled-\w+|spare|zero)$/.test(id))).toEqual([]);
  expect(ids).toContain('createThing:minimum');
  expect(derived([list, create, get]).every(({ id }) => id !== '')).toBe(true);
});
