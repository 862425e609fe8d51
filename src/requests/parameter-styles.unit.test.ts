import { expect, test } from 'vitest';
import { parameter } from '../../test/operations/operations.ts';
import type { Parameter } from '../model/contract.ts';
import { inCookie, inHeader, inPath, inQuery } from './parameter-styles.ts';

const color = (change: Partial<Parameter>) => parameter('color', {}, change);
const RGB = { R: 100, G: 200 };

// OpenAPI 3.1, section 4.8.12.4.
test.each<[change: Partial<Parameter>, value: unknown, pairs: string[][] | undefined]>([
  [
    { style: 'form', explode: true },
    RGB,
    [
      ['R', '100'],
      ['G', '200'],
    ],
  ],
  [{ style: 'form', explode: false }, RGB, [['color', 'R,100,G,200']]],
  [
    { style: 'deepObject', explode: true },
    RGB,
    [
      ['color[R]', '100'],
      ['color[G]', '200'],
    ],
  ],
  // Without `explode`, only the style form is exploded.
  [{ style: 'pipeDelimited' }, ['a', 'b'], [['color', 'a|b']]],
  [{ style: 'unknown' }, ['a', 'b'], undefined],
  [{}, [], []],
  [{}, [['a']], undefined],
  [{}, { R: { deep: 1 } }, undefined],
  [{}, 'blue', [['color', 'blue']]],
  [{}, true, [['color', 'true']]],
  [{}, 1.5, [['color', '1.5']]],
  [{}, 'half of a character: \ud83d', undefined],
  [{}, null, undefined],
  [{}, undefined, undefined],
  // In one value, the delimiter would be read as one wherever it is.
  [{ explode: false }, ['a,b', 'c'], undefined],
  [{ explode: false }, { R: '1,2' }, undefined],
  [{ style: 'pipeDelimited' }, ['a|b', 'c'], undefined],
  [{ style: 'pipeDelimited' }, ['a,b', 'c'], [['color', 'a,b|c']]],
  [{ isJson: true }, { R: [1] }, [['color', '{"R":[1]}']]],
  [{ isJson: true }, undefined, undefined],
])('in the query, %j with the value %j', (change, value, pairs) => {
  expect(inQuery(color(change), value)).toEqual(pairs);
});

test.each<[change: Partial<Parameter>, value: unknown, text: string | undefined]>([
  [{}, 'blue', 'blue'],
  [{}, 7, '7'],
  [{}, 'half of a character: \ud83d', undefined],
  [{}, RGB, 'R,100,G,200'],
  [{ explode: true }, RGB, 'R=100,G=200'],
  [{ style: 'label' }, 'blue', '.blue'],
  [{ style: 'label' }, RGB, '.R,100,G,200'],
  [{ style: 'label', explode: true }, RGB, '.R=100.G=200'],
  [{ style: 'matrix' }, 'blue', ';color=blue'],
  [{ style: 'matrix' }, RGB, ';color=R,100,G,200'],
  [{ style: 'matrix', explode: true }, RGB, ';R=100;G=200'],
  [{}, [], undefined],
  [{}, [['a']], undefined],
  [{}, null, undefined],
  // Delimiters stay as they are, and what looks like one does not (RFC 6570 section 3.2).
  [{}, ['a,b', 'c'], 'a%2Cb,c'],
  [{ style: 'label', explode: true }, ['a/b', '50%'], '.a%2Fb.50%25'],
  [{ style: 'matrix', explode: true }, ['a;b=c', 'd'], ';color=a%3Bb%3Dc;color=d'],
  [{ isJson: true }, [1, 'a'], '%5B1%2C%22a%22%5D'],
  [{ isJson: true }, undefined, undefined],
])('in the path, %j with the value %j', (change, value, text) => {
  expect(inPath(color(change), value)).toBe(text);
});

test.each<[value: unknown, text: string | undefined]>([
  ['blue', 'blue'],
  ['a\tb', 'a\tb'],
  ['light blue', 'light blue'],
  [['blue', 'black'], 'blue,black'],
  [['blue, black'], undefined],
  ['bläu', undefined],
  ['a\nb', undefined],
  [' blue', undefined],
  ['blue ', undefined],
  [null, undefined],
])('a header with the value %j', (value, text) => {
  // Headers have one style, whatever the document says.
  for (const style of ['simple', 'matrix'])
    expect(inHeader(color({ in: 'header', style }), value)).toEqual(text && [['color', text]]);
});

test.each([
  [RGB, '{"R":100,"G":200}'],
  ['blue, black', '"blue, black"'],
  ['bläu', undefined],
  [undefined, undefined],
])('a header with the value %j in JSON', (value, text) => {
  expect(inHeader(color({ in: 'header', isJson: true }), value)).toEqual(text && [['color', text]]);
});

test.each<[value: unknown, text: string | undefined]>([
  ['blue', 'blue'],
  ['!#:<[]~', '!#:<[]~'],
  ['light blue', undefined],
  ['a;b', undefined],
  ['a,b', 'a,b'],
  ['"a"', undefined],
  ['a\\b', undefined],
  ['bläu', undefined],
  [null, undefined],
])('a cookie with the value %j', (value, text) => {
  expect(inCookie(color({ in: 'cookie' }), value)).toEqual(text && [['color', text]]);
});

test('a number beyond 2^53 is written with all of its digits', () => {
  expect(inQuery(color({}), 9007199254740993n)).toEqual([['color', '9007199254740993']]);
});

const LIST = ['blue', 'black'];

// The examples of OpenAPI 3.1, section 4.8.12.4.
test.each([
  [
    {},
    LIST,
    [
      ['color', 'blue'],
      ['color', 'black'],
    ],
  ],
  [{ explode: false }, LIST, [['color', 'blue,black']]],
  [{ style: 'spaceDelimited', explode: false }, LIST, [['color', 'blue black']]],
  [{ style: 'pipeDelimited', explode: false }, LIST, [['color', 'blue|black']]],
  [{}, 7, [['color', '7']]],
  [{}, { R: 100 }, [['R', '100']]],
  [{}, { R: [100] }, undefined],
])('a query parameter of %j', (fields, value, expected) => {
  expect(inQuery(color(fields), value)).toEqual(expected);
});

test.each([
  [{}, LIST, 'blue,black'],
  [{ style: 'label' }, LIST, '.blue,black'],
  [{ style: 'label', explode: true }, LIST, '.blue.black'],
  [{ style: 'matrix' }, LIST, ';color=blue,black'],
  [{ style: 'matrix', explode: true }, LIST, ';color=blue;color=black'],
  [{}, {}, undefined],
])('a path parameter of %j', (fields, value, expected) => {
  expect(inPath(color(fields), value)).toBe(expected);
});

test('JSON has each digit of a number beyond 2^53', () => {
  const digits = '9223372036854775807';
  const value = BigInt(digits);
  expect(inQuery(color({ isJson: true }), value)).toEqual([['color', digits]]);
  expect(inPath(color({ isJson: true }), value)).toBe(digits);
  expect(inHeader(color({ in: 'header', isJson: true }), value)).toEqual([['color', digits]]);
});
