import type { Address, RatePlan } from '../../model/contract.ts';
import type { Exchange, RateLimit } from '../../model/exchange.ts';
import { DAY_S, MINUTE_S, secondsToReset, type Window, windowOf } from '../../model/rate-plan.ts';

/** Seconds added to what a server states: times in whole seconds may be rounded either way. */
const ROUNDING = 1;

/** Seconds that a window stays closed for us after a 429 that does not say how long. */
const UNSTATED = MINUTE_S;

/** What a request is for, as far as its limit goes. */
export interface Way {
  operation: string;
  address: Address;
}

/** What the session knows of the limiter: when the next request with the key may go. */
export interface Pace {
  /** A request is about to be sent. */
  sending(way: Way, withKey: boolean): void;
  /** Something came back. */
  received(exchange: Exchange): void;
  /** ms until a request with the key may go, with the reason; 0: now. */
  wait(way: Way, now: number): { ms: number; why: string };
  /** ms until the window that a 429 closed is open again. */
  closedFor(now: number): number;
  /** Whether only one request at a time may be under way: the limit could be hit otherwise. */
  narrow(way: Way, concurrency: number, now: number): boolean;
  /** Requests remaining in the minute as the headers tell, else as our own count does; undefined if neither does. */
  remaining(way: Way, now: number): number | undefined;
}

interface Seen {
  remaining: number;
  /** ms since the epoch by our clock, at which the window resets as it is stated; and until when it is waited for. */
  statedAt: number;
  resetAt: number;
  window: Window | undefined;
  limit: number | undefined;
}

/** What is known of one address: its counts need not be those of the other. */
interface Side {
  latest?: Seen;
  readonly byOperation: Map<string, Seen>;
  underWay: number;
  /** Requests with wrong keys since `latest`: a service may count them. */
  uncertain: number;
  /** What the last requests used up of Remaining, each: more than 1 where others use the key as well. */
  cost: number;
  /** Remaining at the start of a stretch in which it only fell, and the answers since. */
  stretch: { from: number; answers: number };
  /** A wait for the reset that Remaining 0 came with: from when until when, ms since the epoch. */
  waited?: { from: number; until: number };
  /** Remaining was 0 again right after its reset, without a 429: until one comes it tells nothing. */
  isMisleading: boolean;
  /** When requests with the key were answered within the last minute, oldest first, from `oldest` on. */
  answered: number[];
  oldest: number;
}

/** What a request uses up, over the stretch in which Remaining only fell. */
function costOf(side: Side, remaining: number): number {
  if (!side.latest || remaining > side.latest.remaining + side.underWay)
    side.stretch = { from: remaining, answers: 0 };
  else side.stretch.answers += 1;
  const { from, answers } = side.stretch;
  return answers === 0 ? 1 : Math.max(1, Math.ceil((from - remaining) / (answers + side.underWay)));
}

/** Whether any honest limiter has given back more than the one request that follows a wait. */
function hasRefilled({ from, until }: { from: number; until: number }, { limit }: RateLimit): boolean {
  const seconds = (until - from) / 1000;
  return limit === undefined || limit === 0 ? seconds >= MINUTE_S / 2 : (limit * seconds) / MINUTE_S >= 2;
}

/**
 * @param limits the plan's figures as far as they are known; read anew each time, since the headers may tell them
 */
export function keepPace(limits: () => RatePlan | undefined): Pace {
  const newSide = (): Side => ({
    byOperation: new Map(),
    underWay: 0,
    uncertain: 0,
    isMisleading: false,
    cost: 1,
    stretch: { from: 0, answers: 0 },
    answered: [],
    oldest: 0,
  });
  const sides: Record<Address, Side> = { baseUrl: newSide(), apiUrl: newSide() };
  let closedUntil = 0;
  /** What went through in the minute before a refusal, where nothing else tells the requests per minute. */
  let learnt: number | undefined;

  /** The most pessimistic of what is known: of this operation, and of whatever was answered last. */
  function known({ operation, address }: Way, now: number): Seen | undefined {
    const { latest, byOperation, isMisleading } = sides[address];
    if (isMisleading) return undefined;
    const open = [byOperation.get(operation), latest].filter(
      (each): each is Seen => each !== undefined && each.resetAt > now,
    );
    return open.sort((left, right) => left.remaining - right.remaining)[0];
  }

  /** Requests per minute: the plan's figure, else what headers that describe a minute said last. */
  function minuteFigure({ latest, isMisleading }: Side): number | undefined {
    const told = latest?.window === 'minute' && !isMisleading ? latest.limit : undefined;
    // A limit of 0 lets nothing through.
    return limits()?.minute ?? (told || learnt);
  }

  function ownCount(side: Side, now: number): number {
    while ((side.answered[side.oldest] ?? now) <= now - (MINUTE_S + ROUNDING) * 1000) side.oldest += 1;
    // The list is cut now and then, so that it holds a minute's worth however long a run is.
    if (side.oldest > 10_000) side.answered = side.answered.slice(side.oldest);
    if (side.answered.length < side.oldest) side.oldest = 0;
    return side.answered.length - side.oldest;
  }

  function remaining(way: Way, now: number): number | undefined {
    const stated = known(way, now);
    if (stated?.window === 'minute') return stated.remaining;
    const minute = minuteFigure(sides[way.address]);
    const own = minute === undefined ? undefined : Math.max(0, minute - ownCount(sides[way.address], now));
    return stated === undefined ? own : Math.min(stated.remaining, own ?? stated.remaining);
  }

  return {
    sending({ address }, withKey) {
      const side = sides[address];
      if (withKey) side.underWay += 1;
      else side.uncertain += 1;
    },
    received(exchange) {
      const { response, rate, operation, address, receivedAt, key } = exchange;
      const side = sides[address];
      const away = secondsToReset(exchange);
      if (response?.status === 429) {
        side.isMisleading = false;
        if ((rate.retryAfter ?? DAY_S) <= MINUTE_S && key === 'valid')
          learnt ??= Math.max(1, ownCount(side, receivedAt));
        const seconds = rate.retryAfter ?? Math.max(away ?? 0, UNSTATED);
        closedUntil = Math.max(closedUntil, receivedAt + (seconds + ROUNDING) * 1000);
      }
      if (key !== 'valid') return;
      side.underWay -= 1;
      if (response && response.status !== 429) side.answered.push(receivedAt);
      if (response && side.waited && exchange.sentAt >= side.waited.until) {
        side.isMisleading ||=
          response.status !== 429 && rate.remaining === 0 && hasRefilled(side.waited, rate);
        delete side.waited;
      }
      if (response && rate.remaining !== undefined && away !== undefined) {
        const window = windowOf(exchange, limits());
        // A sliding window is full again later than it lets the next request through: a minute is enough to look.
        const wait = window === 'minute' ? Math.min(away, MINUTE_S) : away;
        const resetAt = receivedAt + (wait + ROUNDING) * 1000;
        side.cost = costOf(side, rate.remaining);
        const statedAt = receivedAt + away * 1000;
        side.latest = { remaining: rate.remaining, statedAt, resetAt, window, limit: rate.limit };
        side.byOperation.set(operation, side.latest);
        side.uncertain = 0;
      }
    },
    closedFor: (now) => Math.max(0, closedUntil - now),
    wait(way, now) {
      const closed = Math.max(0, closedUntil - now);
      if (closed > 0) return { ms: closed, why: 'the limit was exceeded; Retry-After asks to wait' };
      const side = sides[way.address];
      const left = remaining(way, now);
      if (left === undefined || left - side.underWay * side.cost > 0) return { ms: 0, why: '' };
      const stated = known(way, now);
      if (stated && stated.remaining - side.underWay * side.cost <= 0) {
        side.waited = { from: now, until: stated.statedAt };
        return { ms: stated.resetAt - now, why: 'the limit is used up; it resets' };
      }
      const oldest = side.answered[side.oldest] ?? now;
      return { ms: oldest + (MINUTE_S + ROUNDING) * 1000 - now, why: 'the limit of the plan is used up' };
    },
    narrow(way, concurrency, now) {
      const side = sides[way.address];
      // Its first answer tells what is left at an address: it may share the limit of another one.
      if (!side.latest && side.answered.length === 0) return true;
      // The window that was known is over: how much came back, the next answer tells.
      if (side.latest && side.latest.resetAt <= now) return true;
      const minute = minuteFigure(side);
      // Headers may lie: for this, our own count is heeded as well.
      const own = minute === undefined ? undefined : minute - ownCount(side, now);
      const left = Math.min(remaining(way, now) ?? Number.POSITIVE_INFINITY, own ?? Number.POSITIVE_INFINITY);
      return left - side.uncertain <= (concurrency + side.underWay) * side.cost;
    },
    remaining,
  };
}
