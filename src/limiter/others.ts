import type { Exchange } from '../model/exchange.ts';
import { type Fall, fallsOf, fellBetween, inTurns, PAUSE_MS, type TurnRemaining, toldBy } from './turns.ts';

/** What others may have used of the limit before each request, by its id. */
export type UseByOthers = (exchange: Exchange) => number;

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
  const whileWaiting = new Map(unseenUse(exchanges, isOwn));
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
  const turns = inTurns(exchanges, isOwn, uncountedBy(exchanges, isOwn));
  const all = turns.flatMap((turn) => toldBy(turn) ?? []);
  if (takesSeveral(all)) return undefined;
  let [from] = all;
  /** The first since then by which Remaining had fallen by too much, and has stayed so. */
  let since: TurnRemaining | undefined;
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
    since = isExcess(from, told) ? (since ?? told) : undefined;
    if (told.isAlone && since) return since.first;
    if (isExcess(before, told) && isExcess(told, after)) return told.first;
  }
  return undefined;
}

/** Whether each request that is sent alone takes the same number off, and not one, and several no more: then that is its cost. */
function takesSeveral(all: readonly TurnRemaining[]): boolean {
  const falls = all.slice(1).flatMap((told, index) => {
    const before = all[index];
    const fall = before && told.sent - before.counted === 1 ? fellBetween(before, told) : 0;
    return fall > 0 ? fall : [];
  });
  const [cost = 1] = falls;
  const isTaken = (told: TurnRemaining, before: TurnRemaining | undefined) =>
    before === undefined || fellBetween(before, told) <= cost * (told.sent - before.counted);
  const isEach = falls.length >= STEADY && cost !== 1 && new Set(falls).size === 1;
  return isEach && all.every((told, index) => isTaken(told, all[index - 1]));
}

/** Whether Remaining fell by more than petspec sent. */
function isExcess(before: TurnRemaining | undefined, after: TurnRemaining | undefined): boolean {
  return (
    before !== undefined && after !== undefined && fellBetween(before, after) > after.sent - before.counted
  );
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

/** So many wrong keys without effect show that none counts. */
const MANY_WRONG_KEYS = 3;

/**
 * Which requests are seen not to be counted with one's own: wrong keys for which Remaining does not fall, and requests at
 * another address with a Remaining of its own.
 * @param isOwn whether an exchange is counted together with the request in question
 */
export function uncountedBy(
  exchanges: readonly Exchange[],
  isOwn: (exchange: Exchange) => boolean,
): (exchange: Exchange) => boolean {
  const own = exchanges.filter(isOwn);
  const addresses = new Set(own.map(({ address }) => address));
  const areWrongKeysFree = uncountedWrongKeys(fallsOf(exchanges, isOwn)) >= MANY_WRONG_KEYS;
  const elsewhere = exchanges.filter(({ address }) => !addresses.has(address));
  const isApart = elsewhere.some((each) => isCountedApart(each, own));
  return (exchange) =>
    addresses.has(exchange.address) ? areWrongKeysFree && exchange.key !== 'valid' : isApart;
}

/** How many wrong keys were sent for which Remaining did not fall. Others may have used some meanwhile. */
function uncountedWrongKeys(falls: readonly Fall[]): number {
  return falls
    .filter(({ wrongKeys, excess }) => 2 * Math.max(0, excess) < wrongKeys)
    .reduce((sum, { wrongKeys, excess }) => sum + wrongKeys - Math.max(0, excess), 0);
}

/** Whether more remain by this response than by the ones before and after it, which rules out a common count. */
function isCountedApart(
  { key, response, rate, sentAt, receivedAt }: Exchange,
  own: readonly Exchange[],
): boolean {
  const told = own.filter((each) => each.key === 'valid' && each.rate.remaining !== undefined);
  const before = told.findLast((each) => each.receivedAt <= sentAt)?.rate.remaining;
  const after = told.find((each) => each.sentAt >= receivedAt)?.rate.remaining;
  if (key !== 'valid' || response?.status === 429 || rate.remaining === undefined) return false;
  return before !== undefined && after !== undefined && rate.remaining > before && after <= before;
}

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

/** Until when (ms since the epoch) a 429 says that the limit is used up: others get nothing either. */
function closedBy({ response, rate, sentAt }: Exchange): number {
  return response?.status === 429 && rate.retryAfter ? sentAt + (rate.retryAfter - 1) * 1_000 : 0;
}
