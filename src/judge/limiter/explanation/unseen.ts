import type { Exchange } from '../../../model/exchange.ts';
import { fellBetween, inTurns, type Told, toldBy } from './turns.ts';

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
  let [last] = own;
  // Only requests in quick succession would have shown others.
  let watched = 0;
  let closedUntil = 0;
  return own.flatMap((each): [number, number][] => {
    const before = last;
    const closedBefore = closedUntil;
    closedUntil = Math.max(closedUntil, closedBy(each));
    if (!last || each.receivedAt > last.receivedAt) last = each;
    if (!before) return [];
    if (each.sentAt - before.receivedAt < PAUSE_MS) {
      watched += Math.max(0, each.receivedAt - before.receivedAt);
      return [];
    }
    const unwatched = Math.max(0, each.receivedAt - Math.max(before.receivedAt, closedBefore));
    const earlier = exchanges.filter(({ id }) => id < each.id);
    const most = mostFor(possibleUse(earlier, isOwn));
    return [[each.id, Math.floor((most * unwatched) / Math.max(1, watched))]];
  });
}

/**
 * How often others may have used the key while petspec watched: Remaining fell by more than it got responses with the
 * key. Wrong keys count if that explains what it fell by.
 */
function possibleUse(exchanges: readonly Exchange[], isOwn: (exchange: Exchange) => boolean): number {
  let before: Told | undefined;
  let since = { counted: 0, sent: 0 };
  let [fallen, withoutKey, excess] = [0, 0, 0];
  for (const turn of inTurns(exchanges, isOwn)) {
    const { exchanges: own } = turn;
    const counts = ({ key, response }: Exchange) => key === 'valid' && response?.status !== 429;
    since = {
      counted: since.counted + own.filter(counts).length,
      sent: since.sent + own.filter(({ key }) => key !== 'valid').length,
    };
    const told = toldBy(turn);
    if (!told) continue;
    const fall = before && before.remaining >= told.remaining ? fellBetween(before, told) : undefined;
    if (fall !== undefined) {
      fallen += fall - since.counted;
      withoutKey += since.sent;
      excess += Math.max(0, fall - since.counted);
    }
    before = told;
    since = { counted: 0, sent: 0 };
  }
  return withoutKey > 0 && fallen >= withoutKey ? fallen - withoutKey : excess;
}

/** Until when (ms since the epoch) a 429 says that the limit is used up: others get nothing either. */
function closedBy({ response, rate, sentAt }: Exchange): number {
  return response?.status === 429 && rate.retryAfter ? sentAt + (rate.retryAfter - 1) * 1_000 : 0;
}
