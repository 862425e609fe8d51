import type { RatePlan } from '../contract.ts';
import type { Exchange } from '../exchange.ts';
import { serverTime } from './rate-limit.ts';

export const MINUTE_S = 60;
export const DAY_S = 86_400;

/** When a fixed window is over, Reset moves by at least this (s); a sliding window moves it little by little. */
export const NEXT_WINDOW_S = MINUTE_S / 2;

/** Seconds by which a Reset may be rounded up, with a margin. */
const RESET_TOLERANCE_S = 3;

/** The windows of a rate plan. The headers of a response describe one of them. */
export type Window = 'minute' | 'day';

export interface InferredRatePlan {
  name: string;
  window: Window;
  /** The X-RateLimit-Limit that it was inferred from. */
  limit: number;
}

/** The rate plan that the responses of a run show; undefined if none shows it clearly. */
export function inferRatePlan(
  exchanges: readonly Exchange[],
  ratePlans: Readonly<Record<string, RatePlan>>,
): InferredRatePlan | undefined {
  return exchanges.reduce<InferredRatePlan | undefined>(
    (earlier, exchange) => moreReliable(earlier, inferFromExchange(exchange, ratePlans)),
    undefined,
  );
}

/**
 * The earlier of two inferences, unless it mistook the end of a day for a minute: after a window of a minute, no Reset is a day
 * away.
 */
export function moreReliable(
  earlier: InferredRatePlan | undefined,
  later: InferredRatePlan | undefined,
): InferredRatePlan | undefined {
  if (!earlier || !later) return earlier ?? later;
  return earlier.limit === later.limit && later.window === 'day' ? later : earlier;
}

/**
 * The rate plan that the headers of a response show; undefined if they leave doubt. If a limit is the minute's of one plan and the
 * day's of another (1,000), the distance of Reset decides. If it is only a day's, but Reset is within a minute, the plan is custom.
 */
export function inferFromExchange(
  exchange: Exchange,
  ratePlans: Readonly<Record<string, RatePlan>>,
): InferredRatePlan | undefined {
  const { limit } = exchange.rate;
  if (limit === undefined) return undefined;
  const readings = readingsOf(limit, ratePlans);
  if (readings.length === 0) return undefined;
  const [first] = readings;
  const away = secondsToReset(exchange);
  if (readings.length === 1) {
    const isMinute = away !== undefined && away > 0 && away <= MINUTE_S + RESET_TOLERANCE_S;
    return first?.window === 'day' && isMinute ? undefined : first;
  }
  if (away === undefined) return undefined;
  const now = serverTime(exchange.response?.headers ?? [], exchange.receivedAt) / 1000;
  const isAtMidnight = Math.abs(away - (DAY_S - (now % DAY_S))) <= RESET_TOLERANCE_S;
  // A sliding counter is full again after two windows, and a day may end within a minute.
  if (away <= 2 * MINUTE_S + RESET_TOLERANCE_S && (away > MINUTE_S + RESET_TOLERANCE_S || isAtMidnight))
    return undefined;
  const window = away <= MINUTE_S + RESET_TOLERANCE_S ? 'minute' : 'day';
  return readings.find((reading) => reading.window === window);
}

/** The plans and windows with this limit. */
function readingsOf(limit: number, ratePlans: Readonly<Record<string, RatePlan>>): InferredRatePlan[] {
  const readings: InferredRatePlan[] = [];
  for (const [name, { minute, day }] of Object.entries(ratePlans)) {
    if (minute === limit) readings.push({ name, window: 'minute', limit });
    if (day === limit) readings.push({ name, window: 'day', limit });
  }
  return readings;
}

/** Seconds from a response until its Reset by the server's clock; undefined without a Reset. */
export function secondsToReset(exchange: Exchange): number | undefined {
  if (exchange.rate.reset === undefined) return undefined;
  const now = serverTime(exchange.response?.headers ?? [], exchange.receivedAt);
  return exchange.rate.reset - now / 1000;
}

/** The window that the headers of a response describe, given the limits of the key; undefined if they leave doubt. */
export function windowOf(exchange: Exchange, limits: RatePlan | undefined): Window | undefined {
  const { limit } = exchange.rate;
  if (limit === undefined) return undefined;
  if (limits?.minute === limit && limits.day !== limit) return 'minute';
  if (limits?.day === limit && limits.minute !== limit) return 'day';
  const away = secondsToReset(exchange);
  if (away === undefined) return undefined;
  if (away <= MINUTE_S + RESET_TOLERANCE_S) return 'minute';
  // A sliding counter of a minute is full again after two minutes, and a day may end so soon, too.
  return away <= 2 * MINUTE_S + RESET_TOLERANCE_S ? undefined : 'day';
}

/** Seconds until the window of an exchange resets; undefined unless it resets within about a minute. */
export function secondsLeft(exchange: Exchange): number | undefined {
  const away = secondsToReset(exchange);
  return away === undefined || away > MINUTE_S + NEXT_WINDOW_S ? undefined : away;
}
