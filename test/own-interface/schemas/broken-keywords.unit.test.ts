import { expect, test } from 'vitest';
import { documentWith, judged } from '../small-service.ts';

const CARD = {
  type: 'object',
  required: ['kind', 'last4'],
  properties: { kind: { const: 'card' }, last4: { type: 'string' } },
};
const BANK = {
  type: 'object',
  required: ['kind', 'iban'],
  properties: { kind: { const: 'bank' }, iban: { type: 'string' } },
};

/** A condition: what is filled has an opacity. */
const FILLED = JSON.parse(`{
  "type": "object",
  "properties": { "fill": { "type": "boolean" }, "opacity": { "type": "number" } },
  "if": { "properties": { "fill": { "const": true } }, "required": ["fill"] },
  "then": { "required": ["opacity"] }
}`);

const BROKEN: [keyword: string, schema: object, value: unknown, reason: string, expected: string][] = [
  [
    'pattern',
    { type: 'string', pattern: '^[a-z]+$' },
    'A',
    'does not match ^[a-z]+$',
    'a string that matches ^[a-z]+$',
  ],
  [
    'additionalProperties',
    { type: 'object', properties: { a: {} }, additionalProperties: false },
    { a: 1, by: 'x' },
    'has a property that the document does not allow: by',
    'an object without by',
  ],
  ['maxItems', { type: 'array', items: {}, maxItems: 1 }, [1, 2], 'has more than 1 entry', 'at most 1 entry'],
  [
    'minItems',
    { type: 'array', items: {}, minItems: 3 },
    [1],
    'has fewer than 3 entries',
    'at least 3 entries',
  ],
  [
    'maxProperties',
    { type: 'object', maxProperties: 2 },
    { a: 1, b: 2, c: 3 },
    'has more than 2 properties',
    'at most 2 properties',
  ],
  ['minProperties', { type: 'object', minProperties: 1 }, {}, 'has no properties', 'at least 1 property'],
  [
    'uniqueItems',
    { type: 'array', items: {}, uniqueItems: true },
    [1, 1],
    'has equal entries',
    'entries that all differ (uniqueItems)',
  ],
  [
    'propertyNames',
    { type: 'object', propertyNames: { pattern: '^[a-z]+$' } },
    { a: 1, B: 2 },
    'has a property whose name does not match ^[a-z]+$: B',
    'a string that matches ^[a-z]+$ as the name of each property',
  ],
  [
    'dependentRequired',
    { type: 'object', dependentRequired: { fill: ['color'] } },
    { fill: true },
    'has fill but not color',
    'an object with color if it has fill',
  ],
  [
    'then',
    FILLED,
    { fill: true },
    'meets the condition of if, but does not fit then: it lacks opacity',
    'an object with opacity, where the condition of if is met',
  ],
  [
    'contains',
    { type: 'array', contains: { const: 'a' } },
    ['b'],
    'has no entries that fit contains (one of a)',
    'entries that fit contains (one of a)',
  ],
  [
    'not',
    { not: { required: ['b'] } },
    { b: 1 },
    'fits the schema that not excludes',
    'a value that does not fit the schema in not',
  ],
  [
    'oneOf of two that both fit',
    { oneOf: [{ type: 'integer' }, { maximum: 9 }] },
    7,
    'fits more than one member of oneOf',
    'a value that fits exactly one member of oneOf',
  ],
  [
    'anyOf',
    { anyOf: [CARD, BANK, { type: 'string' }] },
    { kind: 'bank', iban: 7 },
    'fits none of the alternatives; it is closest to an object, but /iban is not a string',
    'an object or a string',
  ],
  [
    'anyOf of other types',
    { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    true,
    'is not an integer or a string',
    'an integer or a string',
  ],
  [
    'what a part of an allOf says',
    { type: 'integer', minimum: 1, allOf: [{ minimum: 5 }] },
    3,
    'is not a value of at least 5',
    'a value of at least 5',
  ],
];

test.each(BROKEN)('a finding names what violates %s', async (_, schema, value, reason, expected) => {
  const properties = { field: schema };
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const file = documentWith({ '/things': { get: { responses: { 200: { description: 'x', content } } } } });
  const { report } = await judged(file, () => [200, { field: value }]);
  const violated = report.requirements.filter(({ status }) => status === 'violated');
  expect(violated).toMatchObject([{ reason: `/field ${reason}`, expected: `field: ${expected}` }]);
});

test('where no property is described by name, a finding says so as well', async () => {
  const schema = {
    type: 'object',
    patternProperties: { Timeout$: { type: 'integer', minimum: 0 } },
    additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', uniqueItems: true }] },
  };
  const content = { 'application/json': { schema } };
  const file = documentWith({ '/config': { get: { responses: { 200: { description: 'x', content } } } } });
  const reasonFor = async (value: unknown) => {
    const { report } = await judged(file, () => [200, value]);
    return report.requirements.find(({ status }) => status === 'violated')?.reason;
  };
  expect(await reasonFor({ readTimeout: -1 })).toBe('/readTimeout is not an integer of at least 0');
  expect(await reasonFor({ tags: [1, 1] })).toBe('/tags fits none of the alternatives: it has equal entries');
});

test('a reason names what is wrong in a value that may be null', async () => {
  const user = {
    type: 'object',
    properties: {
      roles: { type: 'array', items: { enum: ['admin', 'sales'] } },
      manager: { nullable: true, allOf: [{ $ref: '#/components/schemas/User' }] },
    },
  };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/User' } } };
  const paths = { '/me': { get: { responses: { 200: { description: 'x', content } } } } };
  const file = documentWith(paths, { schemas: { User: user } }, '3.0.3');
  const { report } = await judged(file, () => [200, { manager: { roles: ['boss'] } }]);
  expect(report.requirements.filter(({ status }) => status === 'violated')).toMatchObject([
    {
      id: 'User.manager',
      reason:
        '/manager fits none of the alternatives; it is closest to a User, but /roles/0 is not one of admin, sales',
      expected: 'manager: a User or null',
    },
  ]);
});

test('a reason names what is wrong inside a class that contains itself', async () => {
  const secret = {
    type: 'object',
    required: ['secretName'],
    properties: { secretName: { type: 'string' } },
    additionalProperties: false,
  };
  const projected = {
    type: 'object',
    required: ['sources'],
    properties: { sources: { type: 'array', items: { $ref: '#/components/schemas/Volume' } } },
    additionalProperties: false,
  };
  const members = ['Secret', 'Projected'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const schemas = { Volume: { oneOf: members }, Secret: secret, Projected: projected };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Volume' } } };
  const paths = { '/volume': { get: { responses: { 200: { description: 'x', content } } } } };
  const file = documentWith(paths, { schemas });
  const { report } = await judged(file, () => [200, { sources: [{ sources: [{ secretName: 1 }] }] }]);
  expect(report.requirements.filter(({ status }) => status === 'violated')).toMatchObject([
    { reason: expect.stringMatching(/closest to a Secret, but \/secretName is not a string$/) },
  ]);
});

test('a reason is about the class that the discriminator of the base class names', async () => {
  const base = {
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string' } },
    discriminator: { propertyName: 'type', mapping: { g: '#/components/schemas/Group' } },
  };
  const extending = (own: object) => ({ allOf: [{ $ref: '#/components/schemas/Shape' }, own] });
  const circle = extending({ required: ['radius'] });
  const group = extending({ type: 'object', properties: { a: { enum: ['x'] }, b: { type: 'string' } } });
  const members = ['Circle', 'Group'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const content = { 'application/json': { schema: { oneOf: members } } };
  const paths = { '/shape': { get: { responses: { 200: { description: 'x', content } } } } };
  const file = documentWith(paths, { schemas: { Shape: base, Circle: circle, Group: group } });
  const { report } = await judged(file, () => [200, { type: 'g', a: 'y' }]);
  expect(report.requirements.filter(({ status }) => status === 'violated')).toMatchObject([
    { reason: expect.stringContaining('closest to a Group, but /a is not one of x') },
  ]);
});

test('a finding about a header names the keyword that its text violates', async () => {
  const headers = { 'X-Code': { schema: { type: 'string', pattern: '^[A-Z]+$' } } };
  const file = documentWith({ '/codes': { get: { responses: { 200: { description: 'x', headers } } } } });
  const { report } = await judged(file, () => [200, undefined, { 'X-Code': 'abc' }]);
  expect(report.requirements.filter(({ status }) => status === 'violated')).toMatchObject([
    { reason: 'X-Code does not match ^[A-Z]+$', expected: 'X-Code: a string that matches ^[A-Z]+$' },
  ]);
});
