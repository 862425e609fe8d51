import { expect, test } from 'vitest';
import { common, coverEach, covers, plus, without } from './span.ts';

const WHOLE = { lo: 1, hi: 4 };

test.each<[what: string, lo: number, hi: number, isCovered: boolean, shared: object | undefined]>([
  ['itself', 1, 4, true, WHOLE],
  ['a part of it', 2, 3, true, { lo: 2, hi: 3 }],
  ['what begins before it', 0, 4, false, WHOLE],
  ['what ends after it', 1, 5, false, WHOLE],
  ['what meets its end', 4, 6, false, { lo: 4, hi: 4 }],
  ['what comes later', 5, 6, false, undefined],
])('a span and %s', (_what, lo, hi, isCovered, shared) => {
  expect(covers(WHOLE, { lo, hi })).toBe(isCovered);
  expect(coverEach([WHOLE, WHOLE], [WHOLE, { lo, hi }])).toBe(isCovered);
  expect(common(WHOLE, { lo, hi })).toEqual(shared);
});

test('a span is moved, or less of it is left', () => {
  expect(plus(WHOLE, -2)).toEqual({ lo: -1, hi: 2 });
  expect(without(WHOLE, 2)).toEqual({ lo: 0, hi: 4 });
});
