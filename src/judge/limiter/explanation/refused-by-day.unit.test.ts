import { describe, expect, test } from 'vitest';
import { exchange } from '../../../../test/exchanges/exchange.ts';
import { NOON } from '../../../../test/limiters/limited-runs.ts';
import type { Exchange, RateLimit } from '../../../model/exchange.ts';
import { mayBeRefusedByDay } from './refused-by-day.ts';

const MIDNIGHT = NOON + 12 * 3_600;

/** A response of the minute, by a server with that time (s since the epoch). */
function told(time: number, status: number, rate: Partial<RateLimit>): Exchange {
  return exchange({
    sentAt: time * 1_000,
    receivedAt: time * 1_000,
    response: { status, headers: [['Date', new Date(time * 1_000).toUTCString()]], body: '' },
    rate: { limit: 60, ...rate },
  });
}

/** Responses of a bucket, of which each request makes Reset a second later. */
const OF_BUCKET = [1, 2, 3, 4].map((used) => told(NOON, 200, { remaining: 60 - used, reset: NOON + used }));
const OF_WINDOW = [1, 2, 3].map((used) => told(NOON, 200, { remaining: 60 - used, reset: NOON + 60 }));

describe('a request may be refused by the day', () => {
  test.each<[what: string, refused: Exchange, own: Exchange[], isUntilReset: boolean, expected: boolean]>([
    ['of a bucket, for long', told(NOON, 429, { remaining: 7, retryAfter: 40 }), OF_BUCKET, false, true],
    ['of a bucket, until Reset', told(NOON, 429, { remaining: 7, retryAfter: 40 }), OF_BUCKET, true, false],
    ['of a bucket, for one token', told(NOON, 429, { remaining: 7, retryAfter: 3 }), OF_BUCKET, false, false],
    ['of a window, for long', told(NOON, 429, { remaining: 7, retryAfter: 40 }), OF_WINDOW, false, false],
    ['with none left', told(NOON, 429, { remaining: 0, retryAfter: 40 }), OF_BUCKET, false, false],
    ['without Retry-After', told(NOON, 429, { remaining: 7 }), OF_BUCKET, false, false],
    ['not refused', told(NOON, 200, { remaining: 7, retryAfter: 40 }), OF_BUCKET, false, false],
    ['until midnight', told(MIDNIGHT - 40, 429, { remaining: 7, retryAfter: 40 }), OF_WINDOW, true, true],
    ['rounded up', told(MIDNIGHT - 40, 429, { remaining: 7, retryAfter: 42 }), OF_WINDOW, true, true],
    ['rounded down', told(MIDNIGHT - 40, 429, { remaining: 7, retryAfter: 38 }), OF_WINDOW, true, true],
    ['until after it', told(MIDNIGHT - 40, 429, { remaining: 7, retryAfter: 43 }), OF_WINDOW, true, false],
    ['until before it', told(MIDNIGHT - 40, 429, { remaining: 7, retryAfter: 37 }), OF_WINDOW, true, false],
  ])('%s: %#', (_what, refused, own, isUntilReset, expected) => {
    expect(mayBeRefusedByDay(refused, own, isUntilReset)).toBe(expected);
  });

  test('not where Reset moves by a whole window', () => {
    const own = [told(NOON, 200, { reset: NOON + 60 }), told(NOON + 60, 200, { reset: NOON + 120 })];
    expect(mayBeRefusedByDay(told(NOON, 429, { remaining: 7, retryAfter: 40 }), own, false)).toBe(false);
  });
});
