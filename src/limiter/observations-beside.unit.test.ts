import { describe, expect, test } from 'vitest';
import { responded, trackedWith } from '../../test/limiters/tracked.ts';

describe('beside a request', () => {
  test('those that were sent again may have been counted before it', () => {
    const again = { isRepeated: true } as const;
    const exchanges = [
      responded(0, 9, 200, again),
      responded(9, 20, 200),
      responded(20, 30, 200, again),
      responded(21, 22, 200),
    ];
    expect(trackedWith(exchanges).map(({ others }) => others)).toEqual([0, 2, 0, 1]);
  });

  test('the first attempt of one that was sent again and refused may have been let through', () => {
    const again = { isRepeated: true } as const;
    const exchanges = [responded(0, 9, 429, again), responded(20, 29, 429), responded(30, 39, 200, again)];
    expect(trackedWith(exchanges).map(({ others }) => others)).toEqual([1, 0, 0]);
  });

  test('those that get a 4xx may be in flight, itself included', () => {
    const exchanges = [
      responded(0, 9, 400),
      responded(9, 20, 200),
      responded(15, 30, 499),
      responded(40, 41, 429),
      responded(50, 51, 500),
      responded(60, 61, 399),
    ];
    expect(trackedWith(exchanges).map(({ held }) => held)).toEqual([1, 2, 1, 0, 0, 0]);
  });

  test.each<[what: string, times: [from: number, to: number][], beside: number[]]>([
    [
      'are none if each is answered before the next',
      [
        [0, 9],
        [10, 19],
      ],
      [0, 0],
    ],
    [
      'are those sent before its response and answered after it was sent',
      [
        [0, 30],
        [10, 20],
        [15, 40],
        [35, 50],
        [60, 61],
      ],
      [2, 2, 3, 1, 0],
    ],
    [
      'are one that lasts longer than several others',
      [
        [0, 50],
        [10, 20],
        [30, 40],
        [60, 61],
      ],
      [2, 1, 1, 0],
    ],
    [
      'are those that begin or end in the same millisecond',
      [
        [0, 10],
        [10, 20],
        [20, 30],
      ],
      [1, 2, 1],
    ],
    [
      'are told by the times, even if the clock was set back',
      [
        [100, 110],
        [50, 60],
        [55, 70],
      ],
      [0, 1, 1],
    ],
  ])('the others %s', (_what, times, beside) => {
    const exchanges = times.map(([from, to]) => responded(from, to, 200));
    expect(trackedWith(exchanges).map((each) => each.beside)).toEqual(beside);
  });
});
