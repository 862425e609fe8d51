import { describe, expect, test } from 'vitest';
import { exchangeOf, shown } from '../../../test/limiters/limited-runs.ts';
import { judgeExchanges } from '../judge-exchanges.ts';
import { refusedBySpeed } from './refused-by-speed.ts';

const OPERATIONS = ['listPets', 'createPet', 'getStoreOrders'];

/** When requests are sent, in s: stretches of 40 in quick succession, with pauses. */
const TIMES = [0, 1.1, 1.9, 3.7, 4.5].flatMap((start) =>
  Array.from({ length: 40 }, (_, index) => start + 0.01 * index),
);

/** How many of these requests are seen to be refused by speed, of how many that got this status. */
function seen(isRefused: (at: number, index: number) => boolean, status = 503): [seen: number, of: number] {
  const { judged: _, ...circumstances } = shown(
    OPERATIONS.map((operation) => ({ operation, remaining: 50 })),
  );
  let refused = 0;
  const exchanges = TIMES.map((at, index) => {
    const isNow = isRefused(at, index);
    if (isNow) refused += 1;
    const operation = OPERATIONS[index % OPERATIONS.length] ?? '';
    const passed = { status: operation === 'createPet' ? 201 : 200, remaining: 50 };
    const failed = { status, limit: undefined, reset: '' };
    return exchangeOf({ operation, at, ...(isNow ? failed : passed) }, index + 1);
  });
  return [refusedBySpeed(judgeExchanges(exchanges, circumstances)).size, refused];
}

/** A leaky bucket. */
function bucket(perSecond: number, burst: number) {
  let [level, since] = [0, 0];
  return (at: number) => {
    level = Math.max(0, level - perSecond * (at - since));
    since = at;
    if (level > burst) return true;
    level += 1;
    return false;
  };
}

/** So many requests in each of the windows of a length in s. */
function windows(limit: number, seconds: number) {
  const counts = new Map<number, number>();
  return (at: number) => {
    const count = (counts.get(Math.floor(at / seconds)) ?? 0) + 1;
    counts.set(Math.floor(at / seconds), count);
    return count > limit;
  };
}

describe('a limiter that answers otherwise than with 429', () => {
  test.each<[what: string, isRefused: (at: number) => boolean]>([
    ['a bucket with a burst', bucket(5, 10)],
    ['a faster bucket', bucket(17, 5)],
    ['one request at a time', bucket(10, 0)],
    ['windows of a second', windows(10, 1)],
  ])('%s is seen by which requests it refuses', (_what, isRefused) => {
    const [found, refused] = seen(isRefused);
    expect(refused).toBeGreaterThan(20);
    expect(found).toBe(refused);
  });

  test.each([403, 500, 502, 509, 420])('and with which status: %i', (status) => {
    const [found, refused] = seen(bucket(5, 10), status);
    expect(found).toBe(refused);
  });
});

describe('a service that breaks now and then', () => {
  let state = 7;
  const chance = () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  test.each<[what: string, isBroken: (at: number, index: number) => boolean]>([
    ['every seventh request', (_at, index) => index % 7 === 6],
    ['two of three nodes', (_at, index) => index % 3 !== 0],
    ['half of the requests, at random', () => chance() < 0.5],
    ['one in ten, at random', () => chance() < 0.1],
    ['for a while', (at) => at > 1 && at < 1.5],
    ['one operation', (_at, index) => index % 3 === 1],
    ['from some time on', (at) => at > 2],
  ])('is no limiter: %s', (_what, isBroken) => {
    expect(seen(isBroken)[0]).toBe(0);
  });

  test('nor is one that refuses with 429', () => {
    expect(seen(bucket(5, 10), 429)[0]).toBe(0);
  });
});
