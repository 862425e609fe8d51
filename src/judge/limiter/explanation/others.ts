import type { Exchange } from '../../../model/exchange.ts';

/** What others may have used of the limit before each request, by its id. */
export type UseByOthers = (exchange: Exchange) => number;

/** A pause (ms) between a response and the next request: petspec waited, and saw nothing of the limit meanwhile. */
const PAUSE_MS = 1_000;

/** Of a Poisson process that showed no event in a time, this many times its length show one with a chance of 95 %. */
const RULE_OF_THREE = 3;

/**
 * How much others may have used, at most. If the key is shared, or requests one at a time showed earlier that it is, there is no
 * bound. If not, others may still have used it while petspec waited: as much as could have stayed unseen before.
 * @param exchanges of one address, in the order in which they were sent
 */
export function useByOthers(exchanges: readonly Exchange[], sharedKey: boolean): UseByOthers {
  const shown = sharedKey ? 0 : (sharingShown(exchanges)?.id ?? Number.POSITIVE_INFINITY);
  const whileWaiting = new Map(unseenUse(exchanges));
  return ({ id }) => (id >= shown ? Number.POSITIVE_INFINITY : (whileWaiting.get(id) ?? 0));
}

/** The first response that shows that others use the key: since an earlier one, Remaining fell by more than was sent. */
export function sharingShown(exchanges: readonly Exchange[]): Exchange | undefined {
  let from: { remaining: number; sent: number } | undefined;
  return exchanges.find((each, index) => {
    // A long exhaustion does not keep all of its exchanges; the ids count those that are left out.
    const sent = each.id;
    const next = exchanges[index + 1];
    const isAlone = each.inFlight === 1 && (next === undefined || next.sentAt >= each.receivedAt);
    const { remaining } = each.rate;
    if (!isAlone || each.key !== 'valid' || each.variation || remaining === undefined) return false;
    // Start again when Remaining rises: a window ended, or the limit was refilled.
    if (from === undefined || remaining > from.remaining) from = { remaining, sent };
    return from.remaining - remaining > sent - from.sent;
  });
}

function unseenUse(exchanges: readonly Exchange[]): [id: number, requests: number][] {
  let [last] = exchanges;
  // Only requests in quick succession would have shown others.
  let watched = 0;
  let closedUntil = 0;
  return exchanges.flatMap((each): [number, number][] => {
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
    return [[each.id, Math.floor((RULE_OF_THREE * unwatched) / Math.max(1, watched))]];
  });
}

/** Until when (ms since the epoch) a 429 says that the limit is used up: others get nothing either. */
function closedBy({ response, rate, sentAt }: Exchange): number {
  return response?.status === 429 && rate.retryAfter ? sentAt + (rate.retryAfter - 1) * 1_000 : 0;
}

/** The exchanges since petspec last waited: in so short a time, a limiter that refills gradually gives back little. */
export function sincePause(exchanges: readonly Exchange[]): readonly Exchange[] {
  let last = Number.NEGATIVE_INFINITY;
  let start = 0;
  for (const [index, { sentAt, receivedAt }] of exchanges.entries()) {
    if (sentAt - last >= PAUSE_MS) start = index;
    last = Math.max(last, receivedAt);
  }
  return exchanges.slice(start);
}
