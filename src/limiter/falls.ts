import { min, mode, pairs } from 'd3-array';
import { type Exchange, isSuccess } from '../model/exchange.ts';
import { addTo } from '../model/large/lookups.ts';
import { rememberingEach } from '../model/remembering.ts';
import type { Observation } from './models/model.ts';

/** A pause (ms) between a response and the next request in which petspec saw nothing of the limit. */
export const PAUSE_MS = 1_000;

/** Overlapping requests of one count, and how many requests the run had sent before them and until their end. */
export interface Turn {
  exchanges: readonly Exchange[];
  before: number;
  sent: number;
}

/**
 * The exchanges of one count, divided where no request of the run was in flight. Requests outside of the count are added to the
 * numbers of sent requests, too: what they may have used up was not used by other clients.
 * @param isUncounted whether a request is known not to be counted
 */
export function inTurns(
  exchanges: readonly Exchange[],
  isCounted: (exchange: Exchange) => boolean,
  isUncounted: (exchange: Exchange) => boolean = () => false,
): Turn[] {
  const turns: { exchanges: Exchange[]; before: number; sent: number }[] = [];
  let until = Number.NEGATIVE_INFINITY;
  /** Requests that were sent twice, less those that are not counted. */
  let more = 0;
  for (const exchange of [...exchanges].sort((a, b) => a.id - b.id)) {
    const { id, sentAt, receivedAt } = exchange;
    if (sentAt >= until) turns.push({ exchanges: [], before: id - 1 + more, sent: 0 });
    until = Math.max(until, receivedAt);
    more += (exchange.isRepeated ? 1 : 0) - (isUncounted(exchange) ? 1 : 0);
    const turn = turns.at(-1);
    if (!turn) continue;
    // By the id, as a long exhaustion does not keep all of its exchanges.
    turn.sent = id + more;
    if (isCounted(exchange)) turn.exchanges.push(exchange);
  }
  return turns;
}

/** The Remaining of a turn. */
export interface TurnRemaining {
  first: Exchange;
  isAlone: boolean;
  remaining: number;
  /** How many requests of the run were counted by then, at least. */
  counted: number;
  /** The same, at most. */
  sent: number;
  /** The operations and statuses of the responses. */
  kind: string;
}

/** The lowest Remaining of a turn. A 429 is left out, as it may come too early. */
export function toldBy({ exchanges, before, sent }: Turn): TurnRemaining | undefined {
  const telling = exchanges.filter(
    ({ key, variation, response, rate }) =>
      key === 'valid' && !variation && response?.status !== 429 && rate.remaining !== undefined,
  );
  const [first] = exchanges;
  if (!first || telling.length === 0) return undefined;
  const remaining = min(telling, ({ rate }) => rate.remaining) ?? 0;
  const kind = telling.map(({ operation, response }) => `${operation} ${response?.status}`).join();
  const counted = before + telling.length;
  return { first, isAlone: exchanges.length === 1, remaining, counted, sent, kind };
}

export function fellBetween(before: TurnRemaining, after: TurnRemaining): number {
  return before.remaining - after.remaining;
}

/** A fall of Remaining from one turn to the next. */
export interface Fall {
  /** By how much it exceeds the number of responses with the key. */
  excess: number;
  /** Requests with a wrong key meanwhile. */
  wrongKeys: number;
}

/** The falls of Remaining between successive turns that tell it. */
export function fallsOf(exchanges: readonly Exchange[], isCounted: (exchange: Exchange) => boolean): Fall[] {
  const falls: Fall[] = [];
  let before: TurnRemaining | undefined;
  let since: Exchange[] = [];
  for (const turn of inTurns(exchanges, isCounted)) {
    for (const exchange of turn.exchanges) since.push(exchange);
    const reading = toldBy(turn);
    if (!reading) continue;
    const withKey = since.filter(({ key, response }) => key === 'valid' && response?.status !== 429);
    const wrongKeys = since.filter(({ key }) => key !== 'valid').length;
    const fall = before ? fellBetween(before, reading) : -1;
    // Remaining rises when a window ends.
    if (fall >= 0) falls.push({ excess: fall - withKey.length, wrongKeys });
    before = reading;
    since = [];
  }
  return falls;
}

/** By how much Remaining fell for each request that was sent alone. */
export interface FallsAlone {
  ofKind: ReadonlyMap<string, readonly number[]>;
  ofOperation: ReadonlyMap<string, readonly number[]>;
}

/** The falls of Remaining between two successive requests that were sent alone. Remembered, as every model is tried with them. */
export const fallsAlone = rememberingEach((inTurn: readonly Observation[]): FallsAlone => {
  const [ofKind, ofOperation] = [new Map<string, number[]>(), new Map<string, number[]>()];
  for (const [earlier, { exchange, kind, outcome, remaining }] of pairs(inTurn)) {
    const isAlone = [exchange, earlier.exchange].every(({ burst, inFlight }) => !burst && inFlight === 1);
    // After a pause, a window may have ended.
    const isNext = exchange.sentAt - earlier.exchange.receivedAt < PAUSE_MS;
    if (
      !isAlone ||
      !isNext ||
      outcome !== 'let-through' ||
      earlier.remaining === undefined ||
      remaining === undefined
    )
      continue;
    const fall = earlier.remaining - remaining;
    if (fall < 0) continue;
    addTo(ofKind, kind, fall);
    // What is not accepted may be free, and then says nothing of what is.
    if (fall > 0 || isSuccess(exchange)) addTo(ofOperation, exchange.operation, fall);
  }
  return { ofKind, ofOperation };
});

/** By how much Remaining falls most often for a request of a kind, else of its operation; undefined if none was sent alone. */
export function usualFall(
  { ofKind, ofOperation }: FallsAlone,
  kind: string,
  operation: string,
): number | undefined {
  const falls = ofKind.get(kind) ?? ofOperation.get(operation);
  return falls && modeOf(falls);
}

/** Remembered, as every step of a search asks for it. */
const modeOf = rememberingEach((falls: readonly number[]) => mode(falls));

/** Requests that were sent while Remaining did not rise, and by how much it fell at least. */
interface Stretch {
  fallen: number;
  withKey: number;
  wrongKeys: number;
}

/** With fewer wrong keys, overlapping requests may explain the fall. */
const TELLING = 4;

/**
 * Whether requests with a wrong key seem to take one off: in every stretch with several of them, Remaining fell by more than the
 * requests with the key explain. A search tries first what seems so, then the opposite.
 * @param inTurn in the order in which they were sent
 */
export const seemsCounted = rememberingEach((inTurn: readonly Observation[]): boolean => {
  const telling = stretchesOf(inTurn).filter(({ wrongKeys }) => wrongKeys >= TELLING);
  return (
    telling.length > 0 && telling.every(({ fallen, withKey, wrongKeys }) => fallen - withKey > wrongKeys / 2)
  );
});

function stretchesOf(inTurn: readonly Observation[]): Stretch[] {
  const stretches: Stretch[] = [];
  let first: number | undefined;
  let lowest = Number.POSITIVE_INFINITY;
  let [fallen, withKey, wrongKeys] = [0, 0, 0];
  for (const { outcome, remaining, exchange, beside } of inTurn) {
    if (exchange.key !== 'valid') wrongKeys += 1;
    else if (outcome === 'let-through') withKey += 1;
    if (remaining === undefined) continue;
    // Overlapping requests may be counted before or after this one.
    if (first === undefined || remaining > lowest + beside) {
      [first, lowest, fallen, withKey, wrongKeys] = [remaining, remaining, 0, 0, 0];
      stretches.push({ fallen, withKey, wrongKeys });
      continue;
    }
    lowest = Math.min(lowest, remaining);
    fallen = Math.max(fallen, first - remaining - beside);
    stretches[stretches.length - 1] = { fallen, withKey, wrongKeys };
  }
  return stretches;
}
