import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../../test/command-line/collect-garbage.ts';
import { json } from '../../../test/exchanges/json.ts';
import type { Schema } from '../../model/contract.ts';
import { type Json, sameJson, stringifyJson } from '../../model/json.ts';
import { schemaErrors } from './schema-validator.ts';

const wordOf = (length: number, name: string) => `${name}-${'x'.repeat(length)}`;

/** Judges by a schema that nobody has any more afterwards. The members of an enumeration are what ajv keeps of it. */
function judgedOnce(name: string): WeakRef<object> {
  const schema: Schema = { enum: [wordOf(10, name)] };
  expect(schemaErrors(schema, name)).toHaveLength(1);
  return new WeakRef(schema.enum as object);
}

const LASTING: Schema[] = [
  { type: 'integer', minimum: 3 },
  { uniqueItems: true },
  { pattern: '^a', format: 'date' },
  { not: { properties: { a: { 'x-component': 'A', type: 'string' } } } },
];

test('what judges by a schema is forgotten after enough others, once nobody has it, whoever has others', async () => {
  for (const each of LASTING) schemaErrors(each, [7]);
  const forgotten = judgedOnce('forgotten');
  for (let count = 0; count < 100; count += 1) judgedOnce(wordOf(100_000, String(count)));
  // Until the end of its turn, what a WeakRef was made for is kept, and so is what a collection had looked at that had begun.
  for (let turn = 0; turn < 5 && forgotten.deref(); turn += 1) {
    await setTimeout(0);
    collectGarbage();
  }
  expect(forgotten.deref()).toBeUndefined();
  for (const each of LASTING) schemaErrors(each, [7]);
});

test('a schema that somebody has still judges after many others', () => {
  const schema: Schema = { enum: ['a'] };
  expect(schemaErrors(schema, 'a')).toEqual([]);
  for (let count = 0; count < 100; count += 1) judgedOnce(wordOf(100_000, `other-${count}`));
  expect(schemaErrors(schema, 'a')).toEqual([]);
  expect(schemaErrors(schema, 'b')).toMatchObject([{ keyword: 'enum' }]);
  expect(schemaErrors({ ...schema }, 'b')).toMatchObject([{ keyword: 'enum' }]);
});

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
