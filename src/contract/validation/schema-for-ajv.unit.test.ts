import { expect, test } from 'vitest';
import type { Schema } from '../../model/contract.ts';
import { forAjv } from './schema-for-ajv.ts';

const NAME: Schema = { 'x-component': 'Name', type: 'string', description: 'a name' };

const DAY: Schema = { 'x-component': 'Day', type: 'string', format: 'date', 'x-level': { format: 'should' } };

test.each<[what: string, schema: Schema, node: object, $defs?: object]>([
  [
    'what restricts nothing is left out',
    { type: 'string', format: 'email', maxLength: 9, title: 'a', example: 'b', 'x-since': '0.2.0' } as Schema,
    { type: 'string', format: 'email', maxLength: 9 },
  ],
  [
    'neither a default nor examples restrict anything, nor does who may send it',
    {
      type: 'string',
      default: 'c',
      examples: ['b'],
      deprecated: true,
      readOnly: true,
      writeOnly: true,
    } as Schema,
    { type: 'string' },
  ],
  ['what has no type has none', {}, {}],
  ['what has no type has none, null or not', { 'x-nullable': true }, {}],
  ['several types', { 'x-types': ['string', 'boolean'] }, { type: ['string', 'boolean'] }],
  [
    'several types, null among them',
    { 'x-types': ['string', 'null'], 'x-nullable': true },
    { type: ['string', 'null'] },
  ],
  [
    'a number has its rules in one keyword',
    { type: 'integer', format: 'int64', minimum: 1, 'x-nullable': true },
    { 'x-number': { types: ['integer', 'null'], format: 'int64', minimum: 1 } },
  ],
  [
    'a number among several types',
    { 'x-types': ['integer', 'string'], minimum: 1, maxLength: 9 },
    { maxLength: 9, 'x-number': { types: ['integer', 'string'], minimum: 1 } },
  ],
  [
    'the format of a text that may be a number as well',
    { 'x-types': ['string', 'number'], format: 'date' },
    { 'x-number': { types: ['string', 'number'], format: 'date' }, format: 'date' },
  ],
  ['bounds without a type', { maximum: 9 }, { 'x-number': { maximum: 9 } }],
  ['bounds of a text', { type: 'string', maximum: 9 }, { type: 'string' }],
  [
    'members, and null once',
    { type: 'string', enum: ['a', null], 'x-nullable': true },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  ['members without null', { type: 'string', enum: ['a'] }, { type: 'string', enum: ['a'] }],
  [
    'a schema inside another',
    { type: 'object', additionalProperties: false, properties: { a: { type: 'number' } } } as Schema,
    { type: 'object', additionalProperties: false, properties: { a: { 'x-number': { types: ['number'] } } } },
  ],
  [
    'a component in several places is defined once',
    { type: 'object', properties: { a: NAME, b: NAME } },
    { type: 'object', properties: { a: { $ref: '#/$defs/c0' }, b: { $ref: '#/$defs/c0' } } },
    { c0: { type: 'string' } },
  ],
  [
    'a format that is only good practice counts in a field, and in what is denied',
    {
      type: 'object',
      properties: { a: DAY, b: { type: 'array', items: DAY }, c: { anyOf: [DAY] } },
      additionalProperties: DAY,
      not: DAY,
    },
    {
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/c2' },
        b: { type: 'array', items: { $ref: '#/$defs/c3' } },
        c: { anyOf: [{ $ref: '#/$defs/c0' }], 'x-branches': 1 },
      },
      additionalProperties: { $ref: '#/$defs/c0' },
      not: { $ref: '#/$defs/c1' },
      'x-branches': 1,
    },
    {
      c0: { type: 'string' },
      c1: { type: 'string', format: 'date' },
      c2: { type: 'string', format: 'date' },
      c3: { type: 'string' },
    },
  ],
  [
    'members that differ by such a format may both fit',
    { oneOf: [DAY, { type: 'string', 'x-level': { format: 'should' }, format: 'email' }] },
    { anyOf: [{ $ref: '#/$defs/c0' }, { type: 'string' }], 'x-branches': 2 },
    { c0: { type: 'string' } },
  ],
  [
    'what belongs into the other direction may come all the same',
    {
      type: 'object',
      properties: { a: { type: 'string' } },
      additionalProperties: false,
      'x-other-direction': ['b'],
    },
    { type: 'object', properties: { a: { type: 'string' }, b: {} }, additionalProperties: false },
  ],
  ['one that is met again', { 'x-circular': NAME }, { $ref: '#/$defs/c0' }, { c0: { type: 'string' } }],
])('a schema for ajv: %s', (_what, schema, node, $defs = {}) => {
  expect(forAjv(schema)).toStrictEqual({ ...node, $defs });
});
