import fc from 'fast-check';
import { expect, test } from 'vitest';
import { json } from '../../../test/exchanges/json.ts';
import type { Schema } from '../../model/contract.ts';
import { type Json, sameJson, stringifyJson } from '../../model/json.ts';
import { schemaErrors } from './schema-validator.ts';

const UNIQUE: Schema = { type: 'array', uniqueItems: true };
const keywords = (schema: Schema, text: string) =>
  schemaErrors(schema, json(text)).map(({ keyword }) => keyword);

test.each<[text: string, isUnique: boolean]>([
  ['[1, 1.0]', false],
  ['[0, -0.0]', false],
  ['[1, "1"]', true],
  ['["a", "a "]', true],
  ['["", "", 1]', false],
  ['[null, null]', false],
  ['[null, false, 0, "", [], {}]', true],
  ['[9007199254740993, 9007199254740992]', true],
  ['[9007199254740993, 9007199254740993.0]', false],
  ['[1e30, 1000000000000000000000000000000]', false],
  ['[{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}]', false],
  ['[{"a": 1}, {"a": 1, "b": null}]', true],
  ['[{"a,b": 1}, {"a": 1, "b": 1}]', true],
  ['[["a,b"], ["a", "b"]]', true],
  ['[[1, 2], [2, 1]]', true],
  ['[{"__proto__": 1}, {"__proto__": 2}]', true],
  ['[]', true],
])('%s: all entries differ: %s', (text, isUnique) => {
  expect(keywords(UNIQUE, text)).toEqual(isUnique ? [] : ['uniqueItems']);
  expect(keywords({ not: UNIQUE }, text)).toEqual(isUnique ? ['not'] : []);
  expect(keywords({ oneOf: [UNIQUE, { type: 'string' }] }, text)).toEqual(isUnique ? [] : ['oneOf']);
  expect(keywords({ uniqueItems: false }, text)).toEqual([]);
});

test('entries are equal if they are the same JSON', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'xsmall' },
      fc.constantFrom<Json>(null, true, 0, 1, 1.5, '', '1', 'a', 9007199254740993n),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b'), tie('value'), { noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(value, value, (one, other) => {
      const [left, right] = [one as Json, other as Json];
      expect(keywords(UNIQUE, stringifyJson([left, right]))).toEqual(
        sameJson(left, right) ? ['uniqueItems'] : [],
      );
    }),
    { numRuns: 500 },
  );
});

// To compare each pair of entries takes far longer than a test may.
const MANY = 60_000;

test('very many entries are compared in no time, also in what is denied', () => {
  const entries = Array.from({ length: MANY }, (_, id) => ({ id, tags: [String(id)] }));
  expect(schemaErrors(UNIQUE, entries)).toEqual([]);
  expect(schemaErrors({ not: UNIQUE }, entries)).toMatchObject([{ keyword: 'not' }]);
  expect(schemaErrors(UNIQUE, [...entries, { tags: ['7'], id: 7 }])).toMatchObject([
    { keyword: 'uniqueItems', pointer: [] },
  ]);
}, 20_000);

test('lists within lists are looked at once, not once for each list around them', () => {
  const entries: Json[] = Array.from({ length: 20_000 }, (_, id) => ({ id }));
  const value = Array.from({ length: 400 }).reduce<Json>((inner) => [inner, 'x'], entries);
  const schema: Schema = { uniqueItems: true, 'x-component': 'List' };
  const items: Schema = { 'x-circular': schema };
  expect(schemaErrors(Object.assign(schema, { items }), value)).toEqual([]);
}, 20_000);
