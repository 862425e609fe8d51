import { expect, test } from 'vitest';
import { Place } from './place.ts';

/** Where a search is after it counted these, one after the other. */
function afterAll(start: Place, indices: readonly number[]): Place {
  return indices.reduce((place, index) => place.after(index), start);
}

test.each<[counted: number[], first: number, ahead: number[]]>([
  [[], 0, []],
  [[0], 1, []],
  [[2], 0, [2]],
  [[2, 1], 0, [1, 2]],
  [[10, 9, 2], 0, [2, 9, 10]],
  [[1, 2, 4, 0], 3, [4]],
  [[1, 0, 2], 3, []],
])('after %j, %i is the first that was not counted', (counted, first, ahead) => {
  const place = afterAll(Place.start(), counted);
  expect([place.first, place.ahead]).toEqual([first, ahead]);
});

test('the same observations lead to the same place, in whichever order they were counted', () => {
  const start = Place.start();
  const place = afterAll(start, [0, 2, 3]);
  for (const order of [
    [0, 3, 2],
    [2, 0, 3],
    [2, 3, 0],
    [3, 2, 0],
  ])
    expect(afterAll(start, order)).toBe(place);
  for (const other of [[0, 2], [0, 2, 4], [0, 1, 2, 3], []]) expect(afterAll(start, other)).not.toBe(place);
});
