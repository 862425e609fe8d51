import { describe, expect, test } from 'vitest';
import { NOON } from '../../test/limiters/limited-runs.ts';
import { AT, responded, trackedWith } from '../../test/limiters/tracked.ts';
import type { Exchange } from '../model/exchange.ts';
import { clockSkewOf } from './observations.ts';

describe('how far the clock of the server is ahead', () => {
  const dated = (from: number, to: number, seconds: number): Exchange =>
    responded(from, to, 200, {
      response: {
        status: 200,
        headers: [['Date', new Date(AT + seconds * 1_000).toUTCString()]],
        body: '',
      },
    });

  test.each<[what: string, exchanges: Exchange[], lo: number, hi: number]>([
    ['is within five minutes if no Date tells', [responded(0, 100, 200)], -300_000, 300_000],
    ['is told by a Date, which is cut to seconds', [dated(200, 300, 5)], 4_700, 5_800],
    ['is told by all Dates together', [dated(200, 300, 5), dated(900, 950, 5)], 4_700, 5_100],
    ['whichever comes first', [dated(900, 950, 5), dated(200, 300, 5)], 4_700, 5_100],
    ['is told by any number of Dates', Array(150_000).fill(dated(200, 300, 5)), 4_700, 5_800],
    [
      'is anything that one of them says if they contradict each other',
      [dated(0, 0, 5), dated(0, 0, 9), dated(0, 0, 1)],
      1_000,
      10_000,
    ],
  ])('%s', (_what, exchanges, lo, hi) => {
    expect(clockSkewOf(exchanges)).toEqual({ lo, hi });
  });
});

const VARIED = { variation: 'query' as never };

describe('what a response tells of a window', () => {
  const told = (change: Partial<Exchange>, status = 200) => {
    const [observation] = trackedWith([responded(0, 99, status, change)]);
    return observation?.remaining;
  };

  test('is its Remaining, if it is of this window, with the key', () => {
    expect(told({})).toBe(50);
    expect(told({ key: 'absent' })).toBeUndefined();
    expect(told({ rate: { limit: 1_000, remaining: 50 } })).toBeUndefined();
    // Another limit that resets within a minute.
    expect(told({ rate: { limit: 61, remaining: 50, reset: NOON + 30 } })).toBeUndefined();
    expect(told({ rate: { limit: 60 } })).toBeUndefined();
    expect(told(VARIED)).toBe(50);
    expect(told(VARIED, 400)).toBeUndefined();
    expect(told(VARIED, 429)).toBe(50);
    expect(trackedWith([responded(0, 1, 200)], 'day', 60)[0]?.remaining).toBeUndefined();
  });

  test('is its Reset, to the second, by the clock of the server', () => {
    const rate = { limit: 60, remaining: 50, reset: NOON + 30 };
    const [observation, varied, untold, other] = trackedWith([
      responded(0, 99, 200, { rate }),
      responded(0, 99, 200, { ...VARIED, rate }),
      responded(0, 99, 200),
      responded(0, 99, 200, { rate, key: 'absent' }),
    ]);
    expect(observation?.reset).toEqual({ lo: AT + 27_700, hi: AT + 31_100 });
    expect([varied, untold, other].map((each) => each?.reset)).toEqual([undefined, undefined, undefined]);
    expect(observation?.at).toEqual({ lo: AT, hi: AT + 100 });
  });

  test.each<[what: string, status: number, retryAfter: number | undefined, isTold: boolean]>([
    ['a refusal that ends at Reset', 429, 30, false],
    ['a refusal that ends a second later, as Reset may be rounded', 429, 31, false],
    ['a refusal that ends two seconds earlier', 429, 28, false],
    ['a refusal that ends later', 429, 32, true],
    ['a refusal that ends earlier', 429, 27, true],
    ['a refusal that says no end', 429, undefined, true],
    ['a response that is no refusal', 200, 30, true],
  ])('is Reset, unless it is the end of a block: %s', (_what, status, retryAfter, isTold) => {
    const rate = {
      limit: 60,
      remaining: 0,
      reset: NOON + 30,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    };
    const [observation] = trackedWith([responded(0, 99, status, { rate })]);
    expect(observation?.reset !== undefined).toBe(isTold);
  });

  test.each<[what: string, change: Partial<Exchange>, status: number, inMinute: string, inDay: string]>([
    ['a response', {}, 200, 'let-through', 'let-through'],
    ['a rejection', {}, 400, 'let-through', 'let-through'],
    ['a rejection of what was varied', VARIED, 400, 'unknown', 'unknown'],
    ['a refusal', { rate: { limit: 60, retryAfter: 30 } }, 429, 'refused', 'unknown'],
    ['a refusal without figures', { rate: {} }, 429, 'unknown', 'unknown'],
    ['a refusal with Retry-After alone', { rate: { retryAfter: 120 } }, 429, 'refused', 'unknown'],
    [
      'a refusal for longer than a minute',
      { rate: { limit: 60, retryAfter: 121 } },
      429,
      'unknown',
      'unknown',
    ],
    [
      'a refusal for longer, of the day',
      { rate: { limit: 1_000, retryAfter: 121 } },
      429,
      'unknown',
      'refused',
    ],
    ['a refusal without Retry-After', { rate: { limit: 60 } }, 429, 'refused', 'unknown'],
    [
      'a refusal of a wrong key',
      { key: 'absent', rate: { limit: 60, retryAfter: 30 } },
      429,
      'unknown',
      'unknown',
    ],
  ])('%s', (_what, change, status, inMinute, inDay) => {
    const exchanges = [responded(0, 1, status, change)];
    const outcomes = [trackedWith(exchanges), trackedWith(exchanges, 'day', 1_000)].map(
      ([each]) => each?.outcome,
    );
    expect(outcomes).toEqual([inMinute, inDay]);
  });
});
