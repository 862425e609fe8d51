import { expect, test } from 'vitest';
import { creation, operation } from '../../test/operations/operations.ts';
import { expecting, OPEN } from '../model/http/expectation.ts';
import { whole } from '../model/large/steps.ts';
import type { Probe, Stage } from '../model/probe.ts';
import { chaining, chainsOf, linked } from './chains.ts';
import { ordering } from './order.ts';
import { probe } from './probe.ts';

const transitions = whole(chaining);

const inOrder = whole(ordering);

const list = operation();
const get = operation({ id: 'getThing', path: '/things/{id}' });
const create = creation({});
const of = (own: typeof list, stage: Stage, id: string, change: Partial<Probe> = {}) =>
  probe(own, id, stage, { title: id, expectation: expecting(['200']), ...change });
const wrongKey = (own: typeof list, key: Probe['key']) =>
  of(own, 'keys', `key-${key}`, { key, validity: 'invalid', expectation: expecting([], ['401']) });
const made = (id: string, change: Partial<Probe> = {}) =>
  of(create, 'create', id, { expectation: expecting(['201']), isReadBack: true, ...change });
const readOf = (source: string) =>
  of(get, 'read', source, {
    path: { id: { late: 'response', sources: [{ probe: `createThing:${source}`, pointer: '/id' }] } },
  });
const refused = (own: typeof list, id: string, status: string, change: Partial<Probe> = {}) =>
  of(own, 'invalid', id, { validity: 'invalid', expectation: expecting([], [status]), ...change });
const text = { json: { name: { late: 'own', as: 'text', like: 'a', of: 'a' } } };
const chained = (probes: Probe[]) => transitions(probes).map((chain) => chain.map(({ id }) => id));

const creations = [made('minimal'), made('full-1'), made('full-2'), made('full-3')];
const lenient = of(create, 'create', 'long', { expectation: expecting(['201'], ['400']) });
const longest = of(list, 'read', 'longest', { query: [['size', '9']] });
const plain = of(list, 'list', 'plain');
const both = of(list, 'list', 'both', {
  query: [
    ['size', '3'],
    ['state', 'new'],
  ],
});

test('the last creations that have to be accepted follow wrong keys and a refusal, and are listed and read after them', () => {
  const probes = [
    ...[wrongKey(create, 'empty'), wrongKey(create, 'unknown'), wrongKey(create, 'absent')],
    ...[refused(create, 'array', '400'), refused(create, 'name', '400', { body: text }), lenient, longest],
    ...[...creations, readOf('full-1'), readOf('full-2'), readOf('full-3')],
  ];
  expect(chained(probes)[0]).toEqual([
    ...['createThing:key-empty', 'createThing:full-2', 'createThing:key-unknown', 'createThing:name'],
    ...['createThing:full-3', 'listThings:longest', 'createThing:long', 'getThing:full-3'],
  ]);
  // Another chain reads the other one.
  expect(chained(probes)[1]).toEqual(['createThing:array', 'getThing:full-2']);
});

test('without two such creations apart from the plainest there is no chain of creations', () => {
  expect(chained(creations.slice(0, 2))).toEqual([]);
  expect(chained(creations.slice(0, 3))).toEqual([['createThing:full-1', 'createThing:full-2']]);
  expect(chained([...creations.slice(0, 2), lenient])).toEqual([]);
});

test('reads of each operation follow a wrong key and each other, those with several parameters first', () => {
  const keys = [
    wrongKey(list, 'bare'),
    wrongKey(list, 'longer'),
    wrongKey(get, 'scheme'),
    wrongKey(get, 'case'),
  ];
  const first = readOf('minimal');
  expect(chained([...keys, plain, both, first, readOf('full-1')])).toEqual([
    ['getThing:key-scheme', 'getThing:minimal', 'getThing:key-case'],
    ['listThings:key-bare', 'listThings:both', 'getThing:full-1', 'listThings:key-longer'],
  ]);
});

test('a read that follows no wrong key follows what does not exist, or a refusal', () => {
  const missing = refused(get, 'unknown', '404');
  expect(chained([missing, both, plain])).toEqual([['getThing:unknown', 'listThings:plain']]);
  const open = of(get, 'invalid', 'largest', { validity: 'open', expectation: OPEN });
  expect(chained([open, both, plain])).toEqual([]);
  const reads = [readOf('minimal'), readOf('full-1')];
  expect(chained([missing, open, both, plain, ...reads])).toEqual([
    ['listThings:both', 'getThing:full-1'],
    ['getThing:unknown', 'listThings:plain'],
  ]);
  const third = of(list, 'list', 'third');
  expect(chained([refused(list, 'a', '400'), refused(list, 'b', '400'), both, plain, third])).toEqual([
    ['listThings:a', 'listThings:plain'],
    ['listThings:b', 'listThings:third'],
  ]);
});

test('after what does not exist, two reads of one operation follow each other, the longest list last', () => {
  const missing = refused(get, 'unknown', '404');
  expect(chained([missing, both, plain, longest])).toEqual([
    ['getThing:unknown', 'listThings:plain', 'listThings:longest'],
  ]);
});

test('what is sent only after something else succeeded, or has no key, is no refusal', () => {
  for (const each of [
    refused(get, 'unknown', '404', { onlyIf: { succeeded: 'x' } }),
    refused(list, 'a', '400', { key: 'absent' }),
    refused(list, 'a', '400', { validity: 'valid' }),
  ])
    expect(chained([each, both, plain]).flat()).not.toContain(each.id);
});

test('a list that a later one is compared with stays where it is', () => {
  const same = of(list, 'list', 'same', { query: [['size', '9']] });
  const refusal = refused(list, 'a', '400');
  expect(chained([refusal, both, same])).toEqual([['listThings:a', 'listThings:same']]);
  expect(chained([refusal, both, same, longest])).toEqual([['listThings:a', 'listThings:longest']]);
});

test('no request is in two chains', () => {
  const many = [
    ...[
      wrongKey(list, 'bare'),
      wrongKey(get, 'case'),
      refused(list, 'a', '400'),
      refused(get, 'unknown', '404'),
    ],
    ...[...creations, lenient, longest, plain, both, readOf('minimal'), readOf('full-1'), readOf('full-3')],
  ];
  const ids = chained(many).flat();
  expect(new Set(ids).size).toBe(ids.length);
});

const sent = (probes: Probe[], seed?: number) =>
  inOrder(probes, seed).map(({ id, follows }) => (follows ? `> ${id}` : id));

test('what may create something comes after what does not, apart from the creations', () => {
  const risky = refused(create, 'wrong', '400');
  const safe = refused(get, 'zero', '400');
  expect(sent([risky, safe])).toEqual(['getThing:zero', 'createThing:wrong']);
  expect(sent([lenient, plain])).toEqual(['createThing:long', 'listThings:plain']);
});

const message = creation({}, { id: 'sendMessage', address: 'apiUrl' });
const accepted = of(message, 'messages', 'minimal', { expectation: expecting(['201']) });
const wrong = refused(message, 'wrong', '400');

test('the message that is accepted comes last, right after a wrong key, and a read after it with an odd seed', () => {
  const keys = [wrongKey(message, 'case'), wrongKey(message, 'unknown')];
  const messages = [accepted, wrong, ...keys];
  const order = [
    'sendMessage:wrong',
    'sendMessage:key-case',
    'sendMessage:key-unknown',
    '> sendMessage:minimal',
  ];
  expect(sent(messages)).toEqual(order);
  expect(sent([...messages, made('minimal'), readOf('minimal')], 1).slice(-5)).toEqual([
    ...order,
    '> getThing:minimal',
  ]);
  expect(sent([...messages, made('minimal'), readOf('minimal')], 2).slice(-4)).toEqual(order);
  expect(sent([wrong, made('minimal'), readOf('minimal')], 1)).toEqual([
    'createThing:minimal',
    'getThing:minimal',
    'sendMessage:wrong',
  ]);
  expect(sent([wrong, ...keys])).toEqual([
    'sendMessage:wrong',
    'sendMessage:key-case',
    'sendMessage:key-unknown',
  ]);
});

test('a plan keeps its chains', () => {
  const chains = [[plain, both], [longest]];
  expect(chainsOf(linked(chains)).map((chain) => chain.map(({ id }) => id))).toEqual([
    [plain.id, both.id],
    [longest.id],
  ]);
});
