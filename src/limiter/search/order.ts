import { MINUTE_S } from '../../model/limits/rate-plan.ts';
import { rememberingEach } from '../../model/remembering.ts';
import type { Observation } from '../models/model.ts';

/** At most so many requests in flight at a time are considered. */
export const MAX_IN_FLIGHT = 64;

/** A Reset later by this (s) is that of a later window: fixed windows differ by a minute, a sliding counter's Reset by half of one. */
const NEXT_RESET_S = (3 / 4) * MINUTE_S;

/** At most so many of the simultaneous requests with Remaining are tried as the next one. */
export const MAX_CHOICES = 8;

/** The observations that may have been counted next at a place, the likeliest first. */
export interface Candidates {
  indices: readonly number[];
  observations: readonly Observation[];
  /** When the next one was counted at the latest, in ms since the epoch. */
  until: number;
}

/** Whether an observation was counted before another one, by their indices. */
type IsBefore = (a: number, b: number) => boolean;

type SearchProgress = Pick<SearchPosition, 'first' | 'ahead'>;

export interface Order {
  inTurn: readonly Observation[];
  /** The place before anything was counted. */
  start: SearchPosition;
  /** The observations to try next. */
  nextAt: (place: SearchPosition) => Candidates;
}

/**
 * The observations in the order in which they were sent, and the orders in which they may have been counted: a request was counted
 * before another one if its response had come when the other one was sent. Remembered, as every model is tried with them.
 */
export const orderOf = rememberingEach((observations: readonly Observation[]): Order => {
  const inTurn = [...observations].sort((a, b) => a.exchange.id - b.exchange.id);
  let pending: number[] = [];
  const inFlight = inTurn.map(({ exchange }, index) => {
    const answeredAt = (pendingIndex: number) => inTurn[pendingIndex]?.exchange.receivedAt ?? 0;
    // If responses came in the millisecond of this request, the number in flight tells which came before it.
    const latestFirst = pending.sort((a, b) => answeredAt(b) - answeredAt(a));
    pending = latestFirst
      .filter((pendingIndex) => answeredAt(pendingIndex) >= exchange.sentAt)
      .slice(0, exchange.inFlight - 1);
    const earlier = new Set(pending);
    pending.push(index);
    return earlier;
  });
  const isBefore: IsBefore = (a, b) => a < b && !inFlight[b]?.has(a);
  // Searches come to the same places again and again.
  const candidates = new Map<SearchPosition, Candidates>();
  return {
    inTurn,
    start: SearchPosition.start(),
    nextAt: (place) => {
      const next = candidates.get(place) ?? candidatesAt(inTurn, place, choices(inTurn, place, isBefore));
      candidates.set(place, next);
      return next;
    },
  };
});

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
  isBefore: IsBefore,
): number[] {
  const possible: number[] = [first];
  const waiting: number[] = [first];
  for (let index = first + 1; index < inTurn.length && waiting.length < MAX_IN_FLIGHT; index += 1) {
    // Then the first was also counted before all later ones.
    if (isBefore(first, index)) break;
    if (ahead.includes(index)) continue;
    if (waiting.every((earlier) => !isBefore(earlier, index))) possible.push(index);
    waiting.push(index);
  }
  return possible;
}

/** In the likeliest order: of the older window, with the most remaining, and answered first. */
function likeliestFirst(inTurn: readonly Observation[], possible: readonly number[]): number[] {
  if (possible.length === 1) return [...possible];
  const resets = possible.map((index) => inTurn[index]?.exchange.rate.reset ?? Number.POSITIVE_INFINITY);
  const nextWindow = Math.min(...resets) + NEXT_RESET_S;
  const rank = (index: number) => {
    const { exchange, remaining } = inTurn[index] as Observation;
    const isLater = (exchange.rate.reset ?? 0) >= nextWindow;
    return (isLater ? -1e9 : 0) + (remaining ?? -1);
  };
  const endOf = (index: number) => inTurn[index]?.at.hi ?? 0;
  return [...possible].sort((a, b) => rank(b) - rank(a) || endOf(a) - endOf(b));
}

/** The few observations that a search tries next. */
function choices(inTurn: readonly Observation[], place: SearchProgress, isBefore: IsBefore): number[] {
  const inOrder = likeliestFirst(inTurn, possibleNext(inTurn, place, isBefore));
  if (inOrder.length === 1) return inOrder;
  const hasRemaining = (index: number) => inTurn[index]?.remaining !== undefined;
  const telling = inOrder.filter(hasRemaining);
  const silent = inOrder.filter((index) => !hasRemaining(index));
  const kindOf = (index: number) => inTurn[index]?.kind;
  // Without Remaining, requests of one kind are interchangeable: take the one whose response came first as counted first.
  const firstOfKinds = silent.filter(
    (index, place) => silent.findIndex((earlier) => kindOf(earlier) === kindOf(index)) === place,
  );
  // If requests come back one by one, the one with the lowest Remaining was counted first.
  return [...telling.slice(0, MAX_CHOICES), ...telling.slice(MAX_CHOICES).slice(-1), ...firstOfKinds];
}

/** When the next observation was counted at the latest: every request was counted before its response came. */
function countedBy(inTurn: readonly Observation[], { first, ahead }: SearchProgress): number {
  let until = Number.POSITIVE_INFINITY;
  for (let index = first; index < Math.min(first + MAX_IN_FLIGHT, inTurn.length); index += 1)
    if (!ahead.includes(index)) until = Math.min(until, inTurn[index]?.at.hi ?? until);
  return until;
}

/** The observation with its time limited to after the counted requests and before the waiting ones. */
export function within(observation: Observation, since: number, until: number): Observation {
  const { at } = observation;
  if (since <= at.lo && until >= at.hi) return observation;
  const lo = Math.max(at.lo, since);
  return { ...observation, at: { lo, hi: Math.max(lo, Math.min(at.hi, until)) } };
}

/** Which observations a search has counted, in any order. Many steps share a place, so each place is one object per order. */
export class SearchPosition {
  /** The index of the first observation that was not counted yet. */
  readonly first: number;
  /** The indices of later observations that were, ascending. */
  readonly ahead: readonly number[];
  readonly #places: Map<string, SearchPosition>;
  readonly #after = new Map<number, SearchPosition>();

  private constructor(first: number, ahead: readonly number[], places: Map<string, SearchPosition>) {
    this.first = first;
    this.ahead = ahead;
    this.#places = places;
  }

  static start(): SearchPosition {
    return new SearchPosition(0, [], new Map());
  }

  /** The place after one more observation is counted. @param index of one that is not counted yet */
  after(index: number): SearchPosition {
    const place = this.#after.get(index) ?? this.#placeAfter(index);
    this.#after.set(index, place);
    return place;
  }

  #placeAfter(index: number): SearchPosition {
    const done = new Set(this.ahead).add(index);
    let first = this.first;
    while (done.delete(first)) first += 1;
    const ahead = [...done].sort((a, b) => a - b);
    const key = `${first},${ahead}`;
    const place = this.#places.get(key) ?? new SearchPosition(first, ahead, this.#places);
    this.#places.set(key, place);
    return place;
  }
}
