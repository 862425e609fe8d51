import { describe, expect, test } from 'vitest';
import { exchange } from '../../test/exchanges/exchange.ts';
import { type Answer, exchangeOf, falling, refused } from '../../test/limiters/limited-runs.ts';
import { fallsOf, PAUSE_MS } from './falls.ts';
import { unseenUse } from './others.ts';

const exchangesFrom = (answers: readonly Answer[]) =>
  answers.map((answer, index) => exchangeOf(answer, index + 1));

const all = () => true;

describe('what others may have used before a request', () => {
  test.each<[what: string, falls: number[], wrongKeys: number, most: number]>([
    // 3 + 1.75 * 1 + 1 a second, for ten seconds.
    ['one that Remaining fell by for no request of ours shows more', [59, 58, 56], 0, 57],
    ['so do two', [59, 57, 55], 0, 74],
    ['a wrong key that may have taken it shows no more', [59, 58, 56], 1, 30],
    ['a wrong key that took nothing shows no more', [59, 58, 57], 1, 30],
    ['more than the wrong keys may have taken shows more', [59, 58, 55], 1, 57],
  ])('%s', (_what, falls, wrongKeys, most) => {
    const wrong = Array.from({ length: wrongKeys }, (): Answer => ({ key: 'absent', status: 401, at: 0.5 }));
    const [first = 59, second = 58, third = 57] = falls;
    const exchanges = exchangesFrom([
      { remaining: first, at: 0 },
      { remaining: second, at: 0.1 },
      ...wrong,
      { remaining: third, at: 1 },
      { remaining: 50, at: 11 },
    ]);
    expect(unseenUse(exchanges, all)).toEqual([[exchanges.length, most]]);
  });

  test.each<[what: string, operation: string, most: number]>([
    [
      'one that Remaining fell by for a request that is taken to be counted apart shows no more',
      'getPet',
      30,
    ],
    ['one that it fell by for a request at another address shows more', 'sendMessage', 57],
  ])('%s', (_what, operation, most) => {
    const exchanges = exchangesFrom([
      { remaining: 59, at: 0 },
      { remaining: 58, at: 0.1 },
      { operation, remaining: 57, at: 0.5 },
      { remaining: 56, at: 1 },
      { remaining: 50, at: 11 },
    ]);
    expect(unseenUse(exchanges, (each) => each.operation === 'listPets')).toEqual([[5, most]]);
  });

  /** 3 a second if Remaining fell by what was sent; one more that it fell by makes it 3 + 1.75 * 1 + 1. */
  test.each<[what: string, between: Answer, last: number, most: number]>([
    ['Remaining fell by one more, after a request that took nothing', { remaining: 59 }, 57, 57],
    ['Remaining fell by one more than was let through', { status: 429 }, 57, 57],
    [
      'a request without a response may have counted',
      { failure: { kind: 'timeout', phase: 'headers', message: '' } },
      57,
      30,
    ],
  ])('%s', (_what, between, last, most) => {
    const exchanges = exchangesFrom([
      { remaining: 59, at: 0 },
      { at: 0.1, ...between },
      { remaining: last, at: 1 },
      { remaining: 50, at: 11 },
    ]);
    expect(unseenUse(exchanges, all)).toEqual([[4, most]]);
  });

  test.each<[what: string, answer: Answer, most: number]>([
    ['a 429 without Retry-After', { status: 429, remaining: 0 }, 93],
    ['a Retry-After that comes with something else', { status: 503, retryAfter: '30' }, 93],
    ['a 429 with Retry-After', refused({ retryAfter: '30' }), 6],
  ])('they may use the limit after %s', (_what, answer, most) => {
    const watched = falling([59, 58]).map((each, at) => ({ ...each, at: at / 2 }));
    const exchanges = exchangesFrom([...watched, { ...answer, at: 1 }, { remaining: 59, at: 32 }]);
    expect(unseenUse(exchanges, all)).toEqual([[4, most]]);
  });

  test.each([
    ['no pause', PAUSE_MS - 1, []],
    // Three, seen in no time.
    ['a pause', PAUSE_MS, [[2, 3 * PAUSE_MS]]],
  ])('%s', (_what, sentAt, expected) => {
    const exchanges = [
      exchange({ id: 1, sentAt: 0, receivedAt: 0 }),
      exchange({ id: 2, sentAt, receivedAt: sentAt }),
    ];
    expect(unseenUse(exchanges, all)).toEqual(expected);
  });

  test('petspec does not wait while a response is due', () => {
    const exchanges = [
      exchange({ id: 1, sentAt: 0, receivedAt: 5_000 }),
      exchange({ id: 2, sentAt: 100, receivedAt: 200 }),
      exchange({ id: 3, sentAt: 5_500, receivedAt: 5_600 }),
    ];
    expect(unseenUse(exchanges, all)).toEqual([]);
  });

  test('nothing without requests', () => {
    expect(unseenUse([], all)).toEqual([]);
  });
});

test('what was sent before the first Remaining belongs to no fall', () => {
  const wrongKey: Answer = { key: 'absent', status: 401 };
  const exchanges = exchangesFrom([wrongKey, wrongKey, ...falling([59, 58]), wrongKey, ...falling([57])]);
  expect(fallsOf(exchanges, all)).toEqual([
    { excess: 0, wrongKeys: 0 },
    { excess: 0, wrongKeys: 1 },
  ]);
});
