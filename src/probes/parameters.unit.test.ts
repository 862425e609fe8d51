import { expect, test } from 'vitest';
import { operation, parameter, pathParameter, response } from '../../test/operations/operations.ts';
import { loadContract } from '../contract/load.ts';
import type { Operation, Parameter } from '../model/contract.ts';
import { expecting, statusesOf } from '../model/http/expectation.ts';
import type { Probe } from '../model/probe.ts';
import { guessedPath, knownPath, parameterProbes, pathProbes } from './parameters.ts';
import { probe } from './probe.ts';

const known = loadContract().operations.find(({ id }) => id === 'listPets');
if (!known) throw new Error('the interface has no listPets');
const list: Operation = known;

const sent = (parameters: readonly Parameter[]) =>
  Object.fromEntries(
    parameterProbes({ ...list, parameters: [...parameters] })
      .filter(({ validity }) => validity === 'valid')
      .map(({ id, query }) => [id, query.map((each) => each.join('=')).join('&')]),
  );

test('each status goes with the largest page, and one alone; the bounds of limit are sent by themselves', () => {
  expect(sent(list.parameters)).toEqual({
    'listPets:limit=minimum': 'limit=1',
    'listPets:limit=maximum': 'limit=100',
    'listPets:status-alone': 'status=sold',
    'listPets:status=available': 'status=available&limit=100',
    'listPets:status=pending': 'status=pending&limit=100',
    'listPets:status=sold': 'status=sold&limit=100',
    'listPets:all-parameters': 'limit=3&status=sold',
  });
});

test('a filter without a page size beside it is sent as it is, once for each member', () => {
  expect(sent(list.parameters.filter(({ name }) => name === 'status'))).toEqual({
    'listPets:status=available': 'status=available',
    'listPets:status=pending': 'status=pending',
    'listPets:status=sold': 'status=sold',
  });
});

test('the largest page comes in a later stage than what it is compared with', () => {
  const probes = parameterProbes(list);
  const stageOf = (id: string) => probes.find((each) => each.id === id)?.stage;
  expect(stageOf('listPets:status=pending')).toBe('read');
  expect(stageOf('listPets:limit=maximum')).toBe('list');
});

test('no request is a control of its own control', () => {
  const probes = parameterProbes(list);
  const reached = (id: string): string[] =>
    (probes.find((each) => each.id === id)?.controls ?? []).flatMap((each) => [each, ...reached(each)]);
  for (const { id } of probes) expect(reached(id)).not.toContain(id);
});

const SIZE = parameter('size', { type: 'integer', minimum: 1, maximum: 9 });
const PAGE = parameter('page', { type: 'integer', maximum: 50 });
const STATE = parameter('state', { type: 'string', enum: ['new', 'sold'] });
const NAME = parameter('name', { type: 'string', minLength: 2, maxLength: 3 });
const refusing = { responses: [response('200'), response('400')] };

test('each parameter is sent with what is wrong for it, and a 400 is due', () => {
  const probes = parameterProbes(operation({ parameters: [SIZE, STATE, NAME, PAGE], ...refusing }));
  const wrong = probes.filter(({ stage }) => stage === 'invalid');
  expect(wrong.map(({ id, title, query }) => [id.split('=')[1], title, query.join()])).toEqual([
    ['below', 'size one below the minimum', 'size,0'],
    ['above', 'size one above the maximum', 'size,10'],
    ['wrong-type', 'size of the wrong type', 'size,abc'],
    ['non-member', 'state not in its enumeration', 'state,unknown'],
    ['too-short', 'name one shorter than allowed', 'name,x'],
    ['too-long', 'name one longer than allowed', 'name,xxxx'],
    ['above', 'page one above the maximum', 'page,51'],
    ['wrong-type', 'page of the wrong type', 'page,abc'],
  ]);
  for (const each of wrong)
    expect([each.validity, statusesOf(each.expectation)]).toEqual(['invalid', ['400']]);
});

test('without a documented 400 it is open what a wrong parameter gets', () => {
  const wrong = parameterProbes(operation({ parameters: [STATE] })).filter(
    ({ stage }) => stage === 'invalid',
  );
  expect(wrong.map(({ validity, expectation }) => [validity, statusesOf(expectation)])).toEqual([
    ['open', []],
  ]);
});

test('a text is as long as its bounds say', () => {
  const probes = parameterProbes(operation({ parameters: [NAME] }));
  expect(probes.slice(0, 2).map(({ title, rule, query }) => [title, rule, query.join()])).toEqual([
    ['name at its minLength', 'listThings.name.minLength', 'name,xx'],
    ['name at its maxLength', 'listThings.name.maxLength', 'name,xxx'],
  ]);
});

test('each member goes with the largest value of every other parameter, after each by itself', () => {
  const probes = parameterProbes(operation({ parameters: [SIZE, PAGE, NAME, STATE] }));
  const members = probes.filter(({ rule }) => rule === 'listThings.state.enum');
  expect(
    members.map(({ title, stage, query }) => [title, stage, query.map((each) => each.join('=')).join('&')]),
  ).toEqual([
    ['state sold alone', 'list', 'state=sold'],
    ['state new, size at its maximum, page at its maximum', 'read', 'state=new&size=9&page=50'],
    ['state sold, size at its maximum, page at its maximum', 'read', 'state=sold&size=9&page=50'],
  ]);
  for (const { controls } of members.slice(1))
    expect(controls).toEqual(
      ['state-alone', 'size=maximum', 'page=maximum', 'all-parameters'].map((each) => `listThings:${each}`),
    );
});

test('all parameters together come after each of them by itself, with a size that a few entries exceed', () => {
  const last = (parameters: Parameter[]) =>
    parameterProbes(operation({ parameters })).find(({ id }) => id.endsWith(':all-parameters'));
  const zero = parameter('skip', { type: 'integer', minimum: 0, maximum: 1 });
  const both = last([SIZE, zero, STATE, NAME]);
  expect(both?.query).toEqual([
    ['size', '3'],
    ['skip', '1'],
    ['state', 'sold'],
    ['name', expect.stringMatching(/^.{3}$/)],
  ]);
  expect(both?.controls).toEqual(
    ['size=minimum', 'size=maximum', 'skip=minimum', 'skip=maximum', 'state-alone'].map(
      (each) => `listThings:${each}`,
    ),
  );
  expect(last([SIZE])).toBeUndefined();
  expect(last([SIZE, parameter('trace', { type: 'string' }, { in: 'header' })])).toBeUndefined();
});

const ID = pathParameter('id', { type: 'integer', format: 'int64' });
const get = operation({
  id: 'getThing',
  path: '/things/{id}',
  parameters: [ID],
  responses: [response('200'), response('404')],
});

test('ids that do not exist, the largest, and none are asked for', () => {
  const like = [{ probe: 'listThings:plain', pointer: '/0/id' }];
  const read = probe(get, 'listThings:plain', 'read', {
    title: '',
    path: { id: { late: 'response', sources: like } },
  });
  const random = { id: { late: 'random', format: 'int64', like } };
  expect(pathProbes(get, [read])).toMatchObject([
    {
      id: 'getThing:unknown',
      title: 'a id that does not exist',
      validity: 'invalid',
      expectation: expecting([], ['404']),
      path: random,
    },
    {
      id: 'getThing:unknown-again',
      title: 'another id that does not exist',
      expectation: expecting([], ['404']),
      path: random,
      onlyIf: { succeeded: 'getThing:unknown' },
    },
    {
      id: 'getThing:largest',
      title: 'the largest int64',
      validity: 'open',
      path: { id: '9223372036854775807' },
      controls: ['getThing:unknown'],
    },
    {
      id: 'getThing:non-integer',
      title: 'a id that is not an integer',
      validity: 'open',
      path: { id: 'abc' },
      controls: ['getThing:unknown'],
    },
  ]);
});

test('what the document does not say about an id is not asked', () => {
  const names = (change: Partial<Operation>) =>
    pathProbes({ ...get, ...change }, []).map(({ id }) => id.split(':')[1]);
  expect(names({ responses: [response('200')] })).toEqual(['largest', 'non-integer']);
  expect(names({ parameters: [pathParameter('id', { type: 'integer' })] })).not.toContain('largest');
  expect(names({ parameters: [pathParameter('id', { type: 'string' })] })).toEqual([
    'unknown',
    'unknown-again',
  ]);
  expect(names({ parameters: [SIZE, ID] })).toHaveLength(4);
  for (const change of [
    { method: 'DELETE' },
    { parameters: [] },
    { parameters: [SIZE] },
    { parameters: [ID, ID] },
  ])
    expect(names(change)).toEqual([]);
});

test('a path is that of any read of the operation, and of no other request', () => {
  const from = (source: string) => ({
    id: { late: 'response', sources: [{ probe: source, pointer: '/id' }] } as const,
  });
  const read = (id: string, path: Probe['path']) => probe(get, id, 'read', { title: id, path });
  const others = [
    probe({ ...get, id: 'other' }, 'a', 'read', { title: 'a', path: from('x') }),
    probe(get, 'b', 'invalid', { title: 'b', path: { id: '7' } }),
  ];
  const reads = [read('c', from('one')), read('d', { id: '8' }), read('e', from('two'))];
  const sources = ['one', 'two'].map((each) => ({ probe: each, pointer: '/id' }));
  expect(knownPath([...others, ...reads], 'getThing')).toEqual({ id: { late: 'response', sources } });
  expect(guessedPath(reads, 'getThing')).toEqual({ id: { late: 'response', sources, otherwise: '1' } });
  for (const path of [knownPath, guessedPath]) expect(path([read('list', {})], 'getThing')).toEqual({});
  // Without a read, only a request that is refused anyway may guess.
  expect(knownPath(others, 'getThing')).toBeUndefined();
  expect(guessedPath(others, 'getThing')).toEqual({ id: '1' });
});
