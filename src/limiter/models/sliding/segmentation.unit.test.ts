import { expect, test } from 'vitest';
import { joined, Segmentation } from './segmentation.ts';

/** Segments that last ten; one begins between 3 and 5. */
const tens = new Segmentation(10, { lo: 3, hi: 5 });
const at = (lo: number, hi = lo) => ({ lo, hi });
const begins = (all: readonly Segmentation[]) => all.map((each) => [each.begins.lo, each.begins.hi]);

test.each([
  ['surely after a segment began', at(8), at(3, 5)],
  ['surely before it', at(2), at(-7, -5)],
  ['when it may just have begun', at(4), at(-6, 4)],
  ['two segments later', at(26), at(23, 25)],
  ['at a time that is not known well', at(14, 18), at(4, 15)],
])('the segment of what happens %s', (_what, time, begun) => {
  expect(tens.begunBy(time)).toEqual(begun);
});

test('times tell the possibilities apart, as what happens when a segment begins is part of it', () => {
  expect(begins(tens.apart([at(24)]))).toEqual([
    [3, 4],
    [5, 5],
  ]);
  expect(begins(tens.apart([at(13, 14)]))).toEqual([
    [3, 3],
    [4, 4],
    [5, 5],
  ]);
  expect(begins(tens.apart([at(24), at(13)]))).toEqual([
    [3, 3],
    [4, 4],
    [5, 5],
  ]);
  expect(begins(tens.apart([at(29)]))).toEqual([[3, 5]]);
});

test.each([
  ['one that is possible', at(26), at(20, 24), [[3, 4]]],
  [
    'one that may be this segment or the one before',
    at(14),
    at(4, 14),
    [
      [4, 5],
      [3, 4],
    ],
  ],
  ['none that is possible', at(26), at(19, 22), []],
  ['none that begins after the time', at(24), at(25, 30), []],
])('when the segment of a time begins: %s', (_what, time, begun, expected) => {
  expect(begins(tens.where(time, begun))).toEqual(expected);
});

test('nothing that is shorter than a ms is a part of its own', () => {
  const known = new Segmentation(10, { lo: 3, hi: 4.5 });
  expect(begins(known.apart([at(14)]))).toEqual([[3, 4]]);
});

test('possibilities that meet are one', () => {
  const of = (lo: number, hi: number) => new Segmentation(10, { lo, hi });
  expect(begins(joined([of(1, 2), of(3, 4), of(6, 7)]))).toEqual([
    [1, 4],
    [6, 7],
  ]);
  expect(begins(joined([of(6, 7), of(1, 2), of(3, 4), of(2, 3), of(9, 9)]))).toEqual([
    [1, 4],
    [6, 7],
    [9, 9],
  ]);
});
