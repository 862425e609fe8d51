import { pairs, sum } from 'd3-array';
import type { Exchange } from '../model/exchange.ts';
import { type Fall, fallsOf, fellBetween, inTurns, PAUSE_MS, type TurnRemaining, toldBy } from './falls.ts';

/** How many requests of other clients may have been counted since the request before, at most. */
export type UseByOthers = (exchange: Exchange) => number;

/**
 * Unbounded if the key is shared, from the first request that shows it on. Otherwise other clients may still have used the key while
 * petspec waited: as often as they may have before without being noticed.
 * @param exchanges of a run, in the order in which they were sent
 * @param isCounted whether an exchange belongs to the count in question
 */
export function useByOthers(
  exchanges: readonly Exchange[],
  isCounted: (exchange: Exchange) => boolean,
  sharedKey: boolean,
): UseByOthers {
  const shown = sharedKey ? 0 : (sharingShown(exchanges, isCounted)?.id ?? Number.POSITIVE_INFINITY);
  const whileWaiting = new Map(unseenUse(exchanges, isCounted));
  return ({ id }) => (id >= shown ? Number.POSITIVE_INFINITY : (whileWaiting.get(id) ?? 0));
}

/** So many equal falls of Remaining show what a kind of request costs. */
const STEADY = 3;

/**
 * The first request that shows that other clients use the key. Remaining fell by more than petspec sent: on a request that was sent
 * alone, or twice in a row with overlapping requests. Or it fell by more than one after several falls by one for the same kind.
 */
export function sharingShown(
  exchanges: readonly Exchange[],
  isCounted: (exchange: Exchange) => boolean,
): Exchange | undefined {
  const turns = inTurns(exchanges, isCounted, uncountedBy(exchanges, isCounted));
  const readings = turns.flatMap((turn) => toldBy(turn) ?? []);
  if (takesSeveral(readings)) return undefined;
  let [start] = readings;
  /** The first reading since the start from which on Remaining is too low. */
  let tooLowSince: TurnRemaining | undefined;
  const fallsByOne = new Map<string, number>();
  for (const [index, reading] of readings.entries()) {
    const [before, after] = [readings[index - 1], readings[index + 1]];
    const fall = before?.kind === reading.kind ? fallOfOne(before, reading) : 0;
    const count = fallsByOne.get(reading.kind) ?? 0;
    if (fall > 1 && count >= STEADY) return reading.first;
    if (fall === 1) fallsByOne.set(reading.kind, count + 1);
    // Start again when Remaining rises: a window ended, or the limit was refilled.
    if (start === undefined || reading.remaining > start.remaining) start = reading;
    tooLowSince = isExcess(start, reading) ? (tooLowSince ?? reading) : undefined;
    if (reading.isAlone && tooLowSince) return tooLowSince.first;
    if (isExcess(before, reading) && isExcess(reading, after)) return reading.first;
  }
  return undefined;
}

/** By how much Remaining fell for a single request; 0 if several were sent. */
function fallOfOne(before: TurnRemaining, after: TurnRemaining): number {
  return after.sent - before.counted === 1 ? fellBetween(before, after) : 0;
}

/** Whether every request costs the same, more than one: all single requests do, and no fall of several exceeds it. */
function takesSeveral(readings: readonly TurnRemaining[]): boolean {
  const steps = pairs(readings);
  const falls = steps.map(([before, after]) => fallOfOne(before, after)).filter((fall) => fall > 0);
  const [cost = 1] = falls;
  const isSameCost = falls.length >= STEADY && cost !== 1 && new Set(falls).size === 1;
  return (
    isSameCost &&
    steps.every(([before, after]) => fellBetween(before, after) <= cost * (after.sent - before.counted))
  );
}

/** Whether Remaining fell by more than petspec sent. */
function isExcess(before: TurnRemaining | undefined, after: TurnRemaining | undefined): boolean {
  return (
    before !== undefined && after !== undefined && fellBetween(before, after) > after.sent - before.counted
  );
}

/** The exchanges since petspec last waited: without a pause, a limiter that refills gradually gives back little. */
export function sincePause(exchanges: readonly Exchange[]): readonly Exchange[] {
  let last = Number.NEGATIVE_INFINITY;
  let start = 0;
  for (const [index, { sentAt, receivedAt }] of exchanges.entries()) {
    if (sentAt - last >= PAUSE_MS) start = index;
    last = Math.max(last, receivedAt);
  }
  return exchanges.slice(start);
}

/** So many wrong keys without a fall of Remaining show that none counts. */
const MANY_WRONG_KEYS = 3;

/**
 * Which requests the run shows not to be counted: those with a wrong key if Remaining does not fall for them, and those to another
 * address with a Remaining of its own.
 * @param isCounted whether an exchange belongs to the count in question
 */
export function uncountedBy(
  exchanges: readonly Exchange[],
  isCounted: (exchange: Exchange) => boolean,
): (exchange: Exchange) => boolean {
  const counted = exchanges.filter(isCounted);
  const addresses = new Set(counted.map(({ address }) => address));
  const areWrongKeysFree = uncountedWrongKeys(fallsOf(exchanges, isCounted)) >= MANY_WRONG_KEYS;
  const elsewhere = exchanges.filter(({ address }) => !addresses.has(address));
  const isApart = elsewhere.some((exchange) => isCountedApart(exchange, counted));
  return (exchange) =>
    addresses.has(exchange.address) ? areWrongKeysFree && exchange.key !== 'valid' : isApart;
}

/** How many wrong keys were sent without a fall of Remaining, up to what other clients may have used meanwhile. */
function uncountedWrongKeys(falls: readonly Fall[]): number {
  return falls
    .filter(({ wrongKeys, excess }) => 2 * Math.max(0, excess) < wrongKeys)
    .reduce((sum, { wrongKeys, excess }) => sum + wrongKeys - Math.max(0, excess), 0);
}

/** Whether Remaining is higher than in the counted responses before and after, which rules out a common count. */
function isCountedApart(
  { key, response, rate, sentAt, receivedAt }: Exchange,
  counted: readonly Exchange[],
): boolean {
  const telling = counted.filter(
    (exchange) => exchange.key === 'valid' && exchange.rate.remaining !== undefined,
  );
  const before = telling.findLast((exchange) => exchange.receivedAt <= sentAt)?.rate.remaining;
  const after = telling.find((exchange) => exchange.sentAt >= receivedAt)?.rate.remaining;
  if (key !== 'valid' || response?.status === 429 || rate.remaining === undefined) return false;
  return before !== undefined && after !== undefined && rate.remaining > before && after <= before;
}

/**
 * How often other clients may use the key in a time like one in which they used it so many times: the upper bound at 95 % of a
 * Poisson process (for none, the rule of three).
 */
function mostFor(seen: number): number {
  return seen + 1.75 * Math.sqrt(seen) + 3;
}

/** For each request after a pause: how often other clients may have used the key in the pause, at the rate that went unnoticed before. */
export function unseenUse(
  exchanges: readonly Exchange[],
  isCounted: (exchange: Exchange) => boolean,
): [id: number, requests: number][] {
  const counted = exchanges.filter(isCounted);
  const addresses = new Set(counted.map(({ address }) => address));
  const isAtAddress = ({ address }: Exchange) => addresses.has(address);
  let answeredAt = counted[0]?.receivedAt ?? 0;
  // Only requests in quick succession would have shown other clients.
  let watchedMs = 0;
  let closedUntil = 0;
  return counted.flatMap((exchange): [number, number][] => {
    const { id, sentAt, receivedAt } = exchange;
    const before = answeredAt;
    const closedBefore = closedUntil;
    answeredAt = Math.max(answeredAt, receivedAt);
    closedUntil = Math.max(closedUntil, closedBy(exchange));
    if (sentAt - before < PAUSE_MS) {
      watchedMs += answeredAt - before;
      return [];
    }
    const unwatchedMs = Math.max(0, receivedAt - Math.max(before, closedBefore));
    const earlier = exchanges.filter((other) => other.id < id);
    // Requests that are wrongly assumed to be counted apart would look like those of other clients.
    const seen = Math.min(possibleUse(earlier, isCounted), possibleUse(earlier, isAtAddress));
    return [[id, Math.floor((mostFor(seen) * unwatchedMs) / Math.max(1, watchedMs))]];
  });
}

/**
 * How often other clients may have used the key while petspec watched: Remaining fell by more than petspec got responses with the
 * key. Wrong keys are taken to count if the falls exceed these responses by at least as many.
 */
function possibleUse(exchanges: readonly Exchange[], isCounted: (exchange: Exchange) => boolean): number {
  const falls = fallsOf(exchanges, isCounted);
  const wrongKeys = sum(falls, (fall) => fall.wrongKeys);
  const beyond = sum(falls, ({ excess }) => excess) - wrongKeys;
  return wrongKeys > 0 && beyond >= 0 ? beyond : sum(falls, ({ excess }) => Math.max(0, excess));
}

/** Until when (ms since the epoch) a 429 says that the limit is used up, for other clients as well; 0 otherwise. */
function closedBy({ response, rate, sentAt }: Exchange): number {
  return response?.status === 429 && rate.retryAfter ? sentAt + (rate.retryAfter - 1) * 1_000 : 0;
}
