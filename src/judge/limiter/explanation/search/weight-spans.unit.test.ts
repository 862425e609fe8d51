import { describe, expect, test } from 'vitest';
import { type Fall, isAnyPossible, spanOf, weightSpansOf } from './weight-spans.ts';

type Requests = Readonly<Record<string, number>>;

interface Seen {
  /** What was counted in every order, and what in some. */
  least: Requests;
  most?: Requests | 'unknown';
  byOthers?: number;
  isUsedUp?: boolean;
  ways?: Fall['ways'];
}

/** A fall of Remaining; by default the same was counted in every order, and nothing came back. */
function fall(by: number, { least, most = least, byOthers = 0, isUsedUp = false, ways }: Seen): Fall {
  const counted = (requests: Requests) => ({ ofKind: Object.entries(requests), each: 0, byOthers });
  return {
    least: { ...counted(least), byOthers: 0 },
    most: () => (most === 'unknown' ? undefined : counted(most)),
    isUsedUp,
    ways: ways ?? [{ lo: by, hi: by }],
    without: 0,
  };
}

describe('what a request of each kind takes', () => {
  const bothOf = (...falls: Fall[]) => {
    const spans = weightSpansOf(falls);
    return ['read', 'add'].map((kind) => {
      const { lo, hi } = spanOf(spans, kind);
      return [lo, hi];
    });
  };
  const ANY = [0, Number.POSITIVE_INFINITY];

  test.each<[what: string, falls: Fall[], read: number[], add: number[]]>([
    ['nothing is known of what was not sent', [fall(2, { least: { read: 2 } })], [1, 1], ANY],
    ['each of two may have taken all of it', [fall(5, { least: { read: 1, add: 1 } })], [0, 5], [0, 5]],
    [
      'what one takes, the other does not',
      [fall(5, { least: { read: 1, add: 1 } }), fall(2, { least: { read: 2 } })],
      [1, 1],
      [4, 4],
    ],
    [
      'one takes what the other cannot have taken',
      [fall(5, { least: { read: 1, add: 1 } }), fall(2, { least: { read: 1 }, ways: [{ lo: 0, hi: 2 }] })],
      [0, 2],
      [3, 5],
    ],
    [
      'each of two that only some orders count may have taken all of it',
      [fall(5, { least: {}, most: { read: 1, add: 1 } })],
      ANY,
      ANY,
    ],
    [
      'what only some orders count may have taken it',
      [fall(3, { least: {}, most: { read: 1, add: 1 } }), fall(1, { least: { read: 1 } })],
      [1, 1],
      [2, Number.POSITIVE_INFINITY],
    ],
    ['others may have taken some', [fall(3, { least: { add: 1 }, byOthers: 2 })], ANY, [1, 3]],
    [
      'others may have taken as much as they like',
      [fall(3, { least: { add: 1 }, byOthers: Number.POSITIVE_INFINITY })],
      ANY,
      [0, 3],
    ],
    [
      'what is unlike the others may have taken it',
      [fall(3, { least: { add: 1 }, most: 'unknown' })],
      ANY,
      [0, 3],
    ],
    [
      'a request takes no more than is left',
      [fall(3, { least: { add: 1 }, isUsedUp: true })],
      ANY,
      [3, Number.POSITIVE_INFINITY],
    ],
    [
      'one of two ways is enough',
      [
        fall(0, {
          least: { add: 2 },
          ways: [
            { lo: 4, hi: 6 },
            { lo: 3, hi: 9 },
          ],
        }),
      ],
      ANY,
      [2, 4],
    ],
    [
      'a window may have begun meanwhile',
      [
        fall(0, {
          least: { add: 1 },
          ways: [
            { lo: 4, hi: 4 },
            { lo: 2, hi: Number.POSITIVE_INFINITY },
          ],
        }),
      ],
      ANY,
      [2, Number.POSITIVE_INFINITY],
    ],
  ])('%s', (_what, falls, read, add) => {
    expect(bothOf(...falls)).toEqual([read, add]);
  });
});

test.each<[what: string, falls: Fall[], isPossible: boolean]>([
  ['no fall is seen', [], true],
  [
    'requests of one kind take the same',
    [fall(2, { least: { read: 1 } }), fall(4, { least: { read: 2 } })],
    true,
  ],
  ['one takes less than another', [fall(2, { least: { read: 1 } }), fall(1, { least: { read: 1 } })], false],
  ['two cannot share an odd number', [fall(3, { least: { read: 2 } })], false],
  [
    'three falls contradict each other only together',
    [
      fall(3, { least: { read: 1, add: 1 } }),
      fall(3, { least: { add: 1, remove: 1 } }),
      fall(1, { least: { read: 1, remove: 1 } }),
    ],
    true,
  ],
  [
    'what the others take leaves too little',
    [
      fall(3, { least: { read: 1, add: 1 } }),
      fall(2, { least: { read: 1 } }),
      fall(2, { least: { add: 1, remove: 1 } }),
      fall(3, { least: { remove: 1 } }),
    ],
    false,
  ],
])('whether some weights are possible: %s', (_what, falls, isPossible) => {
  expect(isAnyPossible(weightSpansOf(falls))).toBe(isPossible);
});
