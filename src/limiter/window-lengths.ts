import { greatest, group, min, pairs } from 'd3-array';
import type { Exchange } from '../model/exchange.ts';
import { DAY_S, MINUTE_S, secondsToReset, windowOf } from '../model/rate-plan.ts';
import type { Traffic } from './observations.ts';

/** No window is shorter (ms). */
export const SHORTEST_MS = 2_000;

/** Of the lengths that a rise of Remaining leaves possible, so many are tried at most. */
const MOST_TRIED = 12;

/** Where a quarter of the limit was used, Reset tells how fast requests come back. */
const TELLING = 1 / 4;

/** Two Resets of the same time may be rounded, and be a second later (s). */
const ROUNDED_S = 3;

/** Of the differences between Resets, so many are tried. */
const MOST_STEPS = 3;

/**
 * How long (ms) the shorter window of a run may last, other than a minute, in whole seconds: what Reset says, by how much it
 * changes, and how fast requests come back. Where Remaining never falls, only lengths so short that a
 * request is back before the next one is sent.
 * @param isByOurs whether Reset is read by our clock, in place of the one that Date shows: then only shorter ones, as a clock that is ahead
 *   would be a longer window
 */
export function windowLengths(
  { judged, limits }: Pick<Traffic, 'judged' | 'limits'>,
  isByOurs = false,
): number[] {
  const told = judged
    .map(({ exchange }) => exchange)
    .filter((each) => each.key === 'valid' && windowOf(each, limits) === 'minute');
  const byAddress = [...group(told, ({ address }) => address).values()];
  const inTurn = byAddress.flatMap((own) => pairs(own));
  const sinceFirst = byAddress.flatMap((own) => own.map((each): InTurn => [own[0] ?? each, each]));
  if (!inTurn.some(([before, after]) => changeOf(before, after) < 0)) return shortFor(inTurn);
  if (inTurn.some(isContradicted)) return [];
  const secondsTo = (each: Exchange) => (isByOurs ? secondsByOurs(each) : secondsToReset(each)) ?? 0;
  const byAway = told.map(secondsTo).sort((one, other) => other - one);
  // One or two that are further away than the others show no window.
  const away = Math.max(0, byAway[2] ?? 0);
  // A new window gives back what was used, so Remaining rises with its Reset.
  const renewed = inTurn.filter(([before, after]) => changeOf(before, after) > 0);
  const steps = renewed.map(([before, after]) =>
    Math.abs(Number(after.rate.reset) - Number(before.rate.reset)),
  );
  const largest = [...new Set(steps.filter((each) => each >= 2))].sort((one, other) => other - one);
  // A sliding counter is full one window after it lets a request through again.
  const refused = told.find(({ rate }) => rate.retryAfter !== undefined);
  const full = refused ? secondsTo(refused) : 0;
  const counted = Math.abs(full - Number(refused?.rate.retryAfter ?? full));
  const reset = [away, ...largest.slice(0, MOST_STEPS)].map(Math.round);
  // Of an hour's bucket, each request moves Reset by a minute.
  if (away <= MINUTE_S + 1 && reset.some(isMinute))
    return inTurn.some(hasMovedByHalf) ? [(MINUTE_S / 2) * 1_000] : [];
  // A window of a minute may be seen at its end: that Reset is less far away says nothing if it stays the same.
  const hasMoved = largest.length > 0 || [...inTurn, ...sinceFirst].some(isMoving);
  const isTelling = away > MINUTE_S + 1 || renewed.length > 0 || hasMoved;
  const [furthest = 0, ...others] = reset;
  const [likeliest = 0, ...alsoByUse] = byUse(told, secondsTo);
  const first = [Math.round(counted), likeliest, furthest];
  const near = [...first, Math.round(away / 2), ...others].flatMap((each) => [each, each - 1, each + 1]);
  const shown = isTelling ? [...alsoByUse, ...(hasMoved ? roundFrom(away) : []), ...near] : [];
  // Two operations may be counted apart.
  const alike = renewed.filter(([before, after]) => before.operation === after.operation);
  const known = inOrder(first, [...shown, ...byRise(alike), ...byRise(renewed)]);
  return [...new Set([...known, ...(isTelling ? roundByUse(told, secondsTo) : [])])]
    .filter((each) => each !== MINUTE_S && each <= (isByOurs ? MINUTE_S : DAY_S))
    .map((each) => each * 1_000)
    .filter((each) => each >= SHORTEST_MS);
}

/** The lengths of which a request is back before the next one is sent, so that Remaining stays the same (ms). */
function shortFor(inTurn: readonly InTurn[]): number[] {
  const gap = min(inTurn, ([before, after]) => after.sentAt - before.sentAt) ?? 0;
  const limit = Number(inTurn[0]?.[0].rate.limit ?? 0);
  return ROUND.map((each) => each * 1_000).filter((each) => each < Math.min(limit * gap, MINUTE_S * 1_000));
}

/** Each length once: what the responses show first, then those that windows mostly have. */
function inOrder(first: readonly number[], all: readonly number[]): number[] {
  const isRound = (each: number) => ROUND.includes(each);
  const known = first.filter((each) => all.includes(each));
  return [...new Set([...known, ...all.filter(isRound), ...all])];
}

/** Lengths that windows mostly have (s). */
export const ROUND = [2, 3, 5, 10, 15, 20, 30, 45, 90, 120, 300, 600, 900, 1_800, 3_600];

/**
 * Those that may have such a Reset as the one that is furthest away: a sliding counter is full after two windows, and one of two segments
 * ends half a window before all are left. The longest come last.
 */
function roundFrom(away: number): number[] {
  return ROUND.filter((each) => each >= away / 2 - 1 && each <= 2 * away);
}

/** The lengths with which a bucket is full at the Reset of the response that leaves the fewest requests, which is rounded up. */
function byUse(told: readonly Exchange[], secondsTo: (exchange: Exchange) => number): number[] {
  const { most, shortest, longest } = fullAfter(told, secondsTo);
  if (most < TELLING) return [];
  const middle = Math.round((shortest + 3 * longest) / 4);
  return [
    middle,
    ...Array.from({ length: Math.min(MOST_TRIED, longest - shortest + 1) }, (_, index) => shortest + index),
  ];
}

/** Of those, where so few requests were used that a rounded Reset leaves many possible, the ones that windows mostly have. */
function roundByUse(told: readonly Exchange[], secondsTo: (exchange: Exchange) => number): number[] {
  const { most, shortest, longest } = fullAfter(told, secondsTo);
  return most < TELLING ? ROUND.filter((each) => each >= shortest && each <= longest) : [];
}

/** The share of the limit that was used at most, and how long (s) a window lasts of which this share comes back until Reset. */
function fullAfter(
  told: readonly Exchange[],
  secondsTo: (exchange: Exchange) => number,
): { most: number; shortest: number; longest: number } {
  const used = ({ rate: { limit = 0, remaining = limit } }: Exchange) => limit - remaining;
  const last = greatest(told, used);
  if (!last || used(last) <= 0) return { most: 0, shortest: 0, longest: 0 };
  const most = used(last) / Number(last.rate.limit);
  const away = secondsTo(last);
  return { most, shortest: Math.round((away - 2) / most), longest: Math.round(away / most) };
}

function secondsByOurs({ rate: { reset }, receivedAt }: Exchange): number | undefined {
  return reset === undefined ? undefined : reset - receivedAt / 1_000;
}

/** Two responses of one address, mostly in a row. */
type InTurn = readonly [before: Exchange, after: Exchange];

/**
 * A refusal counts nothing: right after the last request that was let through, no limiter has another Reset, unless it is the end of
 * a block, which Retry-After says as well.
 */
function isContradicted([before, refused]: InTurn): boolean {
  const { rate, response, sentAt } = refused;
  return (
    before.rate.remaining === 0 &&
    before.rate.limit === rate.limit &&
    response?.status === 429 &&
    sentAt - before.receivedAt < 1_000 &&
    Math.abs(Number(rate.reset) - Number(before.rate.reset)) > ROUNDED_S &&
    Math.abs(Number(rate.retryAfter) - Number(secondsToReset(refused))) > ROUNDED_S
  );
}

/** Whether Reset moves although no more are left. */
function isMoving([before, after]: InTurn): boolean {
  const moved = Math.abs(Number(after.rate.reset) - Number(before.rate.reset));
  return changeOf(before, after) <= 0 && moved >= ROUNDED_S - 1;
}

/** Whether Reset moves by half a minute as no window of a minute does: a sliding counter of half a minute is full after a minute. */
function hasMovedByHalf(turn: InTurn): boolean {
  const [before, after] = turn;
  const moved = Number(after.rate.reset) - Number(before.rate.reset);
  return isMoving(turn) && Math.abs(moved - MINUTE_S / 2) <= 1;
}

/** By how much Remaining changed from one response to another. */
function changeOf(before: Exchange, after: Exchange): number {
  return Number(after.rate.remaining) - Number(before.rate.remaining);
}

/** In how many seconds the limit comes back, as it did between the two responses between which Remaining rose the most. */
function byRise(renewed: readonly InTurn[]): number[] {
  const steepest = greatest(
    renewed.filter(([, after]) => !isFull(after)),
    ([before, after]) => changeOf(before, after),
  );
  if (!steepest) return [];
  const [before, after] = steepest;
  const lastedMs = after.receivedAt - before.sentAt;
  // The request itself took one, and a part of one does not show.
  const back = changeOf(before, after) + 1;
  const secondsIf = (requests: number) => (Number(after.rate.limit) * lastedMs) / requests / 1_000;
  const [from, to] = [Math.floor(secondsIf(back + 1)), Math.ceil(secondsIf(back - 1))];
  const count = Math.min(MOST_TRIED, to - from + 1);
  const first = Math.max(from, Math.round(secondsIf(back) - count / 2));
  return Array.from({ length: count }, (_, index) => first + index);
}

/** More may have come back than was missing. */
function isFull({ rate: { remaining = 0, limit = 0 } }: Exchange): boolean {
  return remaining >= limit - 2;
}

/** Whether a Reset shows that the window lasts a minute, as most do: then no other length is looked for. */
function isMinute(seconds: number): boolean {
  return Math.abs(seconds - MINUTE_S) <= 1;
}
