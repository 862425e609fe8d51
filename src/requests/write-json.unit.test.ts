import { expect, test } from 'vitest';
import { parseJson, rawNumber } from '../model/json.ts';
import type { RequestVariation } from '../model/probe.ts';
import { writeJson } from './write-json.ts';

const ORDER: RequestVariation = { id: 'field-order', kind: 'field-order' };
const space = (style: 'spaces' | 'lines'): RequestVariation => ({ id: style, kind: 'json-space', style });
const escapes = (style: 'unicode' | 'solidus' | 'names'): RequestVariation => ({
  id: style,
  kind: 'json-escapes',
  style,
});

const value = {
  name: 'Zoë </b> "🐈" \\ \n-abcdefgh',
  categoryId: 9007199254740993n,
  tags: ['pending', [], {}],
  none: null,
  wéight: 1.5,
};

test.each<[string, RequestVariation[]]>([
  ['plain', []],
  ['in another order', [ORDER]],
  ['with blanks', [space('spaces')]],
  ['in lines', [space('lines'), ORDER]],
  ['with escapes', [escapes('unicode'), space('lines')]],
  ['with escaped slashes', [escapes('solidus')]],
  ['with escaped names', [escapes('names'), space('spaces'), ORDER]],
])('%s: another text, the same value', (_, variations) => {
  const text = writeJson(value, variations);
  expect(text === writeJson(value, [])).toBe(variations.length === 0);
  expect(parseJson(text)).toEqual({ ok: true, value });
});

test('white space is around every token', () => {
  expect(writeJson({ a: [1, 'b'] }, [space('spaces')])).toBe(' { "a" : [ 1 , "b" ] } ');
  expect(writeJson({ a: 1, b: 2 }, [space('lines')])).toBe('\n{\r\n\t"a"\t:\n1\r\n\t,"b"\t:\n2\n}\r\n');
});

test('characters beyond the basic plane are escaped as pairs, and a digit may be in either case', () => {
  expect(writeJson('a🐈é', [escapes('unicode')])).toBe('"\\u0061\\ud83d\\uDC08\\u00e9"');
  expect(writeJson({ name: 'é/' }, [escapes('names')])).toBe('{"\\u006eame":"é/"}');
  expect(writeJson('</b>', [escapes('solidus')])).toBe('"<\\/b>"');
});

test('the letters that make a text unique are not escaped', () => {
  expect(writeJson('Ré-abcdefgh', [escapes('unicode')])).toBe('"\\u0052\\u00e9-abcdefgh"');
});

test('numbers stay as they are', () => {
  const text = writeJson([rawNumber('9223372036854775808'), 1n], [space('spaces')]);
  expect(text).toBe(' [ 9223372036854775808 , 1 ] ');
});
