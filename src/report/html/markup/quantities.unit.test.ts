import { expect, test } from 'vitest';
import { duration } from './quantities.ts';

test.each([
  [0, '0 ms'],
  [999.4, '999 ms'],
  [999.7, '1 s'],
  [1_250, '1.3 s'],
  [9_949, '9.9 s'],
  [9_960, '10 s'],
  [59_400, '59 s'],
  [59_600, '1 min'],
  [61_868, '1 min 2 s'],
  [119_700, '2 min'],
  [3_599_600, '1 h 0 min'],
  [5_400_000, '1 h 30 min'],
  [Number.NaN, 'unknown'],
])('a duration is rounded before its unit is chosen: %d ms', (ms, words) => {
  expect(duration(ms)).toBe(words);
});
