import { expect, test } from 'vitest';
import { parseJson, stringifyJson } from './json.ts';

test.each([
  ['9223372036854775807', 9_223_372_036_854_775_807n],
  ['9.007199254740993E+15', 9_007_199_254_740_993n],
  ['1.50', 1.5],
  ['10.0', 10],
])('the number %s is read without loss', (text, value) => {
  expect(parseJson(text)).toEqual({ ok: true, value });
});

test.each([
  ['digits', '9'.repeat(1_000_000), true],
  ['zeros behind the point', `1.5${'0'.repeat(1_000_000)}1`, true],
  ['zeros before the end', `1.5${'0'.repeat(1_000_000)}`, true],
  ['digits of an exponent', `1e${'9'.repeat(1_000_000)}`, true],
  ['brackets', '['.repeat(1_000_000), false],
  ['brackets in a string', `"${'['.repeat(1_000_000)}"`, true],
  ['blanks', `${' '.repeat(1_000_000)}1`, true],
  ['backslashes', `"${'\\'.repeat(1_000_000)}"`, true],
])('a million %s are read as what they are', (_what, text, isJson) => {
  expect(parseJson(text).ok).toBe(isJson);
});

test('a number beyond every double is shown as one', () => {
  const parsed = parseJson('9'.repeat(1_000));
  expect(parsed.ok && stringifyJson({ id: parsed.value })).toBe('{"id":1e999}');
  expect(JSON.parse(stringifyJson([Number.NEGATIVE_INFINITY]))).toEqual([Number.NEGATIVE_INFINITY]);
});
