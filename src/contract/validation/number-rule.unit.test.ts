import { expect, test } from 'vitest';
import { isMultiple } from './number-rule.ts';

test.each<[value: number | bigint, of: number, isOne: boolean]>([
  [0, 7, true],
  [-14, 7, true],
  [15, 7, false],
  [19.99, 0.01, true],
  [19.995, 0.01, false],
  [1e308, 5, true],
  [5e-324, 5, false],
  [9_007_199_254_740_993n, 3, true],
  [9_007_199_254_740_993n, 2, false],
  [7, 0, false],
])('%s is a multiple of %s: %s', (value, of, isOne) => {
  expect(isMultiple(value, of)).toBe(isOne);
});

test('a number beyond every double, whose digits are not known, may be one', () => {
  expect(isMultiple(Number.POSITIVE_INFINITY, 5)).toBe(true);
  expect(isMultiple(Number.NEGATIVE_INFINITY, 0.1)).toBe(true);
});
