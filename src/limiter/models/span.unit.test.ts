import { expect, test } from 'vitest';
import { common, plus, without } from './span.ts';

const WHOLE = { lo: 1, hi: 4 };

test.each<[what: string, lo: number, hi: number, shared: object | undefined]>([
  ['itself', 1, 4, WHOLE],
  ['a part of it', 2, 3, { lo: 2, hi: 3 }],
  ['what begins before it', 0, 4, WHOLE],
  ['what ends after it', 1, 5, WHOLE],
  ['what meets its end', 4, 6, { lo: 4, hi: 4 }],
  ['what comes later', 5, 6, undefined],
])('a span and %s', (_what, lo, hi, shared) => {
  expect(common(WHOLE, { lo, hi })).toEqual(shared);
});

test('a span is moved, or less of it is left', () => {
  expect(plus(WHOLE, -2)).toEqual({ lo: -1, hi: 2 });
  expect(without(WHOLE, 2)).toEqual({ lo: 0, hi: 4 });
});
