import { expect, test } from 'vitest';
import type { Schema } from '../model/contract.ts';
import { type ChangeDirection, schemaChange } from './requirement-changes.ts';

test.each<[what: string, before: Schema, after: Schema, change: ChangeDirection | undefined]>([
  [
    'the same, with keywords in another order',
    { type: 'string', maxLength: 5 },
    { maxLength: 5, type: 'string' },
    undefined,
  ],
  ['a smaller maximum', { maximum: 9 }, { maximum: 8 }, 'tightens'],
  ['a smaller minimum', { minLength: 2 }, { minLength: 1 }, 'loosens'],
  ['a bound that was not there', {}, { minItems: 1 }, 'tightens'],
  ['a bound that is gone', { maxItems: 9 }, {}, 'loosens'],
  [
    'one bound that allows more, another that allows less',
    { minimum: 2, maximum: 9 },
    { minimum: 1, maximum: 8 },
    'changes',
  ],
  ['a member fewer', { enum: ['a', 'b'] }, { enum: ['b'] }, 'tightens'],
  ['a member more', { enum: ['a'] }, { enum: ['b', 'a'] }, 'loosens'],
  ['another member', { enum: ['a'] }, { enum: ['b'] }, 'changes'],
  ['null is allowed as well', { type: 'string' }, { type: 'string', 'x-nullable': true }, 'loosens'],
  ['one type of two', { 'x-types': ['string', 'integer'] }, { type: 'string' }, 'tightens'],
  ['a format that was not there', { type: 'string' }, { type: 'string', format: 'date' }, 'tightens'],
  ['another pattern', { pattern: '^a' }, { pattern: '^b' }, 'changes'],
  ['no other fields any more', {}, { additionalProperties: false }, 'tightens'],
  ['entries of a list', { items: { maxLength: 3 } }, { items: { maxLength: 4 } }, 'loosens'],
  ['other words alone', { description: 'a name' }, { description: 'the name' }, undefined],
])('%s', (_what, before, after, change) => {
  expect(schemaChange(before, after)).toBe(change);
});
