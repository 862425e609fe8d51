import type { Exchange } from '../../../model/exchange.ts';
import { announcedBurst } from '../../../model/limits/rate-limit.ts';
import { MINUTE_S, NEXT_WINDOW_S, secondsToReset } from '../../../model/limits/rate-plan.ts';
import { MAX_AGE_MS } from '../room/limited-operation.ts';

/** If Remaining stays the same for this many responses, the limit does not count the repeated request. */
const MAX_UNCOUNTED = 4;

interface HeaderFigures {
  reset: number | undefined;
  remaining: number | undefined;
}

/**
 * Whether a response belongs to a later window than the one before it.
 * @param jump a rise of Remaining by more than this is not explained by the order of responses
 */
function isNextWindow(exchange: Exchange, before: HeaderFigures | undefined, jump: number): boolean {
  const { remaining, reset } = exchange.rate;
  const rise =
    remaining === undefined || before?.remaining === undefined ? undefined : remaining - before.remaining;
  // The Reset of a bucket moves with each request that is counted, that of a day by minutes.
  if (reset !== undefined && before?.reset !== undefined && reset - before.reset >= NEXT_WINDOW_S)
    return rise === undefined || rise >= 0;
  // Without a plausible Reset, a Remaining that jumps up shows the next window.
  return (secondsToReset(exchange) ?? 0) <= 0 && rise !== undefined && rise > exchange.inFlight + jump;
}

/** Whether a request lowered Remaining. A rise is a refill, which says nothing about the request. */
function isLower(remaining: number | undefined, before: number | undefined): boolean {
  return remaining !== undefined && before !== undefined && remaining < before;
}

/** Counts what an exhaustion has used up of a window, and notices where the next window begins. */
export class WindowUse {
  readonly #limit: number;
  /** Windows that ended before the limit was reached. */
  ended = 0;
  /** ms since the epoch: when this window began for us, and the requests since. */
  #since: number;
  #sent = 0;
  /** Requests that Remaining promised when this window began for us; undefined before the first response. */
  #promised: number | undefined;
  /** ms since the epoch: since when Remaining is 0, and the requests that were let through after that. */
  #zeroSince: number | undefined;
  #over = 0;
  /** The last figures by Limit, as the headers may describe the minute and the day in turn. */
  readonly #lastByLimit = new Map<number | undefined, HeaderFigures>();
  #last: HeaderFigures | undefined;
  /** Requests that the service announces on top of its limit. */
  #burst = 0;
  /** How often Remaining did not fall since the first response; undefined once it has. */
  #uncounted: number | undefined;
  /** ms since the epoch: from the first response with this Remaining to the last. */
  #firstAt = 0;
  #lastAt = 0;

  constructor(limit: number, now: number) {
    this.#limit = limit;
    this.#since = now;
  }

  /**
   * Counts a request that was let through.
   * @param beside requests that still have no response
   */
  add(exchange: Exchange, beside: number): void {
    const { sentAt, receivedAt, inFlight, variation } = exchange;
    const { limit, remaining, reset } = exchange.rate;
    if (variation) {
      // A varied request may be counted separately, so its figures say nothing about this window.
      this.#sent += 1;
      return;
    }
    const before = this.#lastByLimit.get(limit);
    if (isNextWindow(exchange, before, this.#limit / 4)) this.#begin(sentAt);
    this.#burst = Math.max(this.#burst, announcedBurst([exchange]));
    this.#lastAt = receivedAt;
    if (this.#sent === 0) {
      this.#uncounted = 0;
      this.#firstAt = receivedAt;
    } else if (this.#uncounted !== undefined && !isLower(remaining, before?.remaining)) this.#uncounted += 1;
    else this.#uncounted = undefined;
    this.#last = { reset: reset ?? before?.reset, remaining: remaining ?? before?.remaining };
    this.#lastByLimit.set(limit, this.#last);
    this.#sent += 1;
    // Responses may arrive in another order than the limiter counted the requests, with a later Remaining.
    const counted = Math.max(inFlight, 1 + beside);
    if (remaining !== undefined) this.#promised ??= Math.min(remaining + counted, this.#limit);
    if (this.#zeroSince !== undefined && sentAt >= this.#zeroSince) this.#over += 1;
    this.#zeroSince = remaining === 0 ? (this.#zeroSince ?? receivedAt) : undefined;
    // A refill covers the requests that were let through before.
    if (this.#zeroSince === undefined) this.#over = 0;
  }

  #begin(now: number): void {
    this.#since = now;
    this.#sent = 0;
    this.#promised = undefined;
    this.#zeroSince = undefined;
    this.#over = 0;
    this.ended += 1;
  }

  /** Whether the limit does not count the repeated request: neither a refill nor its age explains why Remaining stays. */
  isUncounted(now: number): boolean {
    return this.#staysSame(now) && this.#lastAt - this.#firstAt >= MAX_AGE_MS;
  }

  /** ms until a Remaining that stays the same can no longer be an old one; 0 if it changes. */
  msUntilNew(now: number): number {
    return this.#staysSame(now) ? Math.max(0, this.#firstAt + MAX_AGE_MS - now) : 0;
  }

  /** Whether Remaining has fallen since the first response: the limit counts the repeated request. */
  get isCounted(): boolean {
    return this.#sent > 0 && this.#uncounted === undefined;
  }

  #staysSame(now: number): boolean {
    const uncounted = this.#uncounted ?? 0;
    return (
      uncounted >= MAX_UNCOUNTED &&
      (this.#last?.remaining ?? 0) > 0 &&
      uncounted > this.#refill(this.#since, now)
    );
  }

  /**
   * Whether more was let through than an honest limiter lets through, its refill included.
   * @param isCountedDown whether Remaining says how much is left
   * @param more further requests that count as let through
   */
  isExceeded(isCountedDown: boolean, now: number, more: number): boolean {
    const sent = this.#sent + more - this.#burst;
    const refill = this.#refill(this.#since, now);
    if (!isCountedDown) return sent > 2 * this.#limit + refill;
    if (this.#zeroSince !== undefined && this.#over > this.#burst + this.#refill(this.#zeroSince, now))
      return true;
    return sent > (this.#promised ?? this.#limit) + refill + 1;
  }

  /** The requests that an honest limiter may give back since then; rounded up, because it rounds Remaining down. */
  #refill(since: number, now: number): number {
    return Math.ceil((this.#limit * (now - since)) / 1000 / MINUTE_S);
  }
}
