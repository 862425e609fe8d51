import { MINUTE_S } from '../../model/rate-plan.ts';
import type { Observation } from '../models/model.ts';

/** No more requests than this are in flight at a time, for the order in which they may have been counted. */
export const MAX_IN_FLIGHT = 64;

/** The Resets of fixed windows are a minute apart at least; that of a sliding counter may change by half of one (s). */
const NEXT_RESET_S = (3 / 4) * MINUTE_S;

/** So many of the simultaneous requests that tell Remaining are tried as the next one: of so many, all. */
export const MAX_CHOICES = 8;

/** What may have been counted next at a place, the likeliest first. */
export interface Candidates {
  indices: readonly number[];
  observations: readonly Observation[];
  /** The next one was counted then at the latest, in ms since the epoch. */
  until: number;
}

/** How far a search is. */
type SearchProgress = Pick<SearchPosition, 'first' | 'ahead'>;

export interface Order {
  inTurn: readonly Observation[];
  isBefore: (one: number, other: number) => boolean;
  /** The earlier ones, and the later ones, that were in flight together with one, all by their index. */
  beside: (index: number) => { earlier: ReadonlySet<number>; later: readonly number[] };
  /** Before anything was counted. */
  start: SearchPosition;
  /** Those that a search tries next. */
  nextAt: (place: SearchPosition) => Candidates;
}

/** Every model is tried with the same observations. */
const orders = new WeakMap<readonly Observation[], Order>();

/**
 * The observations in the order in which they were sent, and whether the limiter counted a request before another: its
 * response was there when the other was sent. Those in flight then may have been counted after it.
 */
export function orderOf(observations: readonly Observation[]): Order {
  const known = orders.get(observations);
  if (known) return known;
  const inTurn = [...observations].sort((one, other) => one.exchange.id - other.exchange.id);
  let pending: number[] = [];
  const inFlight = inTurn.map(({ exchange }, index) => {
    const answeredAt = (each: number) => inTurn[each]?.exchange.receivedAt ?? 0;
    // Of those whose response came in the same millisecond, the number in flight tells which were answered before.
    const latestFirst = pending.sort((one, other) => answeredAt(other) - answeredAt(one));
    pending = latestFirst
      .filter((each) => answeredAt(each) >= exchange.sentAt)
      .slice(0, exchange.inFlight - 1);
    const others = new Set(pending);
    pending.push(index);
    return others;
  });
  const later = inTurn.map((): number[] => []);
  for (const [index, earlier] of inFlight.entries()) for (const each of earlier) later[each]?.push(index);
  const isBefore: Order['isBefore'] = (one, other) => one < other && !inFlight[other]?.has(one);
  // Searches come to the same places again and again.
  const nexts = new Map<SearchPosition, Candidates>();
  const order: Order = {
    inTurn,
    isBefore,
    start: SearchPosition.start(),
    nextAt: (place) => {
      const next = nexts.get(place) ?? candidatesAt(inTurn, place, choices(inTurn, place, isBefore));
      nexts.set(place, next);
      return next;
    },
    beside: (index) => ({ earlier: inFlight[index] ?? new Set(), later: later[index] ?? [] }),
  };
  orders.set(observations, order);
  return order;
}

function candidatesAt(
  inTurn: readonly Observation[],
  place: SearchPosition,
  indices: readonly number[],
): Candidates {
  return {
    indices,
    observations: indices.map((index) => inTurn[index] as Observation),
    until: indices.length === 1 ? Number.POSITIVE_INFINITY : countedBy(inTurn, place),
  };
}

/** The observations that may have been counted next. */
function possibleNext(
  inTurn: readonly Observation[],
  { first, ahead }: SearchProgress,
  isBefore: Order['isBefore'],
): number[] {
  const possible: number[] = [first];
  const waiting: number[] = [first];
  for (let index = first + 1; index < inTurn.length && waiting.length < MAX_IN_FLIGHT; index += 1) {
    // Then it was also counted before all later ones.
    if (isBefore(first, index)) break;
    if (ahead.includes(index)) continue;
    if (waiting.every((each) => !isBefore(each, index))) possible.push(index);
    waiting.push(index);
  }
  return possible;
}

/** In the likeliest order: of the older window, and with the most remaining, first; else as they were sent. */
function likeliestFirst(inTurn: readonly Observation[], possible: readonly number[]): number[] {
  if (possible.length === 1) return [...possible];
  const resets = possible.map((each) => inTurn[each]?.exchange.rate.reset ?? Number.POSITIVE_INFINITY);
  const nextWindow = Math.min(...resets) + NEXT_RESET_S;
  const rank = (index: number) => {
    const { exchange, remaining } = inTurn[index] as Observation;
    const isLater = (exchange.rate.reset ?? 0) >= nextWindow;
    return (isLater ? -1e9 : 0) + (remaining ?? -1);
  };
  return [...possible].sort((one, other) => rank(other) - rank(one));
}

/** The few next observations that a search tries. */
export function choices(
  inTurn: readonly Observation[],
  place: SearchProgress,
  isBefore: Order['isBefore'],
): number[] {
  const inOrder = likeliestFirst(inTurn, possibleNext(inTurn, place, isBefore));
  if (inOrder.length === 1) return inOrder;
  const isTold = (index: number) => inTurn[index]?.remaining !== undefined;
  const told = inOrder.filter(isTold);
  const endOf = (index: number) => inTurn[index]?.at.hi ?? 0;
  const untold = inOrder.filter((index) => !isTold(index)).sort((one, other) => endOf(one) - endOf(other));
  // Of those that tell nothing and count alike, the one whose response came first was counted first.
  const ofEachKind = (all: readonly number[]) =>
    all.filter((index, at) => all.findIndex((each) => inTurn[each]?.kind === inTurn[index]?.kind) === at);
  // If requests come back one by one, the one with the least remaining was counted first.
  return [...told.slice(0, MAX_CHOICES), ...told.slice(MAX_CHOICES).slice(-1), ...ofEachKind(untold)];
}

/** When the next one was counted at the latest: each of those that wait was counted before its response came. */
export function countedBy(inTurn: readonly Observation[], { first, ahead }: SearchProgress): number {
  let until = Number.POSITIVE_INFINITY;
  for (let index = first; index < Math.min(first + MAX_IN_FLIGHT, inTurn.length); index += 1)
    if (!ahead.includes(index)) until = Math.min(until, inTurn[index]?.at.hi ?? until);
  return until;
}

/** An observation, counted after those before it and before those that wait. */
export function within(observation: Observation, since: number, until: number): Observation {
  const { at } = observation;
  if (since <= at.lo && until >= at.hi) return observation;
  const lo = Math.max(at.lo, since);
  return { ...observation, at: { lo, hi: Math.max(lo, Math.min(at.hi, until)) } };
}

/**
 * How far a search is: which observations were counted, in whichever order. Many steps are at the same place, so each is made
 * only once for an order.
 */
export class SearchPosition {
  /** The index of the first observation that was not counted yet. */
  readonly first: number;
  /** The indices of later ones that were, in their order. */
  readonly ahead: readonly number[];
  readonly #all: Map<string, SearchPosition>;
  readonly #after = new Map<number, SearchPosition>();

  private constructor(first: number, ahead: readonly number[], all: Map<string, SearchPosition>) {
    this.first = first;
    this.ahead = ahead;
    this.#all = all;
  }

  /** Before anything was counted. */
  static start(): SearchPosition {
    return new SearchPosition(0, [], new Map());
  }

  /** The place after one more was counted. @param index of one that was not counted yet */
  after(index: number): SearchPosition {
    const known = this.#after.get(index) ?? this.#placeAfter(index);
    this.#after.set(index, known);
    return known;
  }

  #placeAfter(index: number): SearchPosition {
    const done = new Set(this.ahead).add(index);
    let first = this.first;
    while (done.delete(first)) first += 1;
    const ahead = [...done].sort((one, other) => one - other);
    const key = `${first},${ahead}`;
    const place = this.#all.get(key) ?? new SearchPosition(first, ahead, this.#all);
    this.#all.set(key, place);
    return place;
  }
}
