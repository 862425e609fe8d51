import { expect, test } from 'vitest';
import { schemaErrors } from '../../../src/contract/validation/schema-validator.ts';
import { documentOf, read, schemaOf } from '../document.ts';

const FIELD = { type: 'object', properties: { a: { $ref: '#bee' } } };
const BEE = { $anchor: 'bee', type: 'string' };

test('a reference to an anchor is followed', async () => {
  const schema = await schemaOf(FIELD, { B: BEE });
  expect(schemaErrors(schema, { a: 'x' })).toEqual([]);
  expect(schemaErrors(schema, { a: 5 })).not.toEqual([]);
});

test.each([
  ['nothing has', {}],
  ['two components have', { B: BEE, C: BEE }],
])('an operation that refers to an anchor that %s is not judged', async (_what, components) => {
  const { gaps } = await read({ 'openapi.json': documentOf(FIELD, components) });
  expect(gaps).toEqual([
    {
      operation: 'GET /things',
      isWhole: true,
      reason: 'the reference #bee leads to nothing that petspec can read',
    },
  ]);
});
