import { describe, expect, test } from 'vitest';
import { segmentsOf } from '../../../model/json.ts';
import { excerpt, plainLines, syntaxErrorAt } from './body.ts';
import { type JsonLine, layOut, reach, readTree } from './json.ts';

function show(body: string, pointer?: string, wasCut = false): string[] | undefined {
  const tree = readTree(body, wasCut);
  return tree && layOut(tree, pointer === undefined ? undefined : segmentsOf(pointer)).map(textOf);
}

function textOf({ pieces }: JsonLine): string {
  return pieces
    .map(({ text, isMarked }) => (isMarked && text !== '' ? `«${text}»` : text))
    .join('')
    .replaceAll('»«', '');
}

describe('a JSON text is shown as it was written', () => {
  test.each(['1.0', '1e400', '-0', '9223372036854775808', '"\\u0041\\/"', '"\u2028"', 'null'])(
    '%s',
    (scalar) => {
      expect(show(`[ ${scalar} ]`)).toEqual([`[${scalar}]`]);
    },
  );

  test('an object on one line if it fits, else one line per member', () => {
    expect(show('{"id":1,"tags":[]}')).toEqual(['{', '  "id": 1,', '  "tags": []', '}']);
    expect(show('[{"id":1},{"id":2}]')).toEqual(['[', '  { "id": 1 },', '  { "id": 2 }', ']']);
    expect(show(`{"a":"${'x'.repeat(90)}"}`)).toHaveLength(3);
  });

  test.each(['', '{', 'no', '<p>', '{} {}', '[1,]', "{'a':1}"])('%s is not JSON', (body) => {
    expect(show(body)).toBeUndefined();
  });

  test('the start of a body that was cut', () => {
    expect(show('[{"id":1},{"id":2,"na', undefined, true)).toEqual([
      '[',
      '  { "id": 1 },',
      '  {',
      '    "id": 2',
    ]);
    expect(show('<html>cut', undefined, true)).toBeUndefined();
  });

  test('deep nesting is cut', () => {
    expect(show(`${'['.repeat(500)}1${']'.repeat(500)}`)?.length).toBeLessThan(100);
    expect(show('['.repeat(60_000), undefined, true)?.length).toBeLessThan(100);
  });
});

describe('the value at a pointer is marked', () => {
  test.each([
    ['/0/status', '[{"id":1,"status":"sold"}]', '  { "id": 1, «"status": "sold"» }'],
    ['/1', '[1,2]', '[1, «2»]'],
    ['/a~1b', '{"a/b":1}', '{ «"a/b": 1» }'],
    ['/a', '{"\\u0061":1}', '{ «"\\u0061": 1» }'],
    ['', '{"a":1}', '«{ "a": 1 }»'],
    ['/0', `[{"a":[[1]]}]`, '  «{»'],
  ])('%s of %s', (pointer, body, line) => {
    expect(show(body, pointer)).toContain(line);
  });

  test('as far as the pointer exists', () => {
    const tree = readTree('{"a":[{"b":1}]}', false);
    expect(tree && ['/a/0/b', '/a/0/c', '/a/5', '/x/y'].map((each) => reach(tree, segmentsOf(each)))).toEqual(
      [3, 2, 1, 0],
    );
  });
});

describe('a text that is not JSON is marked where it stops being JSON', () => {
  test.each([
    ['[{"a":NaN}]', '[{"a":«NaN»}]'],
    ['{"a":1}\n{"a":2}', '«{»"a":2}'],
    ['Too many', '«Too» many'],
    ['[1,2', '[1,2«(the line ends here)»'],
    [`["${'x'.repeat(300)}",]`, `…${'x'.repeat(198)}",«]»`],
  ])('%s', (text, line) => {
    expect(plainLines(text, syntaxErrorAt(text)).map(textOf)).toContain(line);
  });
});

describe('an excerpt', () => {
  const lines = (marked: number): JsonLine[] =>
    Array.from({ length: 100 }, (_, index) => ({
      pieces: [{ text: `${index}`, role: 'word', isMarked: false }],
      isMarked: index === marked,
    }));

  test.each([0, 5, 31, 50, 99])('has the start and the mark in line %i', (marked) => {
    const parts = excerpt(lines(marked), 30);
    const shown = parts.filter((each) => typeof each !== 'number');
    const skipped = parts.filter((each) => typeof each === 'number');
    expect(shown[0]?.pieces[0]?.text).toBe('0');
    expect(shown.some(({ isMarked }) => isMarked)).toBe(true);
    expect(shown.length).toBeLessThanOrEqual(30);
    expect(skipped.reduce((sum, each) => sum + each, shown.length)).toBe(100);
  });

  test('is the whole of a short text', () => {
    const short = lines(-1).slice(0, 3);
    expect(excerpt(short, 30)).toEqual(short);
  });
});
