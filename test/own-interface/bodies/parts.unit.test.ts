import { expect, test } from 'vitest';
import { schemaErrors } from '../../../src/contract/validation/schema-validator.ts';
import type { Json } from '../../../src/model/json.ts';
import { documentOf, read } from '../document.ts';

const TEXT = { type: 'string' };
const CLOSED = { type: 'object', properties: { a: TEXT }, additionalProperties: false };
const NOTE = { description: 'a note' };
const component = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const inField = (a: object) => ({ type: 'object', properties: { a } });
const MORE = 'additionalProperties is not judged where another part of an allOf may name more properties';
const IGNORED = (keyword: string) =>
  `OpenAPI 3.0 ignores what is next to a $ref, so it is not judged: ${keyword}`;

const COMPONENTS = {
  Name: TEXT,
  City: { type: 'object', required: ['city'], properties: { city: TEXT } },
  // Each version has its own way to say it, and ignores the other.
  NullCity: { type: ['object', 'null'], required: ['city'], properties: { city: TEXT } },
  NullableCity: { type: 'object', nullable: true, required: ['city'], properties: { city: TEXT } },
};

test.each<[what: string, version: string, schema: object, fits: Json, fails: Json, gaps?: string[]]>([
  ['null, and a note', '3.1.0', inField({ allOf: [component('NullCity'), NOTE] }), { a: null }, { a: 7 }],
  ['null, and a note', '3.0.3', inField({ allOf: [component('NullableCity'), NOTE] }), { a: null }, { a: 7 }],
  [
    'null, and what is required of objects',
    '3.1.0',
    inField({ allOf: [component('NullCity'), { required: ['zip'] }] }),
    { a: null },
    { a: { city: 'x' } },
  ],
  [
    'null, and a choice with null',
    '3.1.0',
    inField({ allOf: [component('NullCity'), { anyOf: [component('City'), { type: 'null' }] }] }),
    { a: null },
    { a: {} },
  ],
  [
    'null in one part of two',
    '3.1.0',
    inField({ allOf: [component('NullCity'), component('City')] }),
    { a: { city: 'x' } },
    { a: null },
  ],
  ['a closed part and a note', '3.1.0', { allOf: [CLOSED, NOTE] }, { a: 'x' }, { b: 'x' }],
  [
    'a closed part and what it requires',
    '3.1.0',
    { allOf: [CLOSED, { required: ['a'] }] },
    { a: 'x' },
    { a: 'x', b: 1 },
  ],
  ['a note beside a closed schema', '3.1.0', { ...CLOSED, allOf: [NOTE] }, { a: 'x' }, { b: 'x' }],
  [
    'a closed part and more fields',
    '3.1.0',
    { allOf: [CLOSED, inField({}), { properties: { b: TEXT } }] },
    { b: 'x' },
    { b: 1 },
    [MORE],
  ],
  [
    'a closed part and a choice',
    '3.1.0',
    { allOf: [CLOSED, { anyOf: [{ properties: { b: TEXT } }] }] },
    { b: 'x' },
    { b: 1 },
    [MORE],
  ],
  [
    'a closed schema around another',
    '3.1.0',
    { ...CLOSED, allOf: [component('City')] },
    { city: 'x' },
    {},
    [MORE],
  ],
  [
    'a length beside a reference',
    '3.1.0',
    inField({ ...component('Name'), minLength: 5 }),
    { a: 'abcde' },
    { a: 'abc' },
  ],
  [
    'a length beside a reference',
    '3.0.3',
    inField({ ...component('Name'), minLength: 5 }),
    { a: 'abc' },
    { a: 1 },
    [IGNORED('minLength')],
  ],
  [
    'what is required beside a reference',
    '3.0.3',
    { ...component('City'), required: ['zip'] },
    { city: 'x' },
    {},
    [IGNORED('required')],
  ],
  [
    'nullable beside a reference',
    '3.0.3',
    inField({ ...component('Name'), nullable: true }),
    { a: null },
    { a: 1 },
  ],
  ['a note beside a reference', '3.0.3', inField({ ...component('Name'), ...NOTE }), { a: 'b' }, { a: 1 }],
])('%s (%s)', async (_what, version, schema, fits, fails, gaps = []) => {
  const contract = await read({ 'openapi.json': documentOf(schema, COMPONENTS, version) });
  const judged = contract.operations[0]?.responses[0]?.schema ?? {};
  expect(schemaErrors(judged, fits)).toEqual([]);
  expect(schemaErrors(judged, fails)).not.toEqual([]);
  expect(contract.gaps.map(({ reason }) => reason)).toEqual(gaps);
});
