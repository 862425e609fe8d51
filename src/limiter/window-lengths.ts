import { greatest, group, min, pairs } from 'd3-array';
import type { Exchange } from '../model/exchange.ts';
import { DAY_S, MINUTE_S, secondsToReset, windowOf } from '../model/limits/rate-plan.ts';
import type { Traffic } from './observations.ts';

/** No window is shorter (ms). */
export const SHORTEST_MS = 2_000;

/** At most so many lengths are tried of those that a rise of Remaining leaves possible. */
const MOST_TRIED = 12;

/** From this share of the limit on, Reset tells how fast requests come back. */
const TELLING = 1 / 4;

/** Two Resets of the same time may differ by this (s): each may be rounded, and be a second later. */
const ROUNDED_S = 3;

/** So many differences between Resets are tried. */
const MOST_STEPS = 3;

/**
 * The lengths (ms, whole seconds) that the shorter window may have, other than a minute: by Reset, by its changes, and by how fast
 * requests come back. If Remaining never falls, only lengths so short that a request is back before the next one is sent.
 * @param isByOurs whether Reset is read by petspec's clock instead of the one that Date shows: then only lengths below a minute, as a
 *   server's clock that is ahead would look like a longer window
 */
export function windowLengths(
  { judged, limits }: Pick<Traffic, 'judged' | 'limits'>,
  isByOurs = false,
): number[] {
  const telling = judged
    .map(({ exchange }) => exchange)
    .filter((exchange) => exchange.key === 'valid' && windowOf(exchange, limits) === 'minute');
  const byAddress = [...group(telling, ({ address }) => address).values()];
  const inTurn = byAddress.flatMap((exchanges) => pairs(exchanges));
  const sinceFirst = byAddress.flatMap((exchanges) =>
    exchanges.map((exchange): InTurn => [exchanges[0] ?? exchange, exchange]),
  );
  if (!inTurn.some(([before, after]) => changeOf(before, after) < 0)) return shortFor(inTurn);
  if (inTurn.some(isContradicted)) return [];
  const secondsTo = (exchange: Exchange) =>
    (isByOurs ? secondsByOurs(exchange) : secondsToReset(exchange)) ?? 0;
  const distances = telling.map(secondsTo).sort((a, b) => b - a);
  // One or two outliers show no window, so take the third.
  const away = Math.max(0, distances[2] ?? 0);
  // A new window gives back what was used, so Remaining rises with its Reset.
  const renewed = inTurn.filter(([before, after]) => changeOf(before, after) > 0);
  const steps = renewed.map((turn) => Math.abs(resetChangeOf(turn)));
  const largest = [...new Set(steps.filter((seconds) => seconds >= 2))].sort((a, b) => b - a);
  // A sliding counter is full one window after it lets a request through again.
  const refused = telling.find(({ rate }) => rate.retryAfter !== undefined);
  const full = refused ? secondsTo(refused) : 0;
  const counted = Math.abs(full - Number(refused?.rate.retryAfter ?? full));
  const reset = [away, ...largest.slice(0, MOST_STEPS)].map(Math.round);
  // A window of a minute. If Reset is further away, a change of a minute shows nothing: each request of an hour's bucket moves it so.
  if (away <= MINUTE_S + 1 && reset.some(isMinute))
    return inTurn.some(hasMovedByHalf) ? [(MINUTE_S / 2) * 1_000] : [];
  // A constant Reset that is less than a minute away may be the end of a window of a minute.
  const hasMoved = largest.length > 0 || [...inTurn, ...sinceFirst].some(isMoving);
  const isTelling = away > MINUTE_S + 1 || renewed.length > 0 || hasMoved;
  const [furthest = 0, ...others] = reset;
  const [likeliest = 0, ...alsoByUse] = byUse(telling, secondsTo);
  const first = [Math.round(counted), likeliest, furthest];
  const near = [...first, Math.round(away / 2), ...others].flatMap((length) => [
    length,
    length - 1,
    length + 1,
  ]);
  const shown = isTelling ? [...alsoByUse, ...(hasMoved ? roundFrom(away) : []), ...near] : [];
  // Two operations may be counted apart.
  const sameOperation = renewed.filter(([before, after]) => before.operation === after.operation);
  const ordered = inOrder(first, [...shown, ...byRise(sameOperation), ...byRise(renewed)]);
  return [...new Set([...ordered, ...(isTelling ? roundByUse(telling, secondsTo) : [])])]
    .filter((seconds) => seconds !== MINUTE_S && seconds <= (isByOurs ? MINUTE_S : DAY_S))
    .map((seconds) => seconds * 1_000)
    .filter((ms) => ms >= SHORTEST_MS);
}

/** The lengths (ms) with which a request is back before the next one is sent, so that Remaining stays the same. */
function shortFor(inTurn: readonly InTurn[]): number[] {
  const gap = min(inTurn, ([before, after]) => after.sentAt - before.sentAt) ?? 0;
  const limit = Number(inTurn[0]?.[0].rate.limit ?? 0);
  return ROUND.map((seconds) => seconds * 1_000).filter((ms) => ms < Math.min(limit * gap, MINUTE_S * 1_000));
}

/** The lengths without repetitions: the likeliest first, then common ones. */
function inOrder(likeliest: readonly number[], lengths: readonly number[]): number[] {
  const first = likeliest.filter((seconds) => lengths.includes(seconds));
  return [...new Set([...first, ...lengths.filter((seconds) => ROUND.includes(seconds)), ...lengths])];
}

/** Common window lengths (s). */
export const ROUND = [2, 3, 5, 10, 15, 20, 30, 45, 90, 120, 300, 600, 900, 1_800, 3_600];

/**
 * The common lengths that a Reset so many seconds away leaves possible: a sliding counter is full after two windows, and a segment
 * may end after half a window. The longest come last.
 */
function roundFrom(away: number): number[] {
  return ROUND.filter((seconds) => seconds >= away / 2 - 1 && seconds <= 2 * away);
}

/** The lengths with which a bucket is full at the Reset of the response with the lowest Remaining. Reset is rounded up. */
function byUse(telling: readonly Exchange[], secondsTo: (exchange: Exchange) => number): number[] {
  const { most, shortest, longest } = fullAfter(telling, secondsTo);
  if (most < TELLING) return [];
  const middle = Math.round((shortest + 3 * longest) / 4);
  return [
    middle,
    ...Array.from({ length: Math.min(MOST_TRIED, longest - shortest + 1) }, (_, index) => shortest + index),
  ];
}

/** The common ones of these lengths: if few requests were used, a rounded Reset leaves many possible. */
function roundByUse(telling: readonly Exchange[], secondsTo: (exchange: Exchange) => number): number[] {
  const { shortest, longest } = fullAfter(telling, secondsTo);
  return ROUND.filter((seconds) => seconds >= shortest && seconds <= longest);
}

/** The largest share of the limit that was used, and the lengths (s) of a window in which this share comes back until Reset. */
function fullAfter(
  telling: readonly Exchange[],
  secondsTo: (exchange: Exchange) => number,
): { most: number; shortest: number; longest: number } {
  const used = ({ rate: { limit = 0, remaining = limit } }: Exchange) => limit - remaining;
  const lowest = greatest(telling, used);
  if (!lowest || used(lowest) <= 0) return { most: 0, shortest: 0, longest: 0 };
  const most = used(lowest) / Number(lowest.rate.limit);
  const away = secondsTo(lowest);
  return { most, shortest: Math.round((away - 2) / most), longest: Math.round(away / most) };
}

function secondsByOurs({ rate: { reset }, receivedAt }: Exchange): number | undefined {
  return reset === undefined ? undefined : reset - receivedAt / 1_000;
}

/** Two responses of one address, mostly successive ones. */
type InTurn = readonly [before: Exchange, after: Exchange];

/**
 * Whether a refusal right after the last request that was let through changes Reset. A refusal is not counted, so no limiter does
 * this, unless Reset is the end of a block, as Retry-After then says, too.
 */
function isContradicted(turn: InTurn): boolean {
  const [before, refused] = turn;
  const { rate, response, sentAt } = refused;
  return (
    before.rate.remaining === 0 &&
    before.rate.limit === rate.limit &&
    response?.status === 429 &&
    sentAt - before.receivedAt < 1_000 &&
    Math.abs(resetChangeOf(turn)) > ROUNDED_S &&
    Math.abs(Number(rate.retryAfter) - Number(secondsToReset(refused))) > ROUNDED_S
  );
}

/** By how much (s) Reset changed. */
function resetChangeOf([before, after]: InTurn): number {
  return Number(after.rate.reset) - Number(before.rate.reset);
}

/** Whether Reset moves although Remaining does not rise. */
function isMoving(turn: InTurn): boolean {
  return changeOf(...turn) <= 0 && Math.abs(resetChangeOf(turn)) >= ROUNDED_S - 1;
}

/** Whether Reset moves by half a minute, as with a sliding counter of half a minute, which is full after a minute. */
function hasMovedByHalf(turn: InTurn): boolean {
  return isMoving(turn) && Math.abs(resetChangeOf(turn) - MINUTE_S / 2) <= 1;
}

/** By how much Remaining changed. */
function changeOf(before: Exchange, after: Exchange): number {
  return Number(after.rate.remaining) - Number(before.rate.remaining);
}

/** In how many seconds the whole limit comes back, by the two successive responses with the largest rise of Remaining. */
function byRise(renewed: readonly InTurn[]): number[] {
  const steepest = greatest(
    renewed.filter(([, after]) => !isFull(after)),
    ([before, after]) => changeOf(before, after),
  );
  if (!steepest) return [];
  const [before, after] = steepest;
  const lastedMs = after.receivedAt - before.sentAt;
  // The second request took one, and Remaining does not show fractions.
  const back = changeOf(before, after) + 1;
  const secondsIf = (requests: number) => (Number(after.rate.limit) * lastedMs) / requests / 1_000;
  const [from, to] = [Math.floor(secondsIf(back + 1)), Math.ceil(secondsIf(back - 1))];
  const count = Math.min(MOST_TRIED, to - from + 1);
  const first = Math.max(from, Math.round(secondsIf(back) - count / 2));
  return Array.from({ length: count }, (_, index) => first + index);
}

/** Whether so much is left that more may have come back than the limit allows. */
function isFull({ rate: { remaining = 0, limit = 0 } }: Exchange): boolean {
  return remaining >= limit - 2;
}

function isMinute(seconds: number): boolean {
  return Math.abs(seconds - MINUTE_S) <= 1;
}
