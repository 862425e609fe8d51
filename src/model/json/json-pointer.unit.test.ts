import { expect, test } from 'vitest';
import { pointerOf, segmentsOf } from './json-pointer.ts';

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
