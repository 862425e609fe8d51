import type { PlanLimits } from '../contract/types.ts';
import type { Exchange } from './exchange.ts';
import { MINUTE, secondsToReset, windowOf } from './plan-limits.ts';

/** Seconds added to what a server states: times in whole seconds may be rounded either way. */
const ROUNDING = 1;

/** Seconds that a window stays closed for us after a 429 that does not say how long. */
const UNSTATED = MINUTE;

/** What the session knows of the limiter: when the next request with the key may go. */
export interface Pace {
  /** A request with the key is about to be sent. */
  sending(): void;
  /** Something came back. */
  received(exchange: Exchange): void;
  /** ms until a request may go, with the reason; 0: now. */
  wait(operation: string, now: number): { ms: number; why: string };
  /** ms until the window that a 429 closed is open again. */
  closedFor(now: number): number;
  /** Whether only one request at a time may be under way: the limit could be hit otherwise. */
  narrow(operation: string, concurrency: number, now: number): boolean;
  /** Requests remaining in the minute as the headers tell, else as our own count does; undefined if neither does. */
  remaining(operation: string, now: number): number | undefined;
}

interface Seen {
  remaining: number;
  /** ms since the epoch by our clock, at which the window resets. */
  resetAt: number;
  window: 'minute' | 'day' | undefined;
}

/**
 * @param limits the plan's figures as far as they are known; read anew each time, since the headers may tell them
 */
export function keepPace(limits: () => PlanLimits | undefined): Pace {
  const seen = new Map<string, Seen>();
  let latest: Seen | undefined;
  let closedUntil = 0;
  let underWay = 0;
  /** Times at which requests with the key were answered, within the last minute. */
  let counted: number[] = [];

  /** The most pessimistic of what is known: of this operation, and of whatever was answered last. */
  function known(operation: string, now: number): Seen | undefined {
    const own = [seen.get(operation), latest].filter(
      (each): each is Seen => each !== undefined && each.resetAt > now,
    );
    return own.sort((left, right) => left.remaining - right.remaining)[0];
  }

  function ownCount(now: number): number {
    counted = counted.filter((time) => time > now - (MINUTE + ROUNDING) * 1000);
    return counted.length;
  }

  function remaining(operation: string, now: number): number | undefined {
    const stated = known(operation, now);
    const minute = limits()?.minute;
    const own = minute === undefined ? undefined : Math.max(0, minute - ownCount(now));
    if (stated?.window === 'minute') return stated.remaining;
    return stated === undefined ? own : Math.min(stated.remaining, own ?? stated.remaining);
  }

  return {
    sending() {
      underWay += 1;
    },
    received(exchange) {
      underWay -= 1;
      const { response, rate, operation, receivedAt } = exchange;
      if (response?.status === 429) {
        const seconds = rate.retryAfter ?? Math.max(secondsToReset(exchange) ?? 0, UNSTATED);
        closedUntil = Math.max(closedUntil, receivedAt + (seconds + ROUNDING) * 1000);
      } else if (response) {
        counted.push(receivedAt);
      }
      const away = secondsToReset(exchange);
      if (response && rate.remaining !== undefined && away !== undefined) {
        latest = {
          remaining: rate.remaining,
          resetAt: receivedAt + (away + ROUNDING) * 1000,
          window: windowOf(exchange, limits()),
        };
        seen.set(operation, latest);
      }
    },
    closedFor: (now) => Math.max(0, closedUntil - now),
    wait(operation, now) {
      const closed = Math.max(0, closedUntil - now);
      if (closed > 0) return { ms: closed, why: 'the limit was exceeded; Retry-After asks to wait' };
      const left = remaining(operation, now);
      if (left === undefined || left - underWay > 0) return { ms: 0, why: '' };
      const stated = known(operation, now);
      if (stated && stated.remaining - underWay <= 0)
        return { ms: stated.resetAt - now, why: 'the limit is used up; it resets' };
      return {
        ms: (counted[0] ?? now) + (MINUTE + ROUNDING) * 1000 - now,
        why: 'the limit of the plan is used up',
      };
    },
    narrow(operation, concurrency, now) {
      const left = remaining(operation, now);
      return left !== undefined && left <= concurrency + underWay;
    },
    remaining,
  };
}
