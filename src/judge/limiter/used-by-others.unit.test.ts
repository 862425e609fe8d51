import { describe, expect, test } from 'vitest';
import {
  type Answer,
  again,
  downTo,
  exhausting,
  falling,
  NOON,
  refused,
  shown,
  untoldKinds,
} from '../../../test/limiters/limited-runs.ts';
import { judgeRecovery } from './recovery.ts';

const OTHERS = { status: 'not-tested', untested: 'shared-key' };
const STILL_REFUSED = { status: 'violated', reason: 'still refused after the time that Retry-After states' };

/** Requests with a wrong key twice a second until noon: for so long petspec sees that nobody else uses the key. */
const watchedFor = (seconds: number): Answer[] =>
  Array.from({ length: 2 * seconds }, (_, index) => ({
    ...{ key: 'absent', status: 401, limit: undefined, reset: '' },
    at: index / 2 - seconds,
  }));

describe('others may use the key three times while petspec waits for as long as it saw nobody', () => {
  const reset = NOON + 31;
  const isAgain = (change: Answer): Answer => again({ status: 429, remaining: 0, ...change });
  /** In 0.6 s. The 429 keeps everybody out until 29.605 s. */
  const usedUp = [...downTo(0, { reset }), refused({ reset })];
  const soon = isAgain({ at: 31.5, retryAfter: '1' });

  test.each<[what: string, at: number, finding: object]>([
    ['all of the next window', 41.605, OTHERS],
    ['one less', 41.6, STILL_REFUSED],
  ])('%s', (_what, at, finding) => {
    expect(judgeRecovery(shown([...usedUp, isAgain({ at, retryAfter: '30' })]))).toMatchObject(finding);
  });

  test('that it saw nobody at another address says nothing', () => {
    const messages = Array.from({ length: 20 }, (_, index): Answer => {
      const told = { status: 201, remaining: 59 - index, reset };
      return { operation: 'sendMessage', at: index / 2 - 10, ...told };
    });
    const own = usedUp.map((each, index) => ({ ...each, at: index / 100 }));
    expect(judgeRecovery(shown([...messages, ...own, soon]))).toMatchObject(OTHERS);
  });

  test('whatever is sent later', () => {
    expect(judgeRecovery(shown([...usedUp, soon, again({ at: 45 })]))).toMatchObject(OTHERS);
  });
});

describe('a bucket gets one back each second, and the next request comes after two of them', () => {
  const next = (at: number) => ({ at, reset: NOON + Math.floor(at) + 1 });

  /** What a request before noon took is back at noon, which no other limiter explains that gives back bit by bit. */
  const bucket = (watched: number, change: Answer = {}): Answer[] => [
    { remaining: 59, ...next(-watched) },
    ...watchedFor(watched).slice(1),
    ...downTo(0, exhausting).map((each, index) => ({ ...each, ...next(index / 100) })),
    refused({ ...next(0.6), retryAfter: '1' }),
    again({ status: 429, remaining: 0, retryAfter: '1', ...next(2.6), ...change }),
  ];

  test.each<[what: string, watched: number, change: Answer, finding: object]>([
    ['others may have taken two', 2, {}, OTHERS],
    ['others may have taken one only', 3, {}, STILL_REFUSED],
    ['the bucket says that part of one is left, rounded up', 2, { remaining: 1 }, OTHERS],
    ['the 429 says that two are left', 2, { remaining: 2 }, STILL_REFUSED],
    [
      'the next one comes in a second, and Retry-After may be three seconds more',
      2,
      { retryAfter: '4' },
      OTHERS,
    ],
    ['Retry-After is longer than that', 2, { retryAfter: '5' }, STILL_REFUSED],
  ])('%s', (_what, watched, change, finding) => {
    expect(judgeRecovery(shown(bucket(watched, change)))).toMatchObject(finding);
  });
});

describe('petspec looks at what came back of the limit that refuses', () => {
  const reset = NOON + 31;
  const refusedTwice = [
    refused({ at: 1, reset }),
    again({ at: 31.5, status: 429, remaining: 0, retryAfter: '1' }),
  ];
  const inFlight = 65;

  test('not of that of the day, which tells nothing of the next request', () => {
    const ofDay: Answer = { operation: 'getPet', limit: 1_000, resetIn: 40_000 };
    const used = downTo(0, { reset });
    expect(judgeRecovery(shown([ofDay, ...used, ...refusedTwice]))).toMatchObject(OTHERS);
  });

  test('one is presumed to have come back, if no search tells how requests were counted', () => {
    const ends = falling([30, 20, 50], { reset, inFlight });
    const answers = [...ends.slice(0, 1), ...untoldKinds, ...ends.slice(1), ...refusedTwice];
    expect(judgeRecovery(shown(answers))).toMatchObject(OTHERS);
  });
});

describe('of six requests a minute', () => {
  const slow = { plan: 'custom', limits: { minute: 6 } };
  const message = { operation: 'sendMessage', status: 201, limit: 6, reset: NOON + 10 };
  const refusedTwice = (at: number, reset: number): Answer[] => [
    ...watchedFor(5).map((each, index) =>
      index < 2 ? { ...message, at: each.at ?? 0, remaining: 2 - index } : each,
    ),
    ...falling([4, 3, 2, 1, 0], exhausting).map((each, index) => ({
      ...each,
      at: index / 100,
      limit: 6,
      reset: NOON + 10,
    })),
    refused({ at: 0.05, limit: 6, reset: NOON + 10, retryAfter: '5' }),
    again({ at, status: 429, limit: 6, remaining: 0, reset: NOON + reset, retryAfter: '1' }),
  ];

  test.each<[what: string, at: number, finding: object]>([
    ['none came back before Reset, as a window that is closed explains', 9, STILL_REFUSED],
    ['one may have come back after Reset', 11.5, OTHERS],
  ])('%s', (_what, at, finding) => {
    expect(judgeRecovery(shown(refusedTwice(at, 10), slow))).toMatchObject(finding);
  });

  /** Reset is when all are back. */
  const bucket = (at: number, reset: number): Answer[] => [
    ...watchedFor(5),
    ...falling([5, 4, 3, 2, 1, 0], exhausting).map((each, index) => ({
      ...each,
      ...{ at: index / 100, limit: 6, reset: NOON + 10 * (index + 1) },
    })),
    refused({ at: 0.06, limit: 6, reset: NOON + 60, retryAfter: '5' }),
    again({ at, status: 429, limit: 6, remaining: 0, reset: NOON + reset, retryAfter: '1' }),
  ];

  test.each<[what: string, at: number, reset: number, finding: object]>([
    ['a bucket that gets one back every ten seconds got none by then', 7, 60, STILL_REFUSED],
    ['a bucket that gets one back every ten seconds got one by then', 11, 70, OTHERS],
  ])('%s', (_what, at, reset, finding) => {
    expect(judgeRecovery(shown(bucket(at, reset), slow))).toMatchObject(finding);
  });

  const ofSix = (answers: readonly Answer[]) => answers.map((each) => ({ limit: 6, ...each }));

  test('none came back before Reset, although others used four while petspec waited', () => {
    const before = falling([5, 4, 3, 2]).map((each, index) => ({ ...each, at: index - 5, reset: NOON + 10 }));
    const reset = NOON + 70;
    const later: Answer[] = [
      { ...exhausting, at: 13, remaining: 1, reset },
      { ...exhausting, at: 13.01, remaining: 0, reset },
      refused({ at: 13.1, reset, retryAfter: '1' }),
      again({ at: 14.6, status: 429, remaining: 0, reset, retryAfter: '1' }),
    ];
    expect(judgeRecovery(shown(ofSix([...before, ...later]), slow))).toMatchObject(STILL_REFUSED);
  });

  test('one may have come back, or none, as nobody knows when the window of a sliding counter ended', () => {
    const used: Answer[] = [
      ...falling([5, 4, 3]).map((each, index) => ({ ...each, at: index / 3 - 10, reset: NOON + 50 })),
      ...watchedFor(9).slice(0, 2),
      ...falling([2, 1, 0], exhausting).map((each, index) => ({
        ...each,
        at: index / 100 - 8,
        reset: NOON + 52,
      })),
      refused({ at: -7.9, reset: NOON + 52, retryAfter: '56' }),
      again({ at: 49.4, status: 429, remaining: 0, reset: NOON + 110, retryAfter: '2' }),
    ];
    expect(judgeRecovery(shown(ofSix(used), slow))).toMatchObject(OTHERS);
  });
});

describe('of twelve requests a minute', () => {
  const recovery = (answers: readonly Answer[]) =>
    judgeRecovery(
      shown(
        answers.map((each) => ({ limit: 12, ...each })),
        { plan: 'custom', limits: { minute: 12 } },
      ),
    );

  test('exactly one may have come back, that which was sent first', () => {
    const used = falling([10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0], exhausting).map((each, index) => {
      const at = 0.16 * index - 6.3;
      return { ...each, at, reset: NOON + Math.ceil(at + 60) };
    });
    const answers: Answer[] = [
      { at: -10, remaining: 11, reset: NOON + 50 },
      { at: -10, status: 201, inFlight: 3, reset: NOON + 20 },
      ...watchedFor(9).slice(1, 2),
      ...used,
      refused({ at: -4.6, reset: NOON + 56, retryAfter: '55' }),
      again({ at: 50.8, status: 429, remaining: 0, reset: NOON + 111, retryAfter: '1' }),
    ];
    expect(recovery(answers)).toMatchObject(OTHERS);
  });

  test('none is presumed to have come back if one search tells how requests were counted, and others do not', () => {
    const reset = NOON + 5;
    const answers: Answer[] = [
      { at: -30, remaining: 11, reset },
      // A 4xx counts, and is not given back.
      { at: -29.9, operation: 'getPet', status: 404, remaining: 10, reset },
      { at: -29.8, remaining: 9, reset },
      ...untoldKinds.slice(0, 5).map((each) => ({ ...each, at: -29.7, reset: NOON })),
      ...falling([8, 7, 6, 5, 4, 3, 2, 1, 0], exhausting).map((each, index) => ({
        ...each,
        ...{ at: 0.15 * index - 19, reset },
      })),
      refused({ at: -17.5, reset, retryAfter: '1' }),
      again({ at: -16, status: 429, remaining: 1, reset, retryAfter: '2' }),
    ];
    expect(recovery(answers)).toMatchObject(STILL_REFUSED);
  });
});
