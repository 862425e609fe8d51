import { expect, test } from 'vitest';
import { alternated, merged } from './merged.ts';

test('lists are merged by their shares, the first one first', () => {
  const lists = [
    { share: 2, values: ['a', 'b', 'c', 'd', 'e'] },
    { share: 1, values: ['A', 'B'] },
    { share: 1 / 2, values: ['-'] },
  ];
  expect(merged(lists)).toEqual(['a', 'b', 'A', 'c', 'd', 'B', '-', 'e']);
});

test('values come from each list in turn', () => {
  expect(alternated([['a', 'b', 'c'], ['A'], ['1', '2']])).toEqual(['a', 'A', '1', 'b', '2', 'c']);
  expect(alternated([[], ['A']])).toEqual(['A']);
});
