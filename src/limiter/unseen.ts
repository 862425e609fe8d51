import type { Exchange } from '../model/exchange.ts';
import { fellBetween, inTurns, type TurnRemaining, toldBy } from './turns.ts';

/** A pause (ms) between a response and the next request: petspec waited, and saw nothing of the limit meanwhile. */
export const PAUSE_MS = 1_000;

/**
 * How often others may have used the key in a time in which they may have used it so many times: at most so many times,
 * with a chance of 95 %, if they use it at random (a Poisson process; for none, the rule of three).
 */
function mostFor(seen: number): number {
  return seen + 1.75 * Math.sqrt(seen) + 3;
}

/** What others may have used before each request that came after a pause, at most: as often as they may have before. */
export function unseenUse(
  exchanges: readonly Exchange[],
  isOwn: (exchange: Exchange) => boolean,
): [id: number, requests: number][] {
  const own = exchanges.filter(isOwn);
  const addresses = new Set(own.map(({ address }) => address));
  const isBeside = ({ address }: Exchange) => addresses.has(address);
  let answeredAt = own[0]?.receivedAt ?? 0;
  // Only requests in quick succession would have shown others.
  let watched = 0;
  let closedUntil = 0;
  return own.flatMap((each): [number, number][] => {
    const before = answeredAt;
    const closedBefore = closedUntil;
    answeredAt = Math.max(answeredAt, each.receivedAt);
    closedUntil = Math.max(closedUntil, closedBy(each));
    if (each.sentAt - before < PAUSE_MS) {
      watched += answeredAt - before;
      return [];
    }
    const unwatched = Math.max(0, each.receivedAt - Math.max(before, closedBefore));
    const earlier = exchanges.filter(({ id }) => id < each.id);
    // Requests that are taken to be counted apart, and are not, would look like those of others.
    const seen = Math.min(possibleUse(earlier, isOwn), possibleUse(earlier, isBeside));
    const most = mostFor(seen);
    return [[each.id, Math.floor((most * unwatched) / Math.max(1, watched))]];
  });
}

/** By how much Remaining fell from one turn to another, beyond the responses with the key, and how many wrong keys went out. */
export interface Fall {
  excess: number;
  wrongKeys: number;
}

/**
 * How often others may have used the key while petspec watched: Remaining fell by more than it got responses with the
 * key. If it fell by as much as all wrong keys explain, they count.
 */
function possibleUse(exchanges: readonly Exchange[], isOwn: (exchange: Exchange) => boolean): number {
  const falls = fallsOf(exchanges, isOwn);
  const sum = (of: (fall: Fall) => number) => falls.reduce((all, fall) => all + of(fall), 0);
  const wrongKeys = sum((fall) => fall.wrongKeys);
  const beyond = sum(({ excess }) => excess) - wrongKeys;
  return wrongKeys > 0 && beyond >= 0 ? beyond : sum(({ excess }) => Math.max(0, excess));
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

/** Until when (ms since the epoch) a 429 says that the limit is used up: others get nothing either. */
function closedBy({ response, rate, sentAt }: Exchange): number {
  return response?.status === 429 && rate.retryAfter ? sentAt + (rate.retryAfter - 1) * 1_000 : 0;
}
