import type { Exchange } from '../../../model/exchange.ts';

/** What others may have used of the limit before each request, by its id. */
export type UseByOthers = (exchange: Exchange) => number;

/** A pause (ms) between a response and the next request: petspec waited, and saw nothing of the limit meanwhile. */
const PAUSE_MS = 1_000;

/** Of a Poisson process that showed no event in a time, this many times its length show one with a chance of 95 %. */
const RULE_OF_THREE = 3;

/**
 * How much others may have used, at most. If the key is shared, or the run showed earlier that it is, there is no bound.
 * If not, others may still have used it while petspec waited: as much as could have stayed unseen before.
 * @param exchanges of a run, in the order in which they were sent
 * @param isOwn whether one is counted together with the request in question
 */
export function useByOthers(
  exchanges: readonly Exchange[],
  isOwn: (exchange: Exchange) => boolean,
  sharedKey: boolean,
): UseByOthers {
  const shown = sharedKey ? 0 : (sharingShown(exchanges, isOwn)?.id ?? Number.POSITIVE_INFINITY);
  const whileWaiting = new Map(unseenUse(exchanges.filter(isOwn)));
  return ({ id }) => (id >= shown ? Number.POSITIVE_INFINITY : (whileWaiting.get(id) ?? 0));
}

/** So many falls that are alike show what each of these requests takes. */
const STEADY = 3;

/**
 * The first request from which on others are seen to use the key. Remaining fell by more than petspec sent: on a request
 * that was alone, or twice in a row while some overlapped. Or it fell by more than one, after it fell by one for each of
 * several alike.
 */
export function sharingShown(
  exchanges: readonly Exchange[],
  isOwn: (exchange: Exchange) => boolean,
): Exchange | undefined {
  const all = inTurns(exchanges, isOwn).flatMap((turn) => toldBy(turn) ?? []);
  if (takesSeveral(all)) return undefined;
  let [from] = all;
  const ones = new Map<string, number>();
  for (const [index, told] of all.entries()) {
    const [before, after] = [all[index - 1], all[index + 1]];
    const fall =
      before?.kind === told.kind && told.sent - before.counted === 1 ? fellBetween(before, told) : 0;
    const seen = ones.get(told.kind) ?? 0;
    if (fall > 1 && seen >= STEADY) return told.first;
    if (fall === 1) ones.set(told.kind, seen + 1);
    // Start again when Remaining rises: a window ended, or the limit was refilled.
    if (from === undefined || told.remaining > from.remaining) from = told;
    if (told.isAlone && isExcess(from, told)) return told.first;
    if (isExcess(before, told) && isExcess(told, after)) return told.first;
  }
  return undefined;
}

/** Whether each request that is sent alone takes the same number off, and not one: then that is its cost. */
function takesSeveral(all: readonly Told[]): boolean {
  const falls = all.slice(1).flatMap((told, index) => {
    const before = all[index];
    const fall = before && told.sent - before.counted === 1 ? fellBetween(before, told) : 0;
    return fall > 0 ? fall : [];
  });
  return falls.length >= STEADY && falls[0] !== 1 && new Set(falls).size === 1;
}

function fellBetween(before: Told, after: Told): number {
  return before.remaining - after.remaining;
}

/** Whether Remaining fell by more than petspec sent. */
function isExcess(before: Told | undefined, after: Told | undefined): boolean {
  return (
    before !== undefined && after !== undefined && fellBetween(before, after) > after.sent - before.counted
  );
}

/** Requests of one count that overlap in time, and how many the run had sent before them and until their end. */
interface Turn {
  exchanges: readonly Exchange[];
  before: number;
  sent: number;
}

/**
 * The exchanges of one count, divided where no request of the run was under way. All that were sent are counted, also
 * those that this count may not know: what they used up is nobody else's use.
 */
function inTurns(exchanges: readonly Exchange[], isOwn: (exchange: Exchange) => boolean): Turn[] {
  const turns: { exchanges: Exchange[]; before: number; sent: number }[] = [];
  let until = Number.NEGATIVE_INFINITY;
  let again = 0;
  for (const each of [...exchanges].sort((one, other) => one.id - other.id)) {
    if (each.sentAt >= until) turns.push({ exchanges: [], before: each.id - 1 + again, sent: 0 });
    until = Math.max(until, each.receivedAt);
    again += each.isRepeated ? 1 : 0;
    const turn = turns.at(-1);
    if (!turn) continue;
    // A long exhaustion does not keep all of its exchanges; the ids count those that are left out.
    turn.sent = each.id + again;
    if (isOwn(each)) turn.exchanges.push(each);
  }
  return turns;
}

/** Remaining on the responses to these kinds of requests. */
interface Told {
  first: Exchange;
  isAlone: boolean;
  remaining: number;
  /** So many requests were counted by then, at least and at most. */
  counted: number;
  sent: number;
  kind: string;
}

/** What is left after a turn: the least that a response tells. A refusal that comes too early does not excuse itself. */
function toldBy({ exchanges, before, sent }: Turn): Told | undefined {
  const telling = exchanges.filter(
    ({ key, variation, response, rate }) =>
      key === 'valid' && !variation && response?.status !== 429 && rate.remaining !== undefined,
  );
  const [first] = exchanges;
  if (!first || telling.length === 0) return undefined;
  const remaining = Math.min(...telling.map(({ rate }) => Number(rate.remaining)));
  const kind = telling.map((each) => `${each.operation} ${each.response?.status}`).join();
  const counted = before + telling.length;
  return { first, isAlone: exchanges.length === 1, remaining, counted, sent, kind };
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
