import { describe, expect, test } from 'vitest';
import type { Schema } from '../../model/contract.ts';
import { stringifyJson } from '../../model/json.ts';
import { furtherWrongValues } from './wrong-values.ts';

const MEMBERS = ['new', 'in-use', 'sold'];
const INT64: Schema = { type: 'integer', format: 'int64' };

/** Whether JSON has an integer between -2^63 and 2^63 - 1. */
const isInt64 = (json: string) => /^-?\d+$/.test(json) && BigInt.asIntN(64, BigInt(json)) === BigInt(json);

describe.each<[kind: string, schema: Schema, isRight: (json: string) => boolean, count: number]>([
  ['a text', { type: 'string' }, (json) => json.startsWith('"'), 14],
  ['an integer of 64 bits', INT64, isInt64, 26],
  ['a member', { type: 'string', enum: MEMBERS }, (json) => MEMBERS.includes(json.slice(1, -1)), 23],
])('values in place of %s', (_kind, schema, isRight, count) => {
  const wrong = furtherWrongValues('field', schema);
  const written = wrong.map(({ value }) => stringifyJson(value));

  test('are many, each of them once, and none that is right', () => {
    expect(new Set(written).size).toBe(count);
    expect(written).toHaveLength(count);
    expect(written.filter(isRight)).toEqual([]);
  });

  test('have ids and titles of their own', () => {
    expect(new Set(wrong.map(({ id }) => id)).size).toBe(count);
    expect(new Set(wrong.map(({ title }) => title)).size).toBe(count);
    for (const { id, title } of wrong) {
      expect(id).toMatch(/^further-[a-z][a-z0-9-]*[a-z0-9]$/);
      expect(title).toMatch(/^\S(?:.*\S)?$/);
    }
  });
});

test('a text that is no member violates the enumeration, anything else the type', () => {
  const ofStatus = furtherWrongValues('status', { type: 'string', enum: MEMBERS });
  expect(new Set(ofStatus.map(({ facet }) => facet))).toEqual(new Set(['enum', 'type']));
  for (const { value, facet } of ofStatus) expect(facet).toBe(typeof value === 'string' ? 'enum' : 'type');
  const ofName = furtherWrongValues('name', { type: 'string' });
  expect(new Set(ofName.map(({ facet }) => facet))).toEqual(new Set(['type']));
});

test('what is no member is made of the members', () => {
  const values = furtherWrongValues('status', { enum: MEMBERS }).map(({ value }) => value);
  for (const value of ['new,in-use', 'Sold', 'SOLD', 'sold ', ' new', 'ne', 'newx', 'sold\n'])
    expect(values).toContain(value);
  expect(values).toContainEqual(['new']);
});

test('what is made of members may be one of them: then it is not sent as wrong', () => {
  const values = (members: string[]) => furtherWrongValues('a', { enum: members }).map(({ value }) => value);
  expect(values(['a', 'A'])).not.toContain('A');
  expect(values(['', 'a'])).not.toContain('');
  expect(values(['0', 'unknown', 'null'])).not.toEqual(expect.arrayContaining(['unknown']));
});

test('arrays nest a hundred levels deep', () => {
  for (const schema of [INT64, { type: 'string' }]) {
    const deep = furtherWrongValues('field', schema).find(({ id }) => id === 'further-deep');
    expect(JSON.stringify(deep?.value)).toBe('['.repeat(101) + ']'.repeat(101));
    expect(deep?.title).toContain('100');
  }
});

test('an array with the reference itself comes first, where the value is a reference', () => {
  const [first] = furtherWrongValues('categoryId', { ...INT64, 'x-reference': true });
  expect(first?.value).toEqual([{ late: 'reference', name: 'categoryId', as: 'value' }]);
  expect(furtherWrongValues('size', INT64)[0]?.value).toBe('');
});

test.each<Schema>([{ type: 'integer' }, { type: 'number' }, { type: 'boolean' }, { enum: ['a', 1] }, {}])(
  'nothing is certainly wrong in place of %j',
  (schema) => {
    expect(furtherWrongValues('field', schema)).toEqual([]);
  },
);

test.each<[schema: Schema, id: string, value: unknown]>([
  [{ type: 'string' }, 'array-of-text', ['Rex']],
  [{ type: 'string' }, 'object', { value: 'Rex' }],
  [{ type: 'string' }, 'empty-array', []],
  [{ type: 'string' }, 'false', false],
  [{ type: 'string' }, 'true', true],
  [INT64, 'array-of-text', ['1']],
  [INT64, 'empty-array', []],
  [INT64, 'false', false],
  [{ enum: MEMBERS }, 'false', false],
  [{ enum: MEMBERS }, 'true', true],
  [{ enum: MEMBERS }, 'empty-text', ''],
  [{ enum: MEMBERS }, 'empty-array', []],
])('in place of %j, %s is what it says', (schema, id, value) => {
  expect(furtherWrongValues('field', schema).find((each) => each.id === `further-${id}`)?.value).toEqual(
    value,
  );
});
