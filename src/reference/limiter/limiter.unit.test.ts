import { expect, test } from 'vitest';
import type { LimiterSettings } from '../settings.ts';
import { mergeSettings } from '../settings.ts';
import { createLimiter } from './limiter.ts';
import { rateLimitHeaders, retryAfter } from './verdict.ts';

const MIDNIGHT = Date.UTC(2026, 10, 22);
const T = MIDNIGHT - 3_600_000;

function limiter(change: Partial<LimiterSettings>, plan = { minute: 3, day: 5 }) {
  return createLimiter(plan, mergeSettings([{ limiter: change }]).limiter, T);
}

test('both windows: first the minute rejects requests, then the day, until midnight', () => {
  const { take } = limiter({});
  const told = [0, 0, 0, 0, 60, 60, 60].map((second) => {
    const { allowed, limit, remaining, resetAt, retryAt } = take('a', T + second * 1000);
    return [allowed, limit, remaining, (resetAt - T) / 1000, retryAt - T - second * 1000];
  });
  expect(told).toEqual([
    [true, 3, 2, 60, 0],
    [true, 3, 1, 60, 0],
    [true, 3, 0, 60, 60_000],
    [false, 3, 0, 60, 60_000],
    [true, 5, 1, 3600, 0],
    [true, 5, 0, 3600, 3_540_000],
    [false, 5, 0, 3600, 3_540_000],
  ]);
  expect(take('a', MIDNIGHT).allowed).toBe(true);
});

test('the length of the shorter window can be set; a day stays a day', () => {
  const { take } = limiter({ minute: 5_000 });
  const told = [0, 0, 0, 4, 5, 5, 5].map((second) => {
    const { allowed, limit, resetAt } = take('a', T + second * 1000);
    return [allowed, limit, (resetAt - T) / 1000];
  });
  expect(told).toEqual([
    [true, 3, 5],
    [true, 3, 5],
    [true, 3, 5],
    [false, 3, 5],
    [true, 5, 3600],
    [true, 5, 3600],
    [false, 5, 3600],
  ]);
});

test('a rejected request counts toward neither window', () => {
  const { take, look } = limiter({ describes: 'day' });
  for (let n = 0; n < 10; n++) take('a', T);
  expect(look('a', T + 60_000)).toMatchObject({ limit: 5, remaining: 2, allowed: true });
});

test('minute only: clients have separate counts, and look counts nothing', () => {
  const { take, look, unused } = limiter({ windows: 'minute' });
  for (let n = 0; n < 3; n++) take('a', T);
  expect(look('a', T)).toMatchObject({ allowed: false, remaining: 0 });
  expect(look('b', T)).toMatchObject({ allowed: true, remaining: 3 });
  expect(unused(T)).toMatchObject({ allowed: true, limit: 3, remaining: 3 });
  for (let minute = 1; minute < 9; minute++) expect(take('a', T + minute * 60_000).allowed).toBe(true);
});

test.each<[string, Partial<LimiterSettings>, number, number]>([
  ['some used', { used: 2 }, 1, 3],
  ['some left', { used: { left: 2 } }, 2, 4],
  ['none left', { used: { left: 0 } }, 0, 2],
  ['more than there is', { used: 99 }, 0, 2],
  ['of the day only', { usedToday: { left: 1 } }, 3, 1],
])('used before the run: %s', (_name, change, minute, day) => {
  expect(limiter({ ...change, describes: 'minute' }).look('a', T).remaining).toBe(minute);
  expect(limiter({ ...change, describes: 'day' }).look('a', T).remaining).toBe(day);
});

test('both windows used up: the headers describe the one that reopens last', () => {
  const { take } = limiter({}, { minute: 2, day: 2 });
  expect(take('a', T)).toMatchObject({ remaining: 1, resetAt: T + 60_000 });
  expect(take('a', T)).toMatchObject({ remaining: 0, resetAt: MIDNIGHT });
});

test('time is whole milliseconds and never goes back', () => {
  const { take, look } = limiter({ windows: 'minute' });
  take('a', T + 60_000.7);
  expect(take('a', T + 59_999)).toMatchObject({ remaining: 1, resetAt: T + 120_000 });
  expect(look('a', T + 60_000.7).retryAt).toBe(T + 60_000);
});

test('background traffic counts before our own', () => {
  const perRequest = limiter({ windows: 'minute', background: { perSecond: 0, perRequest: 1 } });
  expect(perRequest.take('a', T)).toMatchObject({ allowed: true, remaining: 1 });
  expect(perRequest.take('a', T)).toMatchObject({ allowed: false, remaining: 0 });

  const perSecond = limiter({ windows: 'minute', background: { perSecond: 2, perRequest: 0 } });
  expect(perSecond.take('a', T + 499)).toMatchObject({ allowed: true, remaining: 2 });
  expect(perSecond.take('a', T + 500)).toMatchObject({ allowed: true, remaining: 0 });
  expect(perSecond.look('a', T + 60_500).remaining).toBe(1);
});

test('leeway allows more requests than the headers say', () => {
  const { take } = limiter({ windows: 'minute', leeway: 2 });
  const told = [1, 2, 3, 4, 5, 6]
    .map(() => take('a', T))
    .map(({ allowed, remaining }) => [allowed, remaining]);
  expect(told).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [true, 0],
    [true, 0],
    [false, 0],
  ]);
});

test('a negative leeway allows fewer requests than the headers say', () => {
  const { take } = limiter({ windows: 'minute', leeway: -1 });
  const told = [1, 2, 3].map(() => take('a', T)).map(({ allowed, remaining }) => [allowed, remaining]);
  expect(told).toEqual([
    [true, 2],
    [true, 1],
    [false, 1],
  ]);
});

test('a weight counts as several requests, or as all that remain', () => {
  const { take, look } = limiter({ windows: 'both', describes: 'minute' }, { minute: 7, day: 20 });
  const told = [5, 1, 5, 5]
    .map((weight) => take('a', T, weight))
    .map(({ allowed, remaining }) => [allowed, remaining]);
  expect(told).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
  ]);
  expect(look('a', T + 60_000)).toMatchObject({ allowed: true, remaining: 7 });
});

test('Remaining is rounded up if part of a request is available; what is allowed stays the same', () => {
  const { take, look } = limiter({
    windows: 'minute',
    algorithm: 'token-bucket',
    remainingRounded: 'up',
  });
  expect(look('a', T).remaining).toBe(3);
  for (let n = 0; n < 3; n++) take('a', T);
  expect(look('a', T)).toMatchObject({ allowed: false, remaining: 0 });
  expect(look('a', T + 1000)).toMatchObject({ allowed: false, remaining: 1, retryAt: T + 20_000 });
  expect(look('a', T + 20_000)).toMatchObject({ allowed: true, remaining: 1 });
  expect(look('a', T + 21_000)).toMatchObject({ allowed: true, remaining: 2 });
  expect(look('a', T + 60_000)).toMatchObject({ allowed: true, remaining: 3 });
});

test('reset of a sliding window: when all requests are available, or the next one', () => {
  for (const [resetMeans, second] of [
    ['full', 70],
    ['next', 60],
  ] as const) {
    const { take } = limiter({ windows: 'minute', algorithm: 'sliding-log', resetMeans });
    take('a', T);
    expect(take('a', T + 10_000).resetAt).toBe(T + second * 1000);
  }
});

test('Retry-After is at least one second', () => {
  const verdict = { allowed: false, limit: 3, remaining: 0, resetAt: T + 400, retryAt: T + 400 };
  expect(retryAfter(verdict, T, mergeSettings([{ limiter: { rounding: 'down' } }]).limiter)[1]).toBe('1');
});

test('whole seconds', () => {
  const verdict = { allowed: false, limit: 3, remaining: 0, resetAt: T + 1_001, retryAt: T + 1_001 };
  const told = (['up', 'down', 'second-longer'] as const).map((rounding) => {
    const { limiter } = mergeSettings([{ limiter: { rounding } }]);
    const dated = { ...limiter, retryAfter: 'http-date' as const };
    return [
      Number(rateLimitHeaders(verdict, limiter)[2]?.[1]) - T / 1000,
      Number(retryAfter(verdict, T, limiter)[1]),
      (Date.parse(retryAfter(verdict, T, dated)[1]) - T) / 1000,
    ];
  });
  expect(told).toEqual([
    [2, 2, 2],
    [1, 1, 1],
    [3, 3, 3],
  ]);
  expect(
    retryAfter(
      { ...verdict, retryAt: MIDNIGHT },
      T,
      mergeSettings([{ limiter: { retryAfter: 'http-date' } }]).limiter,
    ),
  ).toEqual(['Retry-After', 'Sun, 22 Nov 2026 00:00:00 GMT']);
});
