import { expect, test } from 'vitest';
import { readJson, writeJson } from './json.ts';

test.each([
  ['0', 0n],
  ['-0', 0n],
  ['0e5', 0n],
  ['1.0', 1n],
  ['1e3', 1000n],
  ['1.20e1', 12n],
  ['120e-1', 12n],
  ['-2.50', -2.5],
  ['15e-1', 1.5],
  ['5e-3', 0.005],
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775808', -9223372036854775808n],
  ['9223372036854775807.0', 9223372036854775807n],
  ['9223372036854775808', 9223372036854775808n],
  ['1e400', Number.POSITIVE_INFINITY],
  ['1e999999999', Number.POSITIVE_INFINITY],
  ['1e-999999999', 0],
])('the number %s', (text, value) => {
  expect(readJson(text)).toBe(value);
});

test('members with the same name: equal values are accepted, different ones are not', () => {
  expect(readJson('{"a":1,"a":1.0}')).toEqual({ a: 1n });
  expect(() => readJson('{"a":1,"a":2}')).toThrow(SyntaxError);
});

test('bigints and lone surrogates are written without loss', () => {
  expect(writeJson({ id: 9223372036854775807n, name: 'a\ud800' })).toBe(
    '{"id":9223372036854775807,"name":"a\\ud800"}',
  );
});

test('a list is written entry by entry, the same ones again, too', () => {
  const cat = { id: 9007199254740993n, tags: [{ name: 'a\ud800' }] };
  const text = '{"id":9007199254740993,"tags":[{"name":"a\\ud800"}]}';
  expect(writeJson([cat, 'cat', null, [1n, cat], cat])).toBe(`[${text},"cat",null,[1,${text}],${text}]`);
  expect(writeJson([])).toBe('[]');
});
