import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../../test/command-line/collect-garbage.ts';
import type { Schema } from '../../model/contract.ts';
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
