import type { RatePlan } from '../../model/contract.ts';
import type { Exchange, RateLimit } from '../../model/exchange.ts';
import { MINUTE_S, secondsToReset, type Window, windowOf } from '../../model/rate-plan.ts';
import { OwnCount } from './own-count.ts';

/** Seconds added to what a server states: it may round times in whole seconds either way. */
export const MARGIN_S = 1;

/** What the headers of a response say about the current window. */
export interface StatedWindow {
  window: Window | undefined;
  limit: number | undefined;
  remaining: number;
  /** ms since the epoch by our clock: when the window resets, and until when petspec waits for that. */
  statedAt: number;
  resetAt: number;
}

/** What a run knows about the limit at one address, from the headers and from its own count. */
export class AddressLimit {
  latest: StatedWindow | undefined;
  readonly count = new OwnCount((MINUTE_S + MARGIN_S) * 1000);
  /** Remaining was 0 right after its reset, but no 429 followed: until one does, the headers are not believed. */
  isMisleading = false;
  readonly #byOperation = new Map<string, StatedWindow>();
  /** A wait for a reset because Remaining was 0, in ms since the epoch. */
  #waited: { from: number; until: number } | undefined;

  /** The window that has the least remaining: as the operation states it, or the latest response. */
  tightest(operation: string, now: number): StatedWindow | undefined {
    if (this.isMisleading) return undefined;
    const open = [this.#byOperation.get(operation), this.latest].filter(
      (each): each is StatedWindow => each !== undefined && each.resetAt > now,
    );
    return open.sort((left, right) => left.remaining - right.remaining)[0];
  }

  /** Requests per minute, if the latest headers describe a minute. A limit of 0 would let nothing through. */
  get statedPerMinute(): number | undefined {
    const isStated = this.latest?.window === 'minute' && !this.isMisleading;
    return (isStated ? this.latest?.limit : undefined) || undefined;
  }

  waiting(from: number, until: number): void {
    this.#waited = { from, until };
  }

  /** Takes a response to a request with the key. */
  received(exchange: Exchange, limits: RatePlan | undefined): void {
    const { response, rate, receivedAt } = exchange;
    if (!response) return;
    if (response.status !== 429) this.count.add(receivedAt);
    // It may have been counted apart.
    if (exchange.variation) return;
    this.#checkWait(exchange);
    const away = secondsToReset(exchange);
    if (rate.remaining === undefined || away === undefined) return;
    const window = windowOf(exchange, limits);
    // A sliding window lets the next request through before it is full again: a minute is enough to look.
    const wait = window === 'minute' ? Math.min(away, MINUTE_S) : away;
    this.latest = {
      window,
      limit: rate.limit,
      remaining: rate.remaining,
      statedAt: receivedAt + away * 1000,
      resetAt: receivedAt + (wait + MARGIN_S) * 1000,
    };
    this.#byOperation.set(exchange.operation, this.latest);
  }

  #checkWait({ response, rate, sentAt }: Exchange): void {
    if (!this.#waited || sentAt < this.#waited.until) return;
    this.isMisleading ||= response?.status !== 429 && rate.remaining === 0 && hasRefilled(this.#waited, rate);
    this.#waited = undefined;
  }
}

/** Whether every honest limiter has given back more than the one request that follows a wait. */
function hasRefilled({ from, until }: { from: number; until: number }, { limit }: RateLimit): boolean {
  const seconds = (until - from) / 1000;
  return limit === undefined || limit === 0 ? seconds >= MINUTE_S / 2 : (limit * seconds) / MINUTE_S >= 2;
}
