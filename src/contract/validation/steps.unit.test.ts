import { expect, test } from 'vitest';
import type { Schema } from '../../model/contract.ts';
import type { Json } from '../../model/json.ts';
import { schemaErrors, slowSchemaGaps } from './schema-validator.ts';

const LEAF: Schema = { 'x-component': 'Leaf', type: 'object', required: ['x'] };
const places = (schema: Schema, value: Json) =>
  schemaErrors(schema, value).map(({ pointer, keyword }) => `${keyword} /${pointer.join('/')}`);

/** Without a bound, 100 levels take longer than the age of the universe. */
function levels(wrap: (inner: Schema) => Schema, count = 100): Schema {
  return Array.from({ length: count }).reduce<Schema>(
    (inner, _, index) => ({ 'x-component': `Level${index}`, ...wrap(inner) }),
    LEAF,
  );
}

const nested = (depth: number, value: Json): Json =>
  Array.from({ length: depth }).reduce<Json>((inner) => ({ a: inner }), value);

test.each<[keyword: string, wrap: (inner: Schema) => Schema]>([
  ['anyOf', (inner) => ({ anyOf: [inner, inner] })],
  ['oneOf', (inner) => ({ oneOf: [inner, inner] })],
  ['allOf', (inner) => ({ allOf: [inner, inner] })],
  ['not', (inner) => ({ not: inner, allOf: [inner] })],
  ['if', (inner) => ({ if: inner, else: inner })],
])('schemas that double at each level of %s are not judged', (_keyword, wrap) => {
  const schema = { ...levels(wrap), type: 'object' };
  expect(places(schema, {})).toEqual([]);
  expect(places(schema, 'text')).toEqual(['type /']);
});

test.each<[keyword: string, wrap: (inner: Schema) => Schema, value: Json]>([
  [
    'properties',
    (inner) => ({ properties: { a: inner }, patternProperties: { '^a': inner } }),
    nested(100, {}),
  ],
  [
    'contains',
    (inner) => ({ items: inner, contains: inner }),
    Array.from({ length: 100 }).reduce<Json>((inner) => [inner], {}),
  ],
])('nor are those that double at each level of a value, by %s', (_keyword, wrap, value) => {
  expect(schemaErrors({ allOf: [levels(wrap)] }, value)).toEqual([]);
});

test('nor is a tree whose classes all have children, beyond a depth', () => {
  const tree: Schema = { 'x-component': 'Tree' };
  const node = (kind: string): Schema => ({
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string', enum: [kind] }, a: { 'x-circular': tree } },
  });
  Object.assign(tree, { anyOf: [node('one'), node('other')] });
  expect(places(tree, { kind: 'one', a: { kind: 'other', a: { kind: 'none' } } })).toEqual(['anyOf /']);
  expect(places(tree, nested(80, {}))).toEqual([]);
});

test('what is judged without alternatives is judged by everything else', () => {
  const name: Schema = { type: 'string' };
  const schema: Schema = {
    type: 'object',
    required: ['id'],
    properties: { name, deep: levels((inner) => ({ anyOf: [inner, inner] })) },
    patternProperties: { '^x-': {} },
    additionalProperties: false,
  };
  expect(places(schema, { name: 5, deep: {}, 'x-y': 1 })).toEqual(['required /id', 'type /name']);
});

test('a long list of values that each have many alternatives is judged', () => {
  const members = Array.from({ length: 200 }, (_, index) => ({ type: 'string', enum: [`m${index}`] }));
  const values = Array.from({ length: 900 }, () => ({ kind: 'm199' }));
  const schema: Schema = { items: { properties: { kind: { oneOf: members } } } };
  expect(places(schema, values)).toEqual([]);
  expect(places(schema, [...values, { kind: 'm200' }])).toEqual(['oneOf /900/kind']);
});

test('the document says more than is judged: which operations', () => {
  const schema = levels((inner) => ({ anyOf: [inner, inner] }));
  const operation = { parameters: [], responses: [{ status: '200', headers: [], schema }] };
  const operations = [
    { ...operation, method: 'GET', path: '/levels' },
    { ...operation, method: 'GET', path: '/others', responses: [] },
  ] as never;
  expect(slowSchemaGaps({ operations })).toEqual([]);
  schemaErrors(schema, { x: 1 });
  expect(slowSchemaGaps({ operations })).toEqual([]);
  schemaErrors(schema, {});
  expect(slowSchemaGaps({ operations })).toMatchObject([
    { operation: 'GET /levels', isWhole: false, reason: expect.stringContaining('anyOf') },
  ]);
});
