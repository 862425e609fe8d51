import type { Address, RatePlan } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import { DAY_S, MINUTE_S, secondsToReset } from '../../model/rate-plan.ts';
import { AddressLimit, MARGIN_S } from './address-limit.ts';

/** Seconds that a window stays closed after a 429 that does not say how long. */
const DEFAULT_RETRY_S = MINUTE_S;

/** Where a request goes: operations and addresses may have limits of their own. */
export interface Destination {
  operation: string;
  address: Address;
}

/** What the session knows about the limiter: when the next request with the key may be sent. */
export class Pace {
  readonly #limits: () => RatePlan | undefined;
  readonly #byAddress = new Map<Address, AddressLimit>();
  #closedUntil = 0;
  /** Requests that went through in the minute before a refusal: the limit, if nothing else states one. */
  #observedPerMinute: number | undefined;

  /** @param limits the limits of the key as far as they are known; called each time, because headers may state them */
  constructor(limits: () => RatePlan | undefined) {
    this.#limits = limits;
  }

  #at(address: Address): AddressLimit {
    const known = this.#byAddress.get(address) ?? new AddressLimit();
    this.#byAddress.set(address, known);
    return known;
  }

  /** A request is about to be sent. */
  sending(address: Address, isWithKey: boolean): void {
    if (isWithKey) this.#at(address).inFlight += 1;
    else this.#at(address).uncertain += 1;
  }

  received(exchange: Exchange): void {
    const known = this.#at(exchange.address);
    if (exchange.response?.status === 429) {
      known.isMisleading = false;
      this.#refused(exchange, known);
    }
    if (exchange.key === 'valid') known.received(exchange, this.#limits());
  }

  #refused(exchange: Exchange, { count }: AddressLimit): void {
    const { rate, key, receivedAt } = exchange;
    if ((rate.retryAfter ?? DAY_S) <= MINUTE_S && key === 'valid')
      this.#observedPerMinute ??= Math.max(1, count.at(receivedAt));
    const seconds = rate.retryAfter ?? Math.max(secondsToReset(exchange) ?? 0, DEFAULT_RETRY_S);
    this.#closedUntil = Math.max(this.#closedUntil, receivedAt + (seconds + MARGIN_S) * 1000);
  }

  /** ms until the window that a 429 closed is open again. */
  closedFor(now: number): number {
    return Math.max(0, this.#closedUntil - now);
  }

  /** ms until a request with the key may be sent, and why; 0: now. */
  wait(to: Destination, now: number): { ms: number; why: string } {
    const closed = this.closedFor(now);
    if (closed > 0) return { ms: closed, why: 'the limit was exceeded; Retry-After asks to wait' };
    const known = this.#at(to.address);
    const inFlight = known.inFlight * known.cost;
    const left = this.remaining(to, now);
    if (left === undefined || left - inFlight > 0) return { ms: 0, why: '' };
    const stated = known.tightest(to.operation, now);
    if (stated && stated.remaining - inFlight <= 0) {
      known.waiting(now, stated.statedAt);
      return { ms: stated.resetAt - now, why: 'the limit is used up until it resets' };
    }
    return { ms: known.count.msUntilLess(now), why: 'the limit of the plan is used up' };
  }

  /** Whether only one request may be in flight at a time, because more could exceed the limit. */
  mustReduceConcurrency(to: Destination, concurrency: number, now: number): boolean {
    const known = this.#at(to.address);
    // The first response tells how much is left at an address: it may share the limit of another one.
    if (!known.latest && known.count.isEmpty) return true;
    // The known window is over: the next response tells how much came back.
    if (known.latest && known.latest.resetAt <= now) return true;
    // The headers may be wrong, so our own count has a say.
    const left = Math.min(
      this.remaining(to, now) ?? Number.POSITIVE_INFINITY,
      this.#ownRemaining(known, now) ?? Number.POSITIVE_INFINITY,
    );
    return left - known.uncertain <= (concurrency + known.inFlight) * known.cost;
  }

  /** Requests left in the minute, by the headers, else by our own count; undefined if neither tells. */
  remaining({ operation, address }: Destination, now: number): number | undefined {
    const known = this.#at(address);
    const stated = known.tightest(operation, now);
    if (stated?.window === 'minute') return stated.remaining;
    const left = this.#ownRemaining(known, now);
    const own = left === undefined ? undefined : Math.max(0, left);
    return stated === undefined ? own : Math.min(stated.remaining, own ?? stated.remaining);
  }

  /** The limit per minute less our own requests; below 0 if more were let through. */
  #ownRemaining({ statedPerMinute, count }: AddressLimit, now: number): number | undefined {
    const perMinute = this.#limits()?.minute ?? statedPerMinute ?? this.#observedPerMinute;
    return perMinute === undefined ? undefined : perMinute - count.at(now);
  }
}
