import { describe, expect, test } from 'vitest';
import {
  contractOf,
  creation,
  operation,
  parameter,
  pathParameter,
  response,
} from '../../../test/operations/operations.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { caseAt, isCertainlyWrong } from './cases.ts';

const drawn = (operations: Operation[], count = 300) => {
  const contract = contractOf(operations);
  return Array.from({ length: count }, (_, index) => caseAt(contract, 5, [index]) ?? []).flat();
};
const SIZE = parameter('size', { type: 'integer', minimum: 3, maximum: 9 });
const STATE = parameter('state', { enum: ['new', 2] });
const ID = pathParameter('id', { type: 'integer' });
const get = operation({ id: 'getThing', path: '/things/{id}', parameters: [ID] });

test('nothing is drawn for an interface without cases', () => {
  expect(drawn([operation()])).toEqual([]);
  expect(caseAt(contractOf([]), 0, [])).toBeUndefined();
});

test('each place is another case, and the same again', () => {
  const contract = contractOf([operation({ parameters: [SIZE, STATE] }), get]);
  const texts = Array.from({ length: 40 }, (_, index) => JSON.stringify(caseAt(contract, 5, [index])));
  expect(new Set(texts).size).toBeGreaterThan(30);
  expect(Array.from({ length: 40 }, (_, index) => JSON.stringify(caseAt(contract, 5, [index])))).toEqual(
    texts,
  );
  expect(JSON.stringify(caseAt(contract, 5, []))).toBe(texts[0]);
});

test.each<[schema: Schema, isWrong: (value: unknown) => boolean]>([
  [{ type: 'string' }, (value) => typeof value !== 'string'],
  [{ enum: ['a', 'b'] }, (value) => value !== 'a' && value !== 'b'],
  [{ type: 'integer' }, (value) => typeof value !== 'bigint' && !Number.isInteger(value)],
])('a body is wrong in a field of %j', (schema, isWrong) => {
  const cases = drawn([creation({ properties: { field: schema } })]);
  expect(cases.length).toBeGreaterThan(200);
  for (const each of cases) {
    expect(each).toMatchObject({ kind: 'body', operation: 'createThing', field: 'field' });
    expect(isWrong((each as { value: unknown }).value)).toBe(true);
  }
});

test('what is nearly a member is drawn, too', () => {
  const values = drawn([creation({ properties: { state: { enum: ['new', 'sold'] } } })]).map((each) =>
    JSON.stringify((each as { value: unknown }).value, (_, one) =>
      typeof one === 'bigint' ? `${one}n` : one,
    ),
  );
  for (const each of ['newnew', 'soldsold', 'new.', 'sold.', '-new', '-sold', 'ew', 'old'])
    expect(values).toContain(`"${each}"`);
  expect(values).toContain('["new","new"]');
  const plain = drawn([creation({ properties: { size: { type: 'integer' } } })]).map((each) =>
    JSON.stringify((each as { value: unknown }).value, (_, one) =>
      typeof one === 'bigint' ? `${one}n` : one,
    ),
  );
  for (const each of ['11', '1.', '-0', 'rue', '-true']) expect(plain).toContain(`"${each}"`);
});

test('no body is drawn without a 400, elsewhere, or for a field that the interface leaves open', () => {
  const create = creation({ properties: { size: { type: 'integer' } } });
  const { body: _, ...bodiless } = create;
  expect(drawn([bodiless], 5)).toEqual([]);
  expect(drawn([{ ...create, responses: [response('201'), response('422')] }], 5)).toEqual([]);
  expect(drawn([{ ...create, address: 'apiUrl' }], 5)).toEqual([]);
  expect(
    drawn([creation({ properties: { size: { type: 'integer', 'x-unspecified': ['type'] } } })], 5),
  ).toEqual([]);
});

describe('a query', () => {
  const cases = drawn([operation({ parameters: [SIZE, STATE, { ...SIZE, name: 'page', required: true }] })]);
  const valid = cases.flatMap((each) => (each.kind === 'valid' ? [each.values] : []));

  test('has valid values, required ones always', () => {
    expect(valid.length).toBeGreaterThan(50);
    for (const each of valid) expect(['3', '4', '5', '6', '7', '8', '9']).toContain(each.page);
    expect(new Set(valid.map(({ size }) => size))).toEqual(
      new Set([undefined, '3', '4', '5', '6', '7', '8', '9']),
    );
    expect(new Set(valid.map(({ state }) => state))).toEqual(new Set([undefined, 'new', '2']));
    const reversed = cases.flatMap((each) => (each.kind === 'valid' ? [each.isReversed] : []));
    expect(new Set(reversed)).toEqual(new Set([true, false]));
  });

  test('has other texts for one parameter, with signs that no firewall takes for an attack', () => {
    const open = cases.flatMap((each) => (each.kind === 'query' ? [each] : []));
    expect(new Set(open.map(({ name }) => name))).toEqual(new Set(['size', 'state', 'page']));
    for (const { value } of open) expect(value).toMatch(/^[ +\-.,_:0-9a-fxyzA-F]*$/);
    expect(new Set(open.map(({ value }) => value.length)).size).toBeGreaterThan(3);
  });

  test('is drawn only for reads, and values only where they are known', () => {
    expect(drawn([operation({ method: 'POST', parameters: [SIZE] })], 5)).toEqual([]);
    const ofHeader = drawn([operation({ parameters: [SIZE, parameter('t', {}, { in: 'header' })] })], 40);
    for (const each of ofHeader) if (each.kind === 'query') expect(each.name).toBe('size');
    const free = [
      parameter('name', { type: 'string', minimum: 1, maximum: 2 }),
      parameter('least', { type: 'integer', minimum: 1 }),
      parameter('most', { type: 'integer', maximum: 1 }),
    ];
    for (const each of drawn([operation({ parameters: free })], 40))
      if (each.kind === 'valid') expect(each.values).toEqual({});
  });
});

test('an id in the path is drawn that stays one segment', () => {
  const ids = drawn([get]).flatMap((each) => (each.kind === 'path' ? [each.value] : []));
  expect(ids.length).toBe(300);
  for (const each of ids) {
    expect(each).toMatch(/^[ +\-.,_:0-9a-fxyzA-F]{1,30}$/);
    expect(each).toMatch(/[^. ]/);
  }
  expect(Math.max(...ids.map(({ length }) => length))).toBeGreaterThan(10);
  const none = [
    { method: 'DELETE' },
    { parameters: [pathParameter('id', { type: 'string', enum: ['a', 'b'] })] },
    { address: 'apiUrl' },
  ];
  for (const change of none) expect(drawn([{ ...get, ...change }], 5)).toEqual([]);
  for (const parameters of [
    [ID, pathParameter('part', { type: 'integer' })],
    [pathParameter('id', { type: 'string' })],
  ])
    expect(drawn([{ ...get, parameters }], 5)).toHaveLength(5);
});

test('entries of a list are drawn beyond those that others read, as far as the list is long', () => {
  const placesOf = (maximum: number | undefined) => {
    const size = parameter(
      'size',
      { type: 'integer', ...(maximum === undefined ? {} : { maximum }) },
      { in: 'query' },
    );
    const links = [{ operation: 'getThing', parameter: 'id', pointer: '/0/id' }];
    const list = operation({ method: 'HEAD', parameters: [size], responses: [response('200', { links })] });
    const cases = drawn([list, { ...get, parameters: [pathParameter('id', {})] }]);
    return new Set(
      cases.map((each) => (each.kind === 'entry' && each.operation === 'getThing' ? each.place : -1)),
    );
  };
  expect([...placesOf(24)].sort()).toEqual([20, 21, 22, 23]);
  expect([...placesOf(5)]).toEqual([4]);
  expect([...placesOf(undefined)]).toEqual([0]);
});

test.each<[schema: Schema, value: unknown, isWrong: boolean]>([
  [{ type: 'integer', format: 'int64' }, 2n ** 63n - 1n, false],
  [{ type: 'integer', format: 'int64' }, -(2n ** 63n), false],
  [{ type: 'integer', format: 'int64' }, -(2n ** 63n) - 1n, true],
  [{ type: 'integer' }, '1', true],
  [{ type: 'boolean' }, 'true', false],
  [{ type: 'number' }, 'x', false],
])('%o and another value: certainly wrong or not', (schema, value, isWrong) => {
  expect(isCertainlyWrong(value, schema)).toBe(isWrong);
});
