import { expect, test } from 'vitest';
import { operation, parameter } from '../../../test/operations/operations.ts';
import type { Schema } from '../../model/contract.ts';
import { drawFrom } from '../variations/random.ts';
import { furtherQueries } from './further-reads.ts';

const BOUNDED: Schema = { type: 'integer', minimum: 1, maximum: 3 };
const readsOf = (schemas: Schema[], seed = 0) => {
  const parameters = schemas.map((schema, index) => parameter(`p${index}`, schema));
  return furtherQueries(operation({ parameters }), { query: [], path: {} }, drawFrom(seed));
};
const textOf = (query: readonly (readonly [string, string])[]) => [...query].sort().join('&');

test('few parameters: each combination of their values once', () => {
  const sent = readsOf([BOUNDED, { enum: ['a', 'b'] }]).map(({ query }) => textOf(query));
  expect(sent).toHaveLength(4 * 3);
  expect(new Set(sent).size).toBe(4 * 3);
});

test.each([5, 7, 60])('%i parameters: some combinations, drawn by the seed', (count) => {
  const schemas: Schema[] = Array.from({ length: count }, () => ({ ...BOUNDED, maximum: 1_000 }));
  const sent = readsOf(schemas).map(({ query }) => textOf(query));
  expect(sent.length).toBeGreaterThan(100);
  expect(sent.length).toBeLessThanOrEqual(200);
  expect(new Set(sent).size).toBe(sent.length);
  expect(readsOf(schemas).map(({ query }) => textOf(query))).toEqual(sent);
  expect(readsOf(schemas, 1).map(({ query }) => textOf(query))).not.toEqual(sent);
});
