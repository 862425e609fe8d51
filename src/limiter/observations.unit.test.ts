import { describe, expect, test } from 'vitest';
import { exchange } from '../../test/exchanges/exchange.ts';
import { NOON } from '../../test/limiters/limited-runs.ts';
import type { Exchange } from '../model/exchange.ts';
import { clockSkewOf, trackOf } from './observations.ts';

const LIMITS = { limits: { minute: 60, day: 1_000 } };
const AT = NOON * 1_000;

/** A response to a read, from when to when (ms since noon), unless `change` says otherwise. */
function responded(from: number, to: number, status: number, change: Partial<Exchange> = {}): Exchange {
  return exchange({
    sentAt: AT + from,
    receivedAt: AT + to,
    response: { status, headers: [], body: '' },
    rate: { limit: 60, remaining: 50 },
    ...change,
  });
}

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

const trackedWith = (exchanges: Exchange[], window: 'minute' | 'day' = 'minute', limit = 60) =>
  trackOf(
    exchanges.map((each, index) => ({ ...each, id: index + 1 })),
    window,
    limit,
    LIMITS,
    { lo: -100, hi: 300 },
    () => 0,
  ).observations;

const inTurn = (...changes: [status: number, change?: Partial<Exchange>][]): Exchange[] =>
  changes.map(([status, change], index) => responded(10 * index, 10 * index + 1, status, change));

const aged = (age: string): Partial<Exchange> => ({
  response: { status: 200, headers: [['Age', age]], body: '' },
});

const VARIED = { variation: 'query' as never };

describe('requests count alike if they have the same', () => {
  test.each<[what: string, exchanges: Exchange[], kinds: string[]]>([
    ['operation and status', inTurn([200], [404]), ['listPets, 200', 'listPets, 404, again']],
    [
      'address, if they are read again',
      inTurn([200], [200], [200, { url: 'http://127.0.0.1/v1/pets?limit=1' }]),
      ['listPets, 200', 'listPets, 200, again', 'listPets, 200'],
    ],
    [
      'Age, if a cache may have kept them',
      inTurn([200, aged('0')], [200, aged('3')], [200, { ...aged('3'), method: 'POST' }]),
      ['listPets, 200, new in a cache', 'listPets, 200, from a cache, again', 'listPets, 200'],
    ],
    [
      'operation, if they write',
      inTurn([201, { method: 'POST' }], [201, { method: 'POST' }]),
      ['listPets, 201', 'listPets, 201'],
    ],
    [
      'operation, if they are varied',
      inTurn([200, VARIED], [200], [200, VARIED]),
      ['listPets, 200', 'listPets, 200', 'listPets, 200'],
    ],
    [
      'operation, if the key is rejected',
      inTurn([401, { key: 'absent' }], [401, { key: 'absent' }]),
      ['a rejected key, listPets', 'a rejected key, listPets'],
    ],
    ['operation, if a wrong key is not', inTurn([200, { key: 'absent' }]), ['a wrong key, listPets']],
  ])('%s', (_what, exchanges, kinds) => {
    expect(trackedWith(exchanges).map(({ kind }) => kind)).toEqual(kinds);
  });

  test('failure', () => {
    const { response: _, ...lost } = responded(0, 1, 200);
    expect(trackedWith([lost, { ...lost, key: 'absent' }]).map(({ kind }) => kind)).toEqual([
      'listPets, no response',
      'a wrong key, listPets',
    ]);
  });
});

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

describe('a burst that uses up the limit', () => {
  const overlapping = (change: Partial<Exchange>): Exchange[] =>
    [1, 2].map((inFlight) => responded(0, 10, 200, { ...change, inFlight }));
  const remainingIn = (exchanges: Exchange[]) => trackedWith(exchanges).map(({ remaining }) => remaining);

  test.each<[what: string, change: Partial<Exchange>]>([
    ['a run', { burst: 'fill' }],
    ['its recording, which does not name the burst', { recorded: 'run', stage: 'exhaust' }],
  ])('tells no Remaining, as any of its requests may have been counted first: in %s', (_, change) => {
    expect(remainingIn(overlapping(change))).toEqual([undefined, undefined]);
  });

  test.each<[what: string, exchanges: Exchange[]]>([
    ['other requests that overlap', overlapping({ recorded: 'run', stage: 'read' })],
    ['what uses up the limit one at a time', inTurn([200, { recorded: 'run', stage: 'exhaust' }], [200])],
  ])('is not %s', (_, exchanges) => {
    expect(remainingIn(exchanges)).toEqual([50, 50]);
  });

  test.each<[where: string, isTold: boolean, before: number, burst: [number, number]]>([
    ['before it', true, 5, [65, 65]],
    ['in it', true, 5, [5, 65]],
    ['long before it', false, 65, [65, 65]],
    ['only after it', false, 5, [5, 5]],
  ])('where a window ended %s, its Reset counts: %s', (_, isTold, before, [first, second]) => {
    const until = (seconds: number, from: number, change: Partial<Exchange> = {}) =>
      responded(from, from + 10, 200, {
        ...change,
        rate: { limit: 60, remaining: 50, reset: NOON + seconds },
      });
    const tracked = trackedWith([
      until(5, 0),
      until(before, 20),
      until(first, 40, { burst: 'fill', inFlight: 1 }),
      until(second, 40, { burst: 'fill', inFlight: 2 }),
    ]);
    expect(tracked.slice(2).map(({ reset }) => reset !== undefined)).toEqual([isTold, isTold]);
  });
});

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
});
