import { expect, test } from 'vitest';
import { run } from '../../src/index.ts';
import { schemaErrors } from '../../src/judge/exchange/schema-validator.ts';
import type { Json } from '../../src/model/json.ts';
import { documentOf, schemaOf } from './document.ts';
import { servedAt } from './served.ts';

const TEXT = { type: 'string' };
const COMPONENTS = {
  Open: { type: 'object', additionalProperties: true, required: ['open'] },
  Closed: { type: 'object', required: ['kind'] },
};
const CHOICE = [{ $ref: '#/components/schemas/Open' }, { $ref: '#/components/schemas/Closed' }];

test.each<[what: string, schema: object, fits: Json, fails: Json]>([
  ['a pattern that escapes more than it has to', { ...TEXT, pattern: '^cus\\-\\d+$' }, 'cus-1', 'cus_1'],
  ['a pattern with a hyphen after a class', { ...TEXT, pattern: '^[\\w-.]+$' }, 'a-.', 'a b'],
  ['a pattern for Unicode', { ...TEXT, pattern: '^\\p{L}$' }, 'é', 'p{L}'],
  [
    'such patterns as names of properties',
    { type: 'object', patternProperties: { '^x\\-': TEXT }, additionalProperties: false },
    { 'x-a': 'b' },
    { y: 'b' },
  ],
  [
    'properties named as those that objects of JavaScript have',
    {
      type: 'object',
      properties: { constructor: TEXT, toString: TEXT, valueOf: TEXT },
      required: ['valueOf'],
    },
    { valueOf: 'a' },
    {},
  ],
  [
    'such a property that needs another one',
    { type: 'object', dependentRequired: { constructor: ['a'] } },
    {},
    Object.fromEntries([['constructor', 1]]),
  ],
  [
    'such a property in several parts',
    { allOf: [{ properties: { a: TEXT } }, { properties: { constructor: TEXT } }] },
    {},
    Object.fromEntries([['constructor', 1]]),
  ],
  [
    'patterns of names beside a choice of open and closed objects',
    { type: 'object', patternProperties: { '^x-': TEXT }, oneOf: CHOICE },
    { kind: 'a', 'x-a': 'b' },
    { kind: 'a', 'x-a': 1 },
  ],
])('%s', async (_what, schema, fits, fails) => {
  const read = await schemaOf(schema, COMPONENTS);
  expect(schemaErrors(read, fits)).toEqual([]);
  expect(schemaErrors(read, fails)).not.toEqual([]);
});

test('a service whose objects lack an optional field named constructor conforms', async () => {
  const schema = { type: 'object', properties: { constructor: TEXT, points: { type: 'integer' } } };
  const target = await servedAt(documentOf(schema), () => ({ value: { points: 1 } }));
  expect((await run(target)).verdict).toBe('conformant');
});
