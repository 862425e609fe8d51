import { describe, expect, test } from 'vitest';
import { exchange } from '../../test/exchanges/exchange.ts';
import { type Answer, exchangeOf, falling, refused } from '../../test/limiters/limited-runs.ts';
import { PAUSE_MS } from './falls.ts';
import { sharingShown, sincePause, useByOthers } from './others.ts';

const exchangesFrom = (answers: readonly Answer[]) =>
  answers.map((answer, index) => exchangeOf(answer, index + 1));

const all = () => true;

describe('others use the key', () => {
  test.each<[what: string, answers: Answer[], shownBy: number | undefined]>([
    ['Remaining falls by what was sent', falling([59, 58, 57]), undefined],
    ['Remaining falls by more', falling([59, 58, 55]), 3],
    ['Remaining falls by more, after requests that do not count', falling([59, 59, 59, 56]), undefined],
    ['Remaining falls by more than all that were sent', falling([59, 59, 59, 55]), 4],
    ['Remaining falls by two, after it fell by one for each', falling([59, 59, 59, 58, 57, 56, 54]), 7],
    ['Remaining falls by two, after it fell by one twice', falling([59, 59, 59, 58, 57, 55]), undefined],
    ['each request takes two', falling([59, 57, 55, 53]), undefined],
    ['each request takes two, but one', falling([59, 57, 55, 54, 52]), 2],
    ['each request takes two, but one takes nothing', falling([59, 59, 57, 55, 53]), undefined],
    [
      'three are taken for each two that are simultaneous',
      [59, 56, 53, 50].flatMap((left, at) => falling([left, left - 1], { at, inFlight: 2 })),
      3,
    ],
    [
      'Remaining falls by one for each, and by more while some are simultaneous',
      [
        ...falling([59, 58, 57, 56]),
        ...falling([50, 49], { at: 2, inFlight: 2 }),
        ...falling([40, 39], { at: 3, inFlight: 2 }),
      ],
      5,
    ],
    ['a window begins', falling([1, 0, 59, 58]), undefined],
    ['Remaining falls by more in the next window', falling([1, 0, 59, 57]), 4],
    ['requests are simultaneous', falling([59, 50], { at: 1, inFlight: 2 }), undefined],
    [
      'Remaining falls by more than was sent, twice in a row while some are simultaneous',
      [
        ...falling([59, 58], { at: 1, inFlight: 2 }),
        ...falling([57, 54, 55], { at: 2, inFlight: 3 }),
        ...falling([50, 51], { at: 3, inFlight: 2 }),
      ],
      3,
    ],
    [
      'Remaining falls by more than was sent once, while some are simultaneous',
      [
        ...falling([59, 58], { at: 1, inFlight: 2 }),
        ...falling([57, 54, 55], { at: 2, inFlight: 3 }),
        ...falling([53, 52], { at: 3, inFlight: 2 }),
      ],
      undefined,
    ],
    [
      'Remaining falls by what was sent, while some are simultaneous',
      [...falling([59, 58], { at: 1, inFlight: 2 }), ...falling([57, 55, 56], { at: 2, inFlight: 3 })],
      undefined,
    ],
    [
      'a wrong key that was simultaneous with a request may have been counted after it',
      [
        ...falling([59], { at: 1, inFlight: 2 }),
        { key: 'absent', status: 401, at: 1, inFlight: 2 },
        ...falling([57], { at: 2 }),
      ],
      undefined,
    ],
    [
      'a wrong key may have taken one more, but not two',
      [
        ...falling([59, 58, 57, 56]),
        ...falling([54], { at: 1, inFlight: 2 }),
        { key: 'absent', status: 401, at: 1, inFlight: 2 },
        ...falling([52], { at: 2 }),
      ],
      7,
    ],
    [
      'each request takes two, and some that are simultaneous more',
      [...falling([59, 57, 55, 53]), ...falling([45, 43], { at: 2, inFlight: 2 })],
      2,
    ],
    ['a wrong key says so', [...falling([59]), { key: 'absent', status: 401, remaining: 5 }], undefined],
    ['a refusal says that nothing remains', [...falling([59, 58, 57]), refused({ remaining: 0 })], undefined],
    ['a response has no Remaining', [{}, ...falling([58, 57])], undefined],
  ])('%s', (_what, answers, shownBy) => {
    expect(sharingShown(exchangesFrom(answers), all)?.id).toBe(shownBy);
  });

  describe('what is seen not to count explains no fall', () => {
    const wrongKey: Answer = { key: 'absent', status: 401 };
    /** A wrong key before each request but the first. */
    const afterWrongKeys = (remaining: number[]) =>
      falling(remaining).flatMap((each, index): Answer[] => (index === 0 ? [each] : [wrongKey, each]));
    const message: Answer = { operation: 'sendMessage', status: 202 };
    const isOfAnimals = ({ address }: { address: string }) => address === 'baseUrl';

    test.each<[what: string, answers: Answer[], shownBy: number | undefined]>([
      ['three wrong keys did not count', afterWrongKeys([59, 58, 57, 56, 54]), 9],
      [
        'one may have been counted after Remaining fell by one for each request',
        [...falling([59, 58, 57, 56]), wrongKey, ...falling([54])],
        undefined,
      ],
      ['only two did not count', afterWrongKeys([59, 58, 57, 55]), undefined],
      ['every wrong key counts', afterWrongKeys([59, 57, 55, 53, 51]), undefined],
      [
        'a message has a Remaining of its own',
        [...falling([11]), { ...message, remaining: 59 }, ...falling([9])],
        3,
      ],
      [
        'a message may have taken it',
        [...falling([11]), { ...message, remaining: 10 }, ...falling([9])],
        undefined,
      ],
      ['a message says nothing', [...falling([11]), message, ...falling([9])], undefined],
      [
        'a window begins before a message',
        [...falling([3]), { ...message, remaining: 59 }, ...falling([58])],
        undefined,
      ],
    ])('%s', (_what, answers, shownBy) => {
      expect(sharingShown(exchangesFrom(answers), isOfAnimals)?.id).toBe(shownBy);
    });
  });

  test('requests that may be counted apart may have used it up', () => {
    const [first, other, last] = exchangesFrom(falling([59, 59, 57]));
    const exchanges = [first, { ...other, operation: 'other' }, last] as ReturnType<typeof exchangesFrom>;
    expect(sharingShown(exchanges, ({ operation }) => operation !== 'other')).toBeUndefined();
  });

  test('a request that was sent again may have been counted twice', () => {
    const [first, last] = exchangesFrom(falling([59, 57]));
    const exchanges = [first, { ...last, isRepeated: true }] as ReturnType<typeof exchangesFrom>;
    expect(sharingShown(exchanges, all)).toBeUndefined();
  });

  test('from the response that shows it on, without a bound', () => {
    const exchanges = exchangesFrom(falling([59, 58, 50, 49]));
    expect(exchanges.map(useByOthers(exchanges, all, false))).toEqual([0, 0, Infinity, Infinity]);
    expect(exchanges.map(useByOthers(exchanges, all, true))).toEqual([
      Infinity,
      Infinity,
      Infinity,
      Infinity,
    ]);
  });
});

describe('while petspec waits', () => {
  const steady = Array.from({ length: 11 }, (_, index): Answer => ({ remaining: 59 - index, at: index }));
  const quick = steady.map((each, index) => ({ ...each, at: index / 10 }));

  test('others may use three times what a second of watching shows in each second', () => {
    const exchanges = exchangesFrom([...quick, { remaining: 48, at: 11 }]);
    // Watched for a second, then not for ten.
    expect(useByOthers(exchanges, all, false)(exchanges[11] as (typeof exchanges)[0])).toBe(30);
  });

  test('they get nothing until Retry-After is over', () => {
    const limit = refused({ at: 1, retryAfter: '30', remaining: undefined });
    const exchanges = exchangesFrom([...quick, limit, { remaining: 59, at: 32 }]);
    const [last] = exchanges.slice(-1) as [(typeof exchanges)[0]];
    // Retry-After may be rounded up by a second, so that two seconds are left.
    expect(useByOthers(exchanges, all, false)(last)).toBe(6);
  });

  test('a request before Retry-After is over has none before it', () => {
    const limit = refused({ at: 1, retryAfter: '30', remaining: undefined });
    const exchanges = exchangesFrom([
      ...quick,
      limit,
      refused({ at: 15, retryAfter: '16', remaining: undefined }),
    ]);
    const [last] = exchanges.slice(-1) as [(typeof exchanges)[0]];
    expect(useByOthers(exchanges, all, false)(last)).toBe(0);
  });

  test('an earlier pause shows nothing of them', () => {
    const exchanges = exchangesFrom([...quick, { remaining: 59, at: 61 }, { remaining: 59, at: 63 }]);
    const [last] = exchanges.slice(-1) as [(typeof exchanges)[0]];
    expect(useByOthers(exchanges, all, false)(last)).toBe(6);
  });
});

test('the exchanges since the last pause', () => {
  const exchanges = exchangesFrom([{ at: 0 }, { at: 0.5 }, { at: 2 }, { at: 2.1 }]);
  expect(sincePause(exchanges).map(({ id }) => id)).toEqual([3, 4]);
  expect(sincePause([])).toEqual([]);
  const [first, last] = [exchange({ receivedAt: 0 }), exchange({ sentAt: PAUSE_MS })];
  expect(sincePause([first, last])).toEqual([last]);
});
