import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import type { Schema } from '../model/contract.ts';
import { pathProbes } from './parameters.ts';
import { sample, wrongValues } from './values.ts';

const VARIETIES = [undefined, 0, 1, 2, 3];
const lengthOf = (value: unknown) => [...String(value)].length;

test.each(VARIETIES)(
  'a text is as long as its schema allows, counted in characters: variety %s',
  (variety) => {
    expect(lengthOf(sample('name', { type: 'string', maxLength: 2 }, variety))).toBe(2);
    expect(lengthOf(sample('name', { type: 'string', minLength: 200 }, variety))).toBe(200);
    expect(lengthOf(sample('name', { type: 'string', minLength: 2, maxLength: 2 }, variety))).toBe(2);
    const free = lengthOf(sample('name', { type: 'string' }, variety));
    expect(free).toBeGreaterThan(2);
    expect(lengthOf(sample('name', { type: 'string', minLength: 2, maxLength: 200 }, variety))).toBe(free);
  },
);

test('a boolean is one', () => {
  expect(sample('tame', { type: 'boolean' })).toBe(true);
});

test.each([
  [{ type: 'object' }, 0],
  [{ type: 'array', items: { type: 'string' } }, 1],
] satisfies [Schema, number][])('what is right is no wrong value: %o', (schema, index) => {
  expect(wrongValues('field', schema, index).map(({ id }) => id)).not.toContain(schema.type);
  expect(wrongValues('field', { type: 'string' }, index).map(({ id }) => id)).toContain(schema.type);
});

test.each([
  [{ type: 'integer' }, 'boolean', true],
  [{ type: 'number' }, 'boolean', true],
  [{ type: 'integer', format: 'int64', 'x-reference': true }, 'boolean', true],
  [{ type: 'string', enum: ['a', 'b'] }, 'number', 0],
] satisfies [Schema, string, unknown][])('%o is also sent as a %s', (schema, id, value) => {
  for (const index of [0, 1, 2, 7])
    expect(wrongValues('field', schema, index).filter((each) => each.id === id)).toEqual([
      expect.objectContaining({ value, facet: 'type' }),
    ]);
});

test('a number is no wrong type where numbers are members', () => {
  expect(wrongValues('field', { enum: [0, 'a'] }, 0).map(({ id }) => id)).not.toContain('number');
});

test('what is unknown by a text is asked for by one', () => {
  const operation = loadContract().operations.find(({ id }) => id === 'getPet');
  if (!operation) throw new Error('no getPet');
  const asText = operation.parameters.map((each) => ({ ...each, schema: { type: 'string' } }));
  const unknown = (parameters: typeof operation.parameters) =>
    pathProbes({ ...operation, parameters }).find(({ id }) => id === 'getPet:unknown')?.path;
  expect(unknown(operation.parameters)).toEqual({ petId: { late: 'random' } });
  expect(unknown(asText)).toEqual({ petId: 'none-such' });
});
