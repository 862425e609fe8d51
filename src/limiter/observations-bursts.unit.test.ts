import { describe, expect, test } from 'vitest';
import { NOON } from '../../test/limiters/limited-runs.ts';
import { inTurn, responded, trackedWith } from '../../test/limiters/tracked.ts';
import type { Exchange } from '../model/exchange.ts';
import { aloneIn } from './observations.ts';

/** A response that says when it resets (s), if it does, to a request that was sent at `from` (ms). */
const until = (reset: number | undefined, from: number, change: Partial<Exchange> = {}) =>
  responded(from, from + 10, 200, {
    ...change,
    rate: { limit: 60, remaining: 50, ...(reset === undefined ? {} : { reset: NOON + reset }) },
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
    ['a request of a run beside a late response', overlapping({ stage: 'exhaust' })],
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
    const tracked = trackedWith([
      until(5, 0),
      until(before, 20),
      until(first, 40, { burst: 'fill', inFlight: 1 }),
      until(second, 40, { burst: 'fill', inFlight: 2 }),
    ]);
    expect(tracked.slice(2).map(({ reset }) => reset !== undefined)).toEqual([isTold, isTold]);
  });
});

/** A response of a burst that uses up the limit: how many were in flight, itself included, and when it resets (s), if it says so. */
type InBurst = [inFlight: number, reset: number | undefined];

const burstOf = (from: number, ...responses: InBurst[]) =>
  responses.map(([inFlight, reset]) => until(reset, from, { burst: 'fill', inFlight }));

describe('Reset tells which of a burst were counted after a window ended', () => {
  test.each<[what: string, exchanges: Exchange[], areTold: boolean[]]>([
    ['whichever response comes first', burstOf(0, [1, 65], [2, 5]), [true, true]],
    ['if it moves by half a minute', burstOf(0, [1, 5], [2, 35]), [true, true]],
    ['not if it moves by less', burstOf(0, [1, 5], [2, 34]), [false, false]],
    ['whatever says no Reset', burstOf(0, [1, 5], [2, undefined], [3, 65]), [true, false, true]],
    ['if its first request is of another count', burstOf(0, [2, 5], [3, 65]), [true, true]],
    [
      'in the burst in which it ended alone',
      [...burstOf(0, [1, 5], [2, 65]), until(65, 20), ...burstOf(40, [1, 65], [2, 65])],
      [true, true, false, false],
    ],
    [
      'not in two bursts between which it ended before another request',
      [...burstOf(0, [1, 5], [2, 5]), until(65, 20), ...burstOf(40, [1, 65], [2, 65])],
      [false, false, false, false],
    ],
    [
      'not by what comes after the burst, beside requests of another count',
      [...burstOf(0, [1, 5], [2, 5]), until(65, 20, { inFlight: 2 })],
      [false, false],
    ],
  ])('%s', (_what, exchanges, areTold) => {
    const ofBursts = trackedWith(exchanges).filter(({ exchange }) => exchange.burst === 'fill');
    expect(ofBursts.map(({ reset }) => reset !== undefined)).toEqual(areTold);
  });
});

test.each<[what: string, changes: Partial<Exchange>[], areAlone: boolean[]]>([
  ['one after another', [{}, {}], [true, true]],
  ['the second before the response to the first', [{}, { inFlight: 2 }, {}], [false, false, true]],
  ['the first together with requests of another count', [{ burst: 'beside' }, {}], [false, true]],
])('which requests were sent alone: %s', (_what, changes, areAlone) => {
  const exchanges = inTurn(...changes.map((change): [number, Partial<Exchange>] => [200, change])).map(
    (each, index) => ({ ...each, id: index + 1 }),
  );
  expect(exchanges.map(aloneIn(exchanges))).toEqual(areAlone);
});
