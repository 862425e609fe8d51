import { expect, test } from 'vitest';
import { json } from '../../../test/exchanges/json.ts';
import { common, type Fields, fieldsIn, isSame } from './fields.ts';

test.each<[text: string | undefined, fields: Fields | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['[{"a":"b"}]', undefined],
  ['null', undefined],
  ['{"a":"b"}', { a: 'b' }],
  ['{"data":{"a":"b"}}', { a: 'b' }],
  ['{"data":{"a":"b"},"of":"c"}', { data: { a: 'b' }, of: 'c' }],
])('the fields of a body %s: %o', (text, fields) => {
  expect(fieldsIn(text)).toEqual(fields);
});

test.each<[one: string, other: string, same: boolean]>([
  ['"Rex"', '"Rex"', true],
  ['"Rex"', '" rex "', true],
  ['"Rex  the dog"', '"Rex the dog"', true],
  ['"Rex"', '"Max"', false],
  ['"Rex the dog"', '"Rexthedog"', false],
  ['"2026-11-21T12:00:00Z"', '"2026-11-21T13:00:00+01:00"', true],
  ['"2026-11-21T12:00:00Z"', '"2026-11-21T13:00:00Z"', false],
  ['"2026-11-21T12:00:00Z"', '"at noon"', false],
  ['"May 1"', '"1 May"', false],
  ['"at 2026-11-21"', '"on 2026-11-21"', false],
  ['"2026-11-2"', '"2026-11-2 00:00"', false],
  ['1', '"1.0"', true],
  ['1.50', '"1.5"', true],
  ['1', '2', false],
  ['9007199254740993', '9007199254740993', true],
  ['9007199254740993', '"9007199254740993"', true],
  ['9007199254740993', '9007199254740992', false],
  ['9007199254740993', '"9007199254740992"', false],
  ['" 9007199254740993 "', '9007199254740993', true],
  ['-9007199254740993', '"-9007199254740992"', false],
  ['1e3', '"1000"', true],
  ['10.5', '"10"', false],
  ['""', '0', false],
  ['" "', '0', false],
  ['true', 'true', true],
  ['null', 'null', true],
  ['null', '0', false],
  ['true', '1', false],
])('%s means the same as %s: %s', (one, other, same) => {
  expect(isSame(json(one), json(other))).toBe(same);
});

test('only simple fields that both have are compared', () => {
  const one = { a: 1, b: null, c: {}, d: 1, e: 1 };
  const other = { a: 2, b: 1, c: 1, d: [], f: 1 };
  expect(common(one, other)).toEqual(['a', 'b']);
});
