import { expect, test } from 'vitest';
import { partOf } from '../../scripts/mutation/part-of-code.ts';

test.each([
  [undefined, { part: 1, of: 1 }],
  ['2/4', { part: 2, of: 4 }],
  ['4/4', { part: 4, of: 4 }],
])('the part %s is %o', (stated, part) => expect(partOf(stated, 0)).toEqual(part));

test.each(['0/4', '5/4', '2', 'today', '1/4/4', ''])('there is no part "%s"', (stated) => {
  expect(() => partOf(stated, 0)).toThrow(/it has to be such as 2\/4, or tonight/);
});

test('four nights in a row take each quarter once', () => {
  const noon = Date.UTC(2026, 11, 30, 12);
  const parts = [0, 1, 2, 3].map((night) => partOf('tonight', noon + night * 24 * 60 * 60 * 1_000));
  expect(new Set(parts.map(({ part }) => part))).toEqual(new Set([1, 2, 3, 4]));
  expect(parts.every(({ of }) => of === 4)).toBe(true);
});
