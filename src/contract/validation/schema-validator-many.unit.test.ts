import { expect, test } from 'vitest';
import type { Schema } from '../../model/contract.ts';
import { schemaErrors } from './schema-validator.ts';

const schema: Schema = {
  type: 'array',
  maxItems: 5_000,
  items: {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' } },
  },
};
const animal = (id: number) => ({ id, name: 'x' });
const many = (count: number, wrong: Record<number, Record<string, unknown>> = {}) =>
  Array.from({ length: count }, (_, index) => wrong[index] ?? animal(index)) as never;

test('of very many entries, each way to be wrong is found where it occurs first', () => {
  const wrong = { 1500: { id: '1', name: 'x' }, 1600: { id: '2', name: 'x' }, 3999: { id: 1 } };
  expect(schemaErrors(schema, many(4_000, wrong)).map(({ pointer }) => pointer.join('/'))).toEqual([
    '1500/id',
    '3999/name',
  ]);
  expect(schemaErrors(schema, many(4_000))).toEqual([]);
});

test('what a schema says of the array itself holds for very many entries, too', () => {
  expect(schemaErrors(schema, many(6_000))).toMatchObject([{ keyword: 'maxItems', pointer: [] }]);
});

test('of few entries, everything that is wrong is found', () => {
  const wrong = { 1: { id: '1', name: 'x' }, 2: { id: '2', name: 'x' } };
  expect(schemaErrors(schema, many(3, wrong)).map(({ pointer }) => pointer.join('/'))).toEqual([
    '1/id',
    '2/id',
  ]);
});
