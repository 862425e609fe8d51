import { describe, expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import type { Exchange, HeaderLine } from '../exchange.ts';
import { inferFromExchange, inferRatePlan, secondsToReset, windowOf } from './rate-plan.ts';

/** Sat, 21 Nov 2026 12:00:00 GMT. */
const NOON = 1_795_262_400_000;
const MIDNIGHT = NOON + 43_200_000;

/** The interface's own table, not the contract's copy. */
const PLANS = {
  free: { minute: 60, day: 1_000 },
  pro: { minute: 300, day: 10_000 },
  business: { minute: 1_000, day: 100_000 },
  enterprise: {},
};

/** An answer with this Limit, and a Reset so many seconds after it came. */
function answer(
  limit: number | undefined,
  away: number | undefined,
  change: Partial<Exchange> = {},
): Exchange {
  const receivedAt = change.receivedAt ?? NOON;
  return exchange({
    sentAt: receivedAt,
    receivedAt,
    response: { status: 200, headers: [], body: '' },
    rate: {
      ...(limit === undefined ? {} : { limit }),
      ...(away === undefined ? {} : { reset: receivedAt / 1000 + away }),
    },
    ...change,
  });
}

describe('the rate plan that a response shows', () => {
  test.each<[limit: number | undefined, away: number | undefined, told: string | undefined]>([
    [60, 30, 'free minute'],
    [300, 30, 'pro minute'],
    [10_000, 30_000, 'pro day'],
    [100_000, 30_000, 'business day'],
    // The figure leaves no doubt, whatever Reset says.
    [60, undefined, 'free minute'],
    [60, 86_400, 'free minute'],
    // A minute of Business or a day of Free.
    [1_000, 30, 'business minute'],
    [1_000, 60, 'business minute'],
    [1_000, 61, 'business minute'],
    [1_000, 3_600, 'free day'],
    [1_000, 43_200, 'free day'],
    [1_000, 86_400, 'free day'],
    // All that a sliding counter takes back is back after two minutes.
    [1_000, 90, undefined],
    [1_000, 120, undefined],
    [1_000, undefined, undefined],
    // A minute of so many is no plan's but a custom one.
    [10_000, 30, undefined],
    [100_000, 60, undefined],
    [10_000, 120, 'pro day'],
    [10_000, undefined, 'pro day'],
    [10_000, -5, 'pro day'],
    [100, 30, undefined],
    [61, 30, undefined],
    [undefined, 30, undefined],
  ])('Limit %s, Reset in %s s: %s', (limit, away, told) => {
    const plan = inferFromExchange(answer(limit, away), PLANS);
    expect(plan && `${plan.name} ${plan.window}`).toBe(told);
  });

  test.each<[seconds: number, told: string | undefined]>([
    [10, undefined],
    [59, undefined],
    [600, 'free'],
  ])('Limit 1,000, Reset at the end of the day in %s s: %s', (seconds, told) => {
    const late = answer(1_000, seconds, { receivedAt: MIDNIGHT - seconds * 1000 });
    expect(inferFromExchange(late, PLANS)?.name).toBe(told);
  });

  test('a minute that ends in the last hour of the day is a minute', () => {
    expect(inferFromExchange(answer(1_000, 20, { receivedAt: MIDNIGHT - 1_820_000 }), PLANS)?.name).toBe(
      'business',
    );
  });
});

describe('the rate plan that a run shows', () => {
  const told = (...answers: Exchange[]) => {
    const plan = inferRatePlan(answers, PLANS);
    return plan && `${plan.name} ${plan.window}`;
  };

  test.each<[what: string, answers: Exchange[], plan: string | undefined]>([
    ['nothing', [answer(100, 30), answer(undefined, 30)], undefined],
    ['the first that tells one', [answer(100, 30), answer(60, 30), answer(300, 30)], 'free minute'],
    ['a day that ended and began anew', [answer(1_000, 40), answer(1_000, 86_380)], 'free day'],
    ['a day whose end came near', [answer(1_000, 3_600), answer(1_000, 40)], 'free day'],
    [
      'a minute, whatever day another operation tells',
      [answer(60, 30), answer(10_000, 3_600)],
      'free minute',
    ],
    [
      'a minute, with answers between that leave it open',
      [answer(1_000, 30), answer(1_000, 90)],
      'business minute',
    ],
  ])('%s', (_what, answers, plan) => {
    expect(told(...answers)).toBe(plan);
  });
});

describe('the window that a response describes', () => {
  test.each<
    [
      limit: number | undefined,
      away: number | undefined,
      limits: object | undefined,
      window: string | undefined,
    ]
  >([
    [60, undefined, PLANS.free, 'minute'],
    [1_000, 10, PLANS.free, 'day'],
    [1_000, 86_000, PLANS.business, 'minute'],
    // Figures that are not the plan's, or the same for both: Reset tells.
    [100, 30, PLANS.free, 'minute'],
    [100, 3_600, PLANS.free, 'day'],
    [50, 30, { minute: 50, day: 50 }, 'minute'],
    [50, 3_600, { minute: 50, day: 50 }, 'day'],
    [50, undefined, { minute: 50, day: 50 }, undefined],
    [60, 30, undefined, 'minute'],
    [60, 120, undefined, undefined],
    [60, 3_600, undefined, 'day'],
    [60, undefined, undefined, undefined],
    [undefined, 30, PLANS.free, undefined],
  ])('Limit %s, Reset in %s s, rate plan %o: %s', (limit, away, limits, window) => {
    expect(windowOf(answer(limit, away), limits)).toBe(window);
  });
});

describe('seconds to Reset', () => {
  const date = (value: string): HeaderLine[] => [['Date', value]];

  test.each<[by: string, headers: HeaderLine[], seconds: number]>([
    ['our clock', [], 29.6],
    ['the server’s Date', date('Sat, 21 Nov 2026 12:00:00 GMT'), 30],
    ['a Date half a minute ahead', date('Sat, 21 Nov 2026 12:00:30 GMT'), 0],
    ['our clock if Date is not a date', date('today'), 29.6],
  ])('by %s', (_by, headers, seconds) => {
    const exchange = answer(60, undefined, {
      receivedAt: NOON + 400,
      response: { status: 200, headers, body: '' },
      rate: { limit: 60, reset: NOON / 1000 + 30 },
    });
    expect(secondsToReset(exchange)).toBeCloseTo(seconds, 3);
  });

  test('undefined without a Reset', () => {
    expect(secondsToReset(answer(60, undefined))).toBeUndefined();
  });
});
