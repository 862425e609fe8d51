import { expect, test } from 'vitest';
import { schemaErrors } from '../../../src/contract/validation/schema-validator.ts';
import { run } from '../../../src/index.ts';
import type { Json } from '../../../src/model/json.ts';
import { documentOf, read, schemaOf } from '../document.ts';
import { servedAt } from '../served.ts';

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
  const judged = await schemaOf(schema, COMPONENTS);
  expect(schemaErrors(judged, fits)).toEqual([]);
  expect(schemaErrors(judged, fails)).not.toEqual([]);
});

const of = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
});
const OPEN = 'a oneOf is judged as anyOf, because it contains something that is not judged';
const leftOut = (keyword: string) =>
  `the keyword ${keyword} is not judged where it applies to something that is not judged`;
const UNEVALUATED = 'the keyword unevaluatedProperties is not judged';

test.each<[what: string, schema: object, fits: Json, fails: Json, gaps: string[]]>([
  [
    'members that differ by properties that are not judged',
    {
      oneOf: [
        of({ id: TEXT }, { unevaluatedProperties: false }),
        of({ id: TEXT, company: TEXT }, { unevaluatedProperties: false }),
      ],
    },
    { id: 'a', company: 'b' },
    {},
    [UNEVALUATED, OPEN],
  ],
  [
    'such members beside anyOf',
    { anyOf: [of({ a: TEXT })], oneOf: [of({}, { unevaluatedProperties: false }), of({ a: TEXT })] },
    { a: 'b' },
    {},
    [UNEVALUATED, OPEN],
  ],
  [
    'what is denied, and not judged',
    of({ a: { ...TEXT, not: { format: 'phone' } } }),
    { a: 'b' },
    { a: 1 },
    ["the format 'phone' is not judged", leftOut('not')],
  ],
  [
    'what is asked for deep inside, and not judged',
    { if: of({ a: { items: { dependentSchemas: {} } } }), else: of({ b: TEXT }), type: 'object' },
    { a: [] },
    7,
    ['the keyword dependentSchemas is not judged', leftOut('if')],
  ],
  [
    'the number of entries that are not judged',
    { type: 'array', contains: { ...TEXT, format: 'phone' }, maxContains: 1 },
    ['a', 'b'],
    [1],
    ["the format 'phone' is not judged", leftOut('maxContains')],
  ],
  [
    'names that match what is no pattern',
    { patternProperties: { '(': TEXT }, additionalProperties: false, type: 'object' },
    { '(': 'a' },
    7,
    ['openapi.json:1: the pattern ( is no regular expression of JavaScript, so it is not judged'],
  ],
  [
    'members that differ by the format of a field',
    { oneOf: [of({ day: { ...TEXT, format: 'date' } }), of({ day: { ...TEXT, format: 'date-time' } })] },
    { day: '2024-01-31' },
    { day: 7 },
    [],
  ],
  [
    'members that differ by what is write-only',
    {
      oneOf: [
        of({ a: TEXT, b: { ...TEXT, writeOnly: true } }),
        of({ a: TEXT, c: { ...TEXT, writeOnly: true } }),
      ],
    },
    { a: 'x' },
    {},
    [],
  ],
  ['a format in what is denied', { not: { ...TEXT, format: 'date' } }, 'a', '2024-01-31', []],
  [
    'members that are judged',
    { oneOf: [of({ a: TEXT }), of({ b: TEXT })] },
    { a: 'x' },
    { a: 'x', b: 'x' },
    [],
  ],
])(
  'a valid value is not rejected because of what is not judged: %s',
  async (_what, schema, fits, fails, gaps) => {
    const contract = await read({ 'openapi.json': documentOf(schema, COMPONENTS) });
    const judged = contract.operations[0]?.responses[0]?.schema ?? {};
    expect(schemaErrors(judged, fits)).toEqual([]);
    expect(schemaErrors(judged, fails)).not.toEqual([]);
    expect(contract.gaps.map(({ reason }) => reason)).toEqual(gaps);
  },
);

test('a service whose objects lack an optional field named constructor conforms', async () => {
  const schema = { type: 'object', properties: { constructor: TEXT, points: { type: 'integer' } } };
  const target = await servedAt(documentOf(schema), () => ({ value: { points: 1 } }));
  expect((await run(target)).verdict).toBe('conformant');
});
