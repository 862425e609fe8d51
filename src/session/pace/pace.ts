import type { Address, RatePlan } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import { DAY_S, MINUTE_S, secondsToReset } from '../../model/limits/rate-plan.ts';
import { AddressLimit, MARGIN_S, type OwnCount } from './address-limit.ts';

/** Seconds that a window stays closed after a 429 that does not say how long. */
const DEFAULT_RETRY_S = MINUTE_S;

/** Where a request goes: operations and addresses may have limits of their own. */
export interface Destination {
  operation: string;
  address: Address;
}

/** When the next request with the key may be sent, by what the session knows about the limiter. */
export class Pace {
  readonly #limits: () => RatePlan | undefined;
  readonly #onMisleading: () => void;
  readonly #byAddress = new Map<Address, AddressLimit>();
  #closedUntil = 0;
  #whyClosed = '';
  /** The limit that the latest refusals showed, if nothing else states a limit. */
  #observed: { requests: number; periodMs: number } | undefined;

  /**
   * @param limits the limits of the key as far as they are known; called each time, because headers may state them
   * @param onMisleading called when the headers still say after waits for a reset that nothing remains, although nothing is
   * refused
   */
  constructor(limits: () => RatePlan | undefined, onMisleading: () => void = () => {}) {
    this.#limits = limits;
    this.#onMisleading = onMisleading;
  }

  /** Notes that the run waits for a window to end, whatever remains of the window. */
  waiting({ address }: Destination, from: number, until: number): void {
    this.#at(address).waiting(from, until);
  }

  #at(address: Address): AddressLimit {
    const limit = this.#byAddress.get(address) ?? new AddressLimit();
    this.#byAddress.set(address, limit);
    return limit;
  }

  received(exchange: Exchange): void {
    const limit = this.#at(exchange.address);
    if (exchange.response?.status === 429) {
      limit.refused();
      this.#refused(exchange, limit);
    }
    const wasMisleading = limit.isMisleading;
    if (exchange.key === 'valid') limit.received(exchange, this.#limits());
    if (limit.isMisleading && !wasMisleading) this.#onMisleading();
  }

  #refused(exchange: Exchange, { count }: AddressLimit): void {
    const { rate, key, receivedAt } = exchange;
    if (key === 'valid') this.#observe(exchange, count);
    const seconds = rate.retryAfter ?? Math.max(secondsToReset(exchange) ?? 0, DEFAULT_RETRY_S);
    const until = receivedAt + (seconds + MARGIN_S) * 1000;
    if (until <= this.#closedUntil) return;
    this.#closedUntil = until;
    const what = key === 'valid' ? 'the limit was exceeded' : 'a wrong key got 429';
    this.#whyClosed =
      rate.retryAfter === undefined
        ? `${what}, and no valid Retry-After says how long to wait`
        : `${what}; Retry-After asks to wait`;
  }

  /** A refusal shows how many requests are let through between the end of the last refusal and the end of its Retry-After. */
  #observe({ rate, sentAt, receivedAt }: Exchange, count: OwnCount): void {
    const { retryAfter = DAY_S } = rate;
    // Of requests that were sent at the same time, the first refusal counts.
    if (retryAfter > MINUTE_S || sentAt < this.#closedUntil) return;
    const answered = count.after(this.#closedUntil, receivedAt);
    const [first = receivedAt] = answered;
    const seconds = Math.min(MINUTE_S, (receivedAt - first) / 1000 + retryAfter);
    this.#observed = { requests: Math.max(1, answered.length), periodMs: (seconds + MARGIN_S) * 1000 };
  }

  /** ms until the window that a 429 closed is open again. */
  closedFor(now: number): number {
    return Math.max(0, this.#closedUntil - now);
  }

  get whyClosed(): string {
    return this.#whyClosed;
  }

  /** ms until a request with the key may be sent, and why; 0: now. */
  wait(to: Destination, now: number): { ms: number; why: string } {
    const closed = this.closedFor(now);
    if (closed > 0) return { ms: closed, why: this.#whyClosed };
    const limit = this.#at(to.address);
    const left = this.remaining(to, now);
    if (left === undefined || left > 0) return { ms: 0, why: '' };
    const stated = limit.tightest(to.operation, now);
    if (stated && stated.remaining <= 0) {
      const until = limit.waitUntil(stated, now);
      limit.waiting(now, Math.max(stated.statedAt, until - MARGIN_S * 1000));
      return { ms: until - now, why: 'the limit is used up until it resets' };
    }
    const { count } = limit;
    if (this.#perMinute(limit) !== undefined)
      return { ms: count.msUntilLess(now), why: 'the limit of the plan is used up' };
    return {
      ms: count.msUntilLess(now, this.#observed?.periodMs),
      why: 'as many requests were sent as before the last 429',
    };
  }

  /** Requests left in the window, by the headers, else by our own count; undefined if neither tells. */
  remaining({ operation, address }: Destination, now: number): number | undefined {
    const limit = this.#at(address);
    const stated = limit.tightest(operation, now);
    if (stated?.window === 'minute') return stated.remaining;
    const left = this.#ownRemaining(limit, now);
    const counted = left === undefined ? undefined : Math.max(0, left);
    return stated === undefined ? counted : Math.min(stated.remaining, counted ?? stated.remaining);
  }

  /** The limit less our own requests; below 0 if more were let through. */
  #ownRemaining(limit: AddressLimit, now: number): number | undefined {
    const perMinute = this.#perMinute(limit);
    if (perMinute !== undefined) return perMinute - limit.count.at(now);
    return this.#observed && this.#observed.requests - limit.count.within(this.#observed.periodMs, now);
  }

  /** The limit per minute, as far as the plan or a header states it. */
  #perMinute({ statedPerMinute }: AddressLimit): number | undefined {
    return this.#limits()?.minute ?? statedPerMinute;
  }
}
