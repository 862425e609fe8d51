import { expect, test } from 'vitest';
import { schemaErrors } from '../../src/contract/validation/schema-validator.ts';
import type { Json } from '../../src/model/json.ts';
import { schemaOf } from './document.ts';

test.each<[what: string, schema: object, value: Json]>([
  [
    'a text or null',
    { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
    '2024-01-31T12:00:00',
  ],
  [
    'one of two formats',
    {
      oneOf: [
        { type: 'string', format: 'date' },
        { type: 'string', format: 'email' },
      ],
    },
    'a',
  ],
  ['a list', { type: 'array', items: { type: 'string', format: 'email' } }, ['a']],
  ['a map', { type: 'object', additionalProperties: { type: 'string', format: 'email' } }, { a: 'b' }],
])('the format of a text that is no property of its own is not judged: %s', async (_, a, value) => {
  const schema = await schemaOf({ type: 'object', properties: { a } });
  expect(schemaErrors(schema, { a: value })).toEqual([]);
  expect(schemaErrors(schema, { a: 7 })).not.toEqual([]);
});
