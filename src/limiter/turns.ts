import { min } from 'd3-array';
import type { Exchange } from '../model/exchange.ts';

/** A pause (ms) between a response and the next request: petspec waited, and saw nothing of the limit meanwhile. */
export const PAUSE_MS = 1_000;

/** Requests of one count that overlap in time, and how many the run had sent before them and until their end. */
export interface Turn {
  exchanges: readonly Exchange[];
  before: number;
  sent: number;
}

/**
 * The exchanges of one count, divided where no request of the run was under way. All that were sent are counted, also
 * those that this count may not know: what they used up is nobody else's use.
 * @param isUncounted whether one is known not to be counted
 */
export function inTurns(
  exchanges: readonly Exchange[],
  isOwn: (exchange: Exchange) => boolean,
  isUncounted: (exchange: Exchange) => boolean = () => false,
): Turn[] {
  const turns: { exchanges: Exchange[]; before: number; sent: number }[] = [];
  let until = Number.NEGATIVE_INFINITY;
  /** Requests that were sent again, less those that are not counted. */
  let more = 0;
  for (const each of [...exchanges].sort((one, other) => one.id - other.id)) {
    if (each.sentAt >= until) turns.push({ exchanges: [], before: each.id - 1 + more, sent: 0 });
    until = Math.max(until, each.receivedAt);
    more += (each.isRepeated ? 1 : 0) - (isUncounted(each) ? 1 : 0);
    const turn = turns.at(-1);
    if (!turn) continue;
    // A long exhaustion does not keep all of its exchanges; the ids count those that are left out.
    turn.sent = each.id + more;
    if (isOwn(each)) turn.exchanges.push(each);
  }
  return turns;
}

/** Remaining on the responses to these kinds of requests. */
export interface TurnRemaining {
  first: Exchange;
  isAlone: boolean;
  remaining: number;
  /** So many requests were counted by then, at least and at most. */
  counted: number;
  sent: number;
  kind: string;
}

/** What is left after a turn: the least that a response tells. A refusal that comes too early does not excuse itself. */
export function toldBy({ exchanges, before, sent }: Turn): TurnRemaining | undefined {
  const telling = exchanges.filter(
    ({ key, variation, response, rate }) =>
      key === 'valid' && !variation && response?.status !== 429 && rate.remaining !== undefined,
  );
  const [first] = exchanges;
  if (!first || telling.length === 0) return undefined;
  const remaining = min(telling, ({ rate }) => rate.remaining) ?? 0;
  const kind = telling.map((each) => `${each.operation} ${each.response?.status}`).join();
  const counted = before + telling.length;
  return { first, isAlone: exchanges.length === 1, remaining, counted, sent, kind };
}

/** By how much Remaining fell. */
export function fellBetween(before: TurnRemaining, after: TurnRemaining): number {
  return before.remaining - after.remaining;
}

/** By how much Remaining fell from one turn to another, beyond the responses with the key, and how many wrong keys went out. */
export interface Fall {
  excess: number;
  wrongKeys: number;
}

/** Every fall of Remaining between two turns in a row that tell it. */
export function fallsOf(exchanges: readonly Exchange[], isOwn: (exchange: Exchange) => boolean): Fall[] {
  const falls: Fall[] = [];
  let before: TurnRemaining | undefined;
  let since: Exchange[] = [];
  for (const turn of inTurns(exchanges, isOwn)) {
    for (const exchange of turn.exchanges) since.push(exchange);
    const told = toldBy(turn);
    if (!told) continue;
    const withKey = since.filter(({ key, response }) => key === 'valid' && response?.status !== 429);
    const wrongKeys = since.filter(({ key }) => key !== 'valid').length;
    const fall = before ? fellBetween(before, told) : -1;
    // It rises when a window ends.
    if (fall >= 0) falls.push({ excess: fall - withKey.length, wrongKeys });
    before = told;
    since = [];
  }
  return falls;
}
