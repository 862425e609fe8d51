import type { RatePlan } from '../../model/contract.ts';
import type { Exchange, RateLimit } from '../../model/exchange.ts';
import { MINUTE_S, secondsToReset, type Window, windowOf } from '../../model/limits/rate-plan.ts';

/** Seconds added to what a server states: it may round times in whole seconds either way. */
export const MARGIN_S = 1;

/** After this many waits in vain in a row, the run no longer waits for resets. */
const MOST_IN_VAIN = 2;

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
  /** Remaining stayed 0 after its reset, but no 429 came: the headers are not believed until a 429 does. */
  isMisleading = false;
  /** A 429 came while the headers were not believed, so they are right. */
  #isProven = false;
  /** Waits in a row after which Remaining was still 0. */
  #inVain = 0;
  readonly #byOperation = new Map<string, StatedWindow>();
  /** A wait for a reset because Remaining was 0, in ms since the epoch. */
  #waited: { from: number; until: number } | undefined;

  /** The window with the least Remaining: that of the operation's last response, or of the latest response. */
  tightest(operation: string, now: number): StatedWindow | undefined {
    if (this.isMisleading) return undefined;
    const open = [this.#byOperation.get(operation), this.latest].filter(
      (window): window is StatedWindow =>
        window !== undefined && window.resetAt > now && !this.#isFollowed(window, now),
    );
    return open.sort((left, right) => left.remaining - right.remaining)[0];
  }

  /**
   * Whether the window of an earlier response is over: the latest response shows a much later one. Otherwise the margin of its
   * Reset would decide by fractions of a second what is sent next.
   */
  #isFollowed({ statedAt }: StatedWindow, now: number): boolean {
    const isLater = this.latest !== undefined && this.latest.statedAt - statedAt > (MINUTE_S * 1000) / 2;
    return isLater && statedAt - MARGIN_S * 1000 <= now;
  }

  /** Requests per minute, if the latest headers describe a minute. A limit of 0 would let nothing through. */
  get statedPerMinute(): number | undefined {
    const isStated = this.latest?.window === 'minute' && !this.isMisleading;
    return (isStated ? this.latest?.limit : undefined) || undefined;
  }

  waiting(from: number, until: number): void {
    this.#waited = { from, until };
  }

  /**
   * When to send the next request if nothing remains: after the reset. A bucket may have given back only one request by then, so
   * after a wait in vain the next wait lasts until it has given back two, but at most a minute.
   */
  waitUntil({ statedAt, resetAt, limit }: StatedWindow, now: number): number {
    if (this.#inVain === 0) return resetAt;
    const ms = limit ? (2 * MINUTE_S * 1000) / limit : 2 * (statedAt - now);
    return Math.max(resetAt, now + Math.min(ms, MINUTE_S * 1000));
  }

  /** Takes a 429. */
  refused(): void {
    this.#isProven ||= this.isMisleading;
    this.isMisleading = false;
    this.#inVain = 0;
  }

  /** Takes a response to a request with the key. */
  received(exchange: Exchange, limits: RatePlan | undefined): void {
    const { response, rate, receivedAt } = exchange;
    if (!response) return;
    if (response.status !== 429) this.count.add(receivedAt);
    // The limiter may count a varied request separately.
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
    const isInVain = response?.status !== 429 && rate.remaining === 0;
    this.#inVain = isInVain ? this.#inVain + 1 : 0;
    this.isMisleading ||=
      isInVain && !this.#isProven && (this.#inVain >= MOST_IN_VAIN || hasRefilled(this.#waited, rate));
    this.#waited = undefined;
  }
}

/** Whether every honest limiter has given back more than the one request that follows a wait. */
function hasRefilled({ from, until }: { from: number; until: number }, { limit }: RateLimit): boolean {
  const seconds = (until - from) / 1000;
  return limit === undefined || limit === 0 ? seconds >= MINUTE_S / 2 : (limit * seconds) / MINUTE_S >= 2;
}

/** Outdated entries at which the list is cut. */
const MAX_OUTDATED = 10_000;

/** Counts the responses of the last period: the requests that a limiter may still count. */
export class OwnCount {
  readonly #periodMs: number;
  /** ms since the epoch, oldest first. */
  #answered: number[] = [];
  /** Index of the oldest response that counts. */
  #oldest = 0;

  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  add(receivedAt: number): void {
    this.#answered.push(receivedAt);
  }

  at(now: number): number {
    while ((this.#answered[this.#oldest] ?? now) <= now - this.#periodMs) this.#oldest += 1;
    if (this.#oldest > MAX_OUTDATED) {
      this.#answered = this.#answered.slice(this.#oldest);
      this.#oldest = 0;
    }
    return this.#answered.length - this.#oldest;
  }

  /** The times of the responses of the period that came after `from`. */
  after(from: number, now: number): readonly number[] {
    this.at(now);
    return this.#answered.slice(this.#oldest).filter((time) => time > from);
  }

  /** Responses of the last `ms`, which must not exceed the period. */
  within(ms: number, now: number): number {
    return this.#answered.length - this.#firstWithin(ms, now);
  }

  /** How long (ms) until the oldest response of the last `ms` no longer counts. */
  msUntilLess(now: number, ms = this.#periodMs): number {
    return (this.#answered[this.#firstWithin(ms, now)] ?? now) + ms - now;
  }

  /** The index of the oldest response of the last `ms`. */
  #firstWithin(ms: number, now: number): number {
    return this.#answered.findLastIndex((time) => time <= now - ms) + 1;
  }
}
