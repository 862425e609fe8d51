import { expect, test } from 'vitest';
import { parseJson, pointerOf, sameJson, segmentsOf, stringifyJson } from './json.ts';

test.each([
  ['9223372036854775807', 9_223_372_036_854_775_807n],
  ['9.007199254740993E+15', 9_007_199_254_740_993n],
  ['922337203685477580700E-2', 9_223_372_036_854_775_807n],
  ['-90071992547409930.00e-1', -9_007_199_254_740_993n],
  ['1.50', 1.5],
  ['10.0', 10],
])('the number %s is read without loss', (text, value) => {
  expect(parseJson(text)).toEqual({ ok: true, value });
});

test.each([
  ['the same value', '{"id":1,"id":1}', { ok: true, value: { id: 1 } }],
  ['other values', '{"id":1,"id":2}', { ok: false }],
  ['other values, deep inside', '[{"pet":{"id":1,"id":2}}]', { ok: false }],
])('a property that is named twice with %s', (_what, text, expected) => {
  expect(parseJson(text)).toMatchObject(expected);
});

test.each([
  ['999999999999999', 999_999_999_999_999],
  ['-999999999999999', -999_999_999_999_999],
  ['9007199254740991', 9_007_199_254_740_991],
  ['-9007199254740993', -9_007_199_254_740_993n],
  [
    '{"a":["x",1,true,null,{"e":"1e400: 12345678901234567890"}]}',
    { a: ['x', 1, true, null, { e: '1e400: 12345678901234567890' }] },
  ],
  ['["\\"1.5:","\\\\",12345678901234567890]', ['"1.5:', '\\', 12_345_678_901_234_567_890n]],
])('%s is read as it is written, and again', (text, value) => {
  expect(parseJson(text)).toEqual({ ok: true, value });
  expect(parseJson(text)).toEqual({ ok: true, value });
});

test('more texts are parsed than are remembered, and each is its own', () => {
  const texts = Array.from({ length: 1_000 }, (_, index) => `[${index}]`);
  expect(texts.map(readAndWritten)).toEqual(texts);
  expect(texts.map(readAndWritten)).toEqual(texts);
});

function readAndWritten(text: string): string {
  const parsed = parseJson(text);
  return parsed.ok ? stringifyJson(parsed.value) : parsed.error;
}

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

test.each<[one: string, other: string, isSame: boolean]>([
  ['1', '1.0', true],
  ['9007199254740993', '9.007199254740993e15', true],
  ['9007199254740993', '9007199254740992', false],
  ['{"a": 1, "b": null}', '{"b": null, "a": 1}', true],
  ['{"a": 1}', '{"a": 1, "b": 2}', false],
  ['{"a": null}', '{"b": null}', false],
  ['{"__proto__": {}}', '{"a": 1}', false],
  ['{"__proto__": {}}', '{"__proto__": {}}', true],
  ['[1, 2]', '[2, 1]', false],
  ['[]', '{}', false],
  ['1', '"1"', false],
])('%s and %s are the same: %s', (one, other, isSame) => {
  const [left, right] = [one, other].map((text) => {
    const parsed = parseJson(text);
    return parsed.ok ? parsed.value : undefined;
  });
  expect(sameJson(left, right)).toBe(isSame);
  expect(sameJson(right, left)).toBe(isSame);
});

/** The examples of RFC 6901 section 5. */
test.each<[pointer: string, segments: string[]]>([
  ['', []],
  ['/foo', ['foo']],
  ['/foo/0', ['foo', '0']],
  ['/', ['']],
  ['/a~1b', ['a/b']],
  ['/c%d', ['c%d']],
  ['/ ', [' ']],
  ['/m~0n', ['m~n']],
  ['/~01', ['~1']],
])('%s', (pointer, segments) => {
  expect(segmentsOf(pointer)).toEqual(segments);
  expect(pointerOf(segments)).toBe(pointer);
});

test('an index is written as its digits', () => {
  expect(pointerOf(['pets', 3, 'id'])).toBe('/pets/3/id');
});
