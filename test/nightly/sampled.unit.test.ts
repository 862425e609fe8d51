import { expect, test } from 'vitest';
import { drawn } from './sampled.ts';

const ITEMS = Array.from({ length: 50 }, (_, index) => `item ${index}`);
const draw = (items: readonly string[], purpose = 'a test') => drawn(items, 10, (each) => each, purpose);

test('as many are drawn as are asked for, in their order, and the same each time', () => {
  expect(draw(ITEMS)).toHaveLength(10);
  expect(draw(ITEMS)).toEqual(ITEMS.filter((each) => draw(ITEMS).includes(each)));
  expect(draw(ITEMS)).toEqual(draw(ITEMS));
  expect(draw(ITEMS.slice(0, 3))).toEqual(ITEMS.slice(0, 3));
});

test('another order draws the same, and one item more changes one at most', () => {
  expect([...draw(ITEMS.toReversed())].sort()).toEqual([...draw(ITEMS)].sort());
  for (let index = 0; index < 20; index += 1) {
    const more = draw(['a new one', `another one ${index}`, ...ITEMS]);
    expect(more.filter((each) => !draw(ITEMS).includes(each)).length).toBeLessThanOrEqual(2);
  }
});

test('another purpose draws others', () => {
  expect(draw(ITEMS, 'another test')).not.toEqual(draw(ITEMS));
});
