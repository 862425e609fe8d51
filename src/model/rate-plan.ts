import type { RatePlan } from './contract.ts';
import type { Exchange } from './exchange.ts';
import { serverTime } from './rate-limit.ts';

export const MINUTE_S = 60;
export const DAY_S = 86_400;

/** When a fixed window is over, Reset moves by at least this (s); a sliding window moves it little by little. */
export const NEXT_WINDOW_S = MINUTE_S / 2;

/** Seconds by which a Reset may be rounded up, with a margin. */
const RESET_TOLERANCE_S = 3;

/** The two windows of a rate plan: the headers of a response describe one of them. */
export type Window = 'minute' | 'day';

export interface InferredRatePlan {
  name: string;
  window: Window;
  /** The X-RateLimit-Limit that it was inferred from. */
  limit: number;
}

/** The rate plan that the responses of a run show; undefined if all of them leave doubt. */
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
 * Which of two inferences to believe: the earlier one, unless it took a day that was about to end for a minute. No
 * minute is followed by a Reset that is a day away.
 */
export function moreReliable(
  earlier: InferredRatePlan | undefined,
  later: InferredRatePlan | undefined,
): InferredRatePlan | undefined {
  if (!earlier || !later) return earlier ?? later;
  return earlier.limit === later.limit && later.window === 'day' ? later : earlier;
}

/**
 * The rate plan that the headers of a response show; undefined if they leave doubt. If a limit is the minute of one plan
 * and the day of another (1,000), the distance of Reset decides. If it is only the day of a plan but Reset is that of a
 * minute, it belongs to a custom plan.
 */
export function inferFromExchange(
  exchange: Exchange,
  ratePlans: Readonly<Record<string, RatePlan>>,
): InferredRatePlan | undefined {
  const { limit } = exchange.rate;
  if (limit === undefined) return undefined;
  const readings = readingsOf(limit, ratePlans);
  if (readings.length === 0) return undefined;
  const [first, ...others] = readings;
  const away = secondsToReset(exchange);
  if (others.length === 0) {
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
  return readings.find((each) => each.window === window);
}

/** The windows of rate plans that have a limit. */
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

/** Which window the headers of a response describe, given the limits of the key; undefined if that is open. */
export function windowOf(exchange: Exchange, limits: RatePlan | undefined): Window | undefined {
  const { limit } = exchange.rate;
  if (limit === undefined) return undefined;
  if (limits?.minute === limit && limits.day !== limit) return 'minute';
  if (limits?.day === limit && limits.minute !== limit) return 'day';
  const away = secondsToReset(exchange);
  if (away === undefined) return undefined;
  if (away <= MINUTE_S + RESET_TOLERANCE_S) return 'minute';
  // A sliding counter of minutes is full again after two of them, and a day may end so soon.
  return away <= 2 * MINUTE_S + RESET_TOLERANCE_S ? undefined : 'day';
}

/** Seconds until the window of an exchange resets; undefined unless it resets within about a minute. */
export function secondsLeft(exchange: Exchange): number | undefined {
  const away = secondsToReset(exchange);
  return away === undefined || away > MINUTE_S + NEXT_WINDOW_S ? undefined : away;
}
