import { expect, test } from 'vitest';
import {
  contractOf,
  operation,
  parameter,
  pathParameter,
  response,
} from '../../../test/operations/operations.ts';
import type { Operation, Parameter } from '../../model/contract.ts';
import { findReads, successes, valuesOf } from './find-reads.ts';

const ID = pathParameter('id', { type: 'integer' });
const items = { properties: { id: { type: 'integer' } } };
const list = operation({ responses: [response('200', { schema: { type: 'array', items } })] });
const get = (id: Parameter = ID) => operation({ id: 'getThing', path: '/things/{id}', parameters: [id] });
const found = (...operations: Operation[]) => findReads(contractOf(operations));
const idIn = (...operations: Operation[]) =>
  found(...operations).readable.find(({ path }) => 'id' in path)?.path.id;
const sources = [{ probe: 'listThings:plain', pointer: '/0/id' }];
const WHERE_TO_SAY = 'give it an example in the document, or with --example';

test('an id comes from a list, or else from the document, and is never guessed', () => {
  const example = { ...ID, example: 5 };
  expect(idIn(list, get())).toEqual({ late: 'response', sources });
  expect(idIn(list, get(example))).toEqual({ late: 'response', sources, otherwise: '5' });
  expect(idIn(get(example))).toBe('5');
  expect(idIn(list, get({ ...example, isStated: true }))).toBe('5');
  expect(idIn(get(pathParameter('id', { enum: ['a', 'b'] })))).toBe('a');
  expect(idIn(get(pathParameter('id', { default: 7 })))).toBeUndefined();
});

test('without a value it is said what is missing, and for which operation', () => {
  const { readable, missing } = found(get());
  expect(readable).toEqual([]);
  expect([...missing]).toEqual([['getThing', `no value known for {id}; ${WHERE_TO_SAY}`]]);
  const needing = parameter('code', { type: 'string', pattern: '^(?=A)[A-Z]{3}$' }, { required: true });
  expect([...found({ ...list, parameters: [needing] }).missing]).toEqual([
    ['listThings', `no valid value known for the required parameter code; ${WHERE_TO_SAY}`],
  ]);
});

test('a list that cannot be read shows no ids', () => {
  const needing = parameter('code', { type: 'string', pattern: '^(?=A)[A-Z]{3}$' }, { required: true });
  expect([...found({ ...list, parameters: [needing] }, get()).missing.keys()]).toEqual([
    'listThings',
    'getThing',
  ]);
});

test('only what changes nothing is read, in the order of the document', () => {
  const { readable } = found(
    get(),
    { ...list, id: 'remove', method: 'DELETE' },
    { ...list, id: 'head', method: 'HEAD' },
    list,
  );
  expect(readable.map(({ operation: { id } }) => id)).toEqual(['getThing', 'listThings']);
});

test('what is found is found once', () => {
  const contract = contractOf([list]);
  expect(findReads(contract)).toBe(findReads(contract));
});

const of = (change: Partial<Parameter>) => parameter('p', { type: 'string' }, { example: 'x', ...change });

test('required parameters and those that the user states go where they belong', () => {
  const sent = (change: Partial<Parameter>) => found({ ...list, parameters: [of(change)] }).readable[0];
  expect(sent({ required: true })).toMatchObject({ query: [['p', 'x']], headers: [], cookies: [] });
  expect(sent({ isStated: true })).toMatchObject({ query: [['p', 'x']] });
  expect(sent({})).toMatchObject({ query: [], headers: [], cookies: [] });
  expect(sent({ required: true, in: 'header' })).toMatchObject({ query: [], headers: [['p', 'x']] });
  expect(sent({ required: true, in: 'cookie' })).toMatchObject({ query: [], cookies: [['p', 'x']] });
});

test('a parameter without a value is left out, unless it is required', () => {
  const odd = of({ name: 'odd', schema: { type: 'string', pattern: '^(?!)$' } });
  expect(valuesOf({ ...list, parameters: [odd, of({})] }, () => true)).toMatchObject({ query: [['p', 'x']] });
  expect(valuesOf({ ...list, parameters: [{ ...odd, required: true }, of({})] }, () => true)).toBe('odd');
  expect(valuesOf({ ...list, parameters: [{ ...ID, example: 1 }] }, () => true)).toMatchObject({ query: [] });
});

test('the success that a document lists comes after the entry for all others', () => {
  const statuses = (...listed: string[]) =>
    successes(operation({ responses: listed.map((each) => response(each)) }));
  expect(statuses('200', '404', '2XX', 'DEFAULT')).toEqual(['DEFAULT', '200', '2XX']);
  expect(statuses('404')).toEqual([]);
});
