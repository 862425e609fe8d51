import { expect, test } from 'vitest';
import { contractOf, creation, operation } from '../../../test/operations/operations.ts';
import type { Late, Probe, RequestVariation } from '../../model/probe.ts';
import { probe } from '../probe.ts';
import { plannedTexts, requestTexts } from './surplus.ts';

const create = creation({ type: 'object', properties: { name: { type: 'string' } } });
const list = operation();
const contract = contractOf([list, create]);
const textOf = requestTexts(contract);
const read = (change: Partial<Probe> = {}) => probe(list, 'a', 'list', { title: 'a', ...change });
const own = (like: string, of = 'a'): Late => ({ late: 'own', as: 'text', like, of });
const made = (json: unknown, variations: RequestVariation[] = []) =>
  textOf(probe(create, 'a', 'create', { title: 'a', body: { json }, variations }));

test('two requests are the same whatever they are called', () => {
  expect(textOf(read())).toBe(textOf({ ...read(), id: 'b', title: 'b', controls: ['c'] }));
});

test('requests differ by their operation, path, query and body', () => {
  const texts = [
    read(),
    read({ operation: 'other' }),
    read({ path: { id: '1' } }),
    read({ query: [['a', '1']] }),
    read({ query: [['a', '2']] }),
    read({ body: { text: 'a' } }),
    read({ body: { json: 'a' } }),
    read({ body: { json: 1n } }),
    read({ body: { json: 2n } }),
  ].map((each) => textOf(each));
  expect(new Set(texts).size).toBe(texts.length);
});

test('a large integer is not the text of its digits', () => {
  expect(made(1n)).not.toBe(made('1'));
});

test('of a text that is too short to be unique, only the length counts', () => {
  expect(made(own('xx'))).toBe(made(own('yy')));
  expect(made(own('xx'))).not.toBe(made(own('xxx')));
  expect(made(own('xxxxxxxx'))).not.toBe(made(own('xxxxxxxx', 'b')));
  expect(made(own('xxxxxxx'))).toBe(made(own('xxxxxxx', 'b')));
  expect(made({ late: 'own', as: 'number', of: 'a' })).not.toBe(made({ late: 'own', as: 'number', of: 'b' }));
});

test('other values of the query and another form of a body make another request', () => {
  const size: RequestVariation = { id: 'v', kind: 'query-value', name: 'size', value: '3' };
  expect(textOf(read(), [size])).toBe(textOf(read({ query: [['size', '3']] })));
  expect(textOf(read({ variations: [size] }))).toBe(textOf(read(), [size]));
  const chunked: RequestVariation = { id: 'chunked', kind: 'lenient', form: 'chunked' };
  const title: RequestVariation = { id: 'title', kind: 'header-names', style: 'title' };
  expect(made({}, [chunked])).not.toBe(made({}));
  expect(made({}, [title])).toBe(made({}));
  // Without a body it has no form.
  expect(textOf(read(), [chunked])).toBe(textOf(read()));
});

test('what a run sends in any case has the right key, and goes on in rounds', () => {
  const round: RequestVariation[] = [{ id: 'v', kind: 'query-value', name: 'size', value: '3' }];
  const planned = [read({ rounds: [round] }), read({ key: 'absent', query: [['size', '4']] })];
  expect([...plannedTexts(contract, planned)]).toEqual([
    textOf(read()),
    textOf(read({ query: [['size', '3']] })),
  ]);
});
