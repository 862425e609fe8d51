import type { RatePlan } from './contract.ts';
import type { Exchange } from './exchange.ts';
import { serverTime } from './rate-limit.ts';

export const MINUTE_S = 60;
export const DAY_S = 86_400;

/** Reset moves by at least this (s) when a fixed window is over; sliding ones move it little by little. */
export const NEXT_WINDOW_S = MINUTE_S / 2;

/** Seconds by which a Reset may be rounded up, and a bit. */
const RESET_TOLERANCE_S = 3;

/** Which of a plan's two windows the headers of a response describe. */
export type Window = 'minute' | 'day';

export interface InferredRatePlan {
  name: string;
  window: Window;
  /** The Limit by which it was told. */
  figure: number;
}

/** The plan that the responses of a run tell; undefined where none leaves no doubt. */
export function inferRatePlan(
  exchanges: readonly Exchange[],
  ratePlans: Readonly<Record<string, RatePlan>>,
): InferredRatePlan | undefined {
  return exchanges.reduce<InferredRatePlan | undefined>(
    (told, exchange) => moreReliable(told, inferFromExchange(exchange, ratePlans)),
    undefined,
  );
}

/**
 * Of what an earlier response told and what a later one tells, what to believe: the earlier, unless it took a day that
 * was about to end for a minute, which is never followed by a Reset a day away.
 */
export function moreReliable(
  told: InferredRatePlan | undefined,
  next: InferredRatePlan | undefined,
): InferredRatePlan | undefined {
  if (!told || !next) return told ?? next;
  return told.figure === next.figure && next.window === 'day' ? next : told;
}

/**
 * The plan that the rate limit headers of a response tell, where they leave no doubt. A figure that is one plan's
 * minute and another's day (1,000) is told apart by how far away Reset is; one that a plan has for the day alone is
 * none where Reset is that of a minute, which is then a custom plan's.
 */
export function inferFromExchange(
  exchange: Exchange,
  ratePlans: Readonly<Record<string, RatePlan>>,
): InferredRatePlan | undefined {
  const { limit } = exchange.rate;
  if (limit === undefined) return undefined;
  const readings = Object.entries(ratePlans).flatMap(([name, { minute, day }]) => [
    ...(minute === limit ? [{ name, window: 'minute' as const, figure: limit }] : []),
    ...(day === limit ? [{ name, window: 'day' as const, figure: limit }] : []),
  ]);
  const [first, ...others] = readings;
  const away = secondsToReset(exchange);
  if (others.length === 0) {
    const isMinute = away !== undefined && away > 0 && away <= MINUTE_S + RESET_TOLERANCE_S;
    return first?.window === 'day' && isMinute ? undefined : first;
  }
  if (away === undefined) return undefined;
  const now = serverTime(exchange.response?.headers ?? [], exchange.receivedAt) / 1000;
  const isAtMidnight = Math.abs(away - (DAY_S - (now % DAY_S))) <= RESET_TOLERANCE_S;
  // A sliding counter is full again after two windows; and a day may end within a minute.
  if (away <= 2 * MINUTE_S + RESET_TOLERANCE_S && (away > MINUTE_S + RESET_TOLERANCE_S || isAtMidnight))
    return undefined;
  const window = away <= MINUTE_S + RESET_TOLERANCE_S ? 'minute' : 'day';
  return readings.find((each) => each.window === window);
}

/** Seconds from a response until its Reset, by the server's own clock; undefined without a Reset. */
export function secondsToReset(exchange: Exchange): number | undefined {
  if (exchange.rate.reset === undefined) return undefined;
  const now = serverTime(exchange.response?.headers ?? [], exchange.receivedAt);
  return exchange.rate.reset - now / 1000;
}

/** Which window the headers of a response describe, given the plan's figures; undefined where that is open. */
export function windowOf(exchange: Exchange, limits: RatePlan | undefined): Window | undefined {
  const { limit } = exchange.rate;
  if (limit === undefined) return undefined;
  if (limits?.minute === limit && limits.day !== limit) return 'minute';
  if (limits?.day === limit && limits.minute !== limit) return 'day';
  const away = secondsToReset(exchange);
  if (away === undefined) return undefined;
  return away <= MINUTE_S + RESET_TOLERANCE_S ? 'minute' : 'day';
}

/** Seconds until the window of an exchange resets, where that is less than a minute away. */
export function secondsLeft(exchange: Exchange): number | undefined {
  const away = secondsToReset(exchange);
  return away === undefined || away > MINUTE_S + NEXT_WINDOW_S ? undefined : away;
}
