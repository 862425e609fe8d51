import { max, min, pairs } from 'd3-array';
import type { Contract, RatePlan } from '../model/contract.ts';
import { ageIn, type Exchange, isSuccess, type RateLimit } from '../model/exchange.ts';
import { dateOf } from '../model/limits/rate-limit.ts';
import { MINUTE_S, NEXT_WINDOW_S, type Window, windowOf } from '../model/limits/rate-plan.ts';
import type { Probe } from '../model/probe.ts';
import type { Observation } from './models/model.ts';
import { common, type Span } from './models/span.ts';
import type { UseByOthers } from './others.ts';

/** The requests and responses that a limiter is judged by. */
export interface Traffic {
  /** In the order in which they were sent. */
  judged: readonly { exchange: Exchange; probe: Pick<Probe, 'spelling'> }[];
  contract: Pick<Contract, 'operations' | 'ratePlans'>;
  /** The plan's limits, as the user states them or the headers tell. */
  limits?: RatePlan | undefined;
  /** Whether other clients use the key, too. */
  sharedKey: boolean;
}

/** One window of a count: its limit, and what was observed of it. */
export interface Track {
  window: Window;
  limit: number;
  observations: readonly Observation[];
}

/** How far (s) a server's clock may be from petspec's if it sends no Date. */
export const CLOCK_SKEW_S = 300;

/** A longer Retry-After (s) than this cannot be the minute's: a sliding counter is full again after two windows. */
const MAX_MINUTE_RETRY_S = 2 * MINUTE_S;

/** How far the server's clock is ahead of petspec's (ms), by all Dates together, which are cut to whole seconds. */
export function clockSkewOf(exchanges: readonly Exchange[]): Span {
  const spans = exchanges.flatMap(({ response, sentAt, receivedAt }) => {
    const ms = response && dateOf(response.headers, receivedAt);
    return ms === undefined ? [] : [{ lo: ms - receivedAt, hi: ms + 1_000 - sentAt }];
  });
  const [first = { lo: -CLOCK_SKEW_S * 1_000, hi: CLOCK_SKEW_S * 1_000 }] = spans;
  // The Dates contradict each other if the clock is set during the run, or a cache keeps a Date.
  const hull = {
    lo: min(spans, ({ lo }) => lo) ?? first.lo,
    hi: max(spans, ({ hi }) => hi) ?? first.hi,
  };
  return spans.reduce<Span | undefined>((skew, span) => skew && common(skew, span), first) ?? hull;
}

/** Suffix of the kind of a repeated read. */
export const AGAIN = ', again';

/** The kind of a request that gets a 401 for its key. */
export function rejectedKind(operation: string): string {
  return `${REJECTED}${operation}`;
}

/** Prefix of the kinds of requests that get a 401 for their key. */
export const REJECTED = 'a rejected key, ';

/** Whether a response comes from a cache, by its Age. */
export function isFromCache({ response }: Exchange): boolean {
  return Number(ageIn(response?.headers ?? [])) > 0;
}

/** Whether a request was sent to another spelling of its address. */
type IsSpelled = (exchange: Exchange) => boolean;

/** Suffix of the kind by the Age of the response, which only a cache writes; empty without Age. */
function cachedKind(exchange: Exchange): string {
  if (ageIn(exchange.response?.headers ?? []) === undefined) return '';
  return isFromCache(exchange) ? ', from a cache' : ', new in a cache';
}

/** The kind of a request: requests of one kind cost the same. A repeated read is a kind of its own, as a cache may answer it. */
function kindOf(exchange: Exchange, seen: Set<string>, isSpelled: IsSpelled): string {
  const { operation, key, variation, method, url, response, probe } = exchange;
  // Another spelling of an address may count or not, whatever the usual one does.
  if (isSpelled(exchange)) return `another spelling, ${probe}`;
  // A wrong key that is accepted may cost what the right one does.
  if (key !== 'valid')
    return response?.status === 401 ? rejectedKind(operation) : `a wrong key, ${operation}`;
  // A cache may treat a varied request as a different read.
  const isRead = method === 'GET' && !variation;
  const isAgain = isRead && seen.has(url);
  if (isRead) seen.add(url);
  return `${operation}, ${response?.status ?? 'no response'}${isRead ? cachedKind(exchange) : ''}${isAgain ? AGAIN : ''}`;
}

/**
 * What was observed of one window of a count. Only responses with its limit tell its Remaining and Reset.
 * @param others how many requests of other clients may have been counted before a request, at most
 */
export function trackOf(
  exchanges: readonly Exchange[],
  window: Window,
  limit: number,
  { limits, isSpelled = () => false }: Pick<Traffic, 'limits'> & { isSpelled?: IsSpelled },
  skew: Span,
  others: UseByOthers,
): Track {
  const seen = new Set<string>();
  const sentAgain = exchanges.filter(({ isRepeated }) => isRepeated);
  const rejections = exchanges.filter(isRejection);
  const beside = countsBeside(exchanges);
  const isFilling = fillingIn(exchanges);
  const split = ofSplitBursts(exchanges, isFilling);
  const observations = exchanges.map((exchange): Observation => {
    const { rate, sentAt, receivedAt } = exchange;
    const isCounted =
      exchange.key === 'valid' &&
      rate.limit === limit &&
      windowOf(exchange, limits) === window &&
      !isRejected(exchange);
    // Which of a burst was counted first is not known, nor how many came back meanwhile: it shows how many were let through.
    const tellsWindow = isCounted && !isFilling(exchange);
    const tellsReset = tellsWindow || (isCounted && split.has(exchange));
    return {
      exchange,
      at: { lo: sentAt, hi: receivedAt + 1 },
      kind: kindOf(exchange, seen, isSpelled),
      outcome: outcomeOf(exchange, window, isCounted),
      others: others(exchange) + lostBeside(exchange, sentAgain) + lostBefore(exchange),
      held: rejections.filter((rejection) => areBeside(rejection, exchange)).length,
      beside: beside(exchange),
      ...(tellsWindow && rate.remaining !== undefined ? { remaining: rate.remaining } : {}),
      ...(tellsReset && rate.reset !== undefined && !exchange.variation && !isBlocking(exchange, skew)
        ? { reset: resetOf(rate.reset, skew) }
        : {}),
    };
  });
  return { window, limit, observations };
}

/** Tells which exchanges overlap no other one. */
export function aloneIn(exchanges: readonly Exchange[]): (exchange: Exchange) => boolean {
  const overlaps = ({ inFlight, burst }: Exchange) => inFlight > 1 || burst !== undefined;
  const overlapping = new Set(exchanges.filter(overlaps).map(({ id }) => id));
  for (const [exchange, next] of pairs(exchanges)) if (overlaps(next)) overlapping.add(exchange.id);
  return ({ id }) => !overlapping.has(id);
}

/**
 * Tells which exchanges belong to a burst that uses up the limit. A recording of a run does not name the bursts: while the limit is used up, no
 * other requests overlap.
 */
function fillingIn(exchanges: readonly Exchange[]): (exchange: Exchange) => boolean {
  const isAlone = aloneIn(exchanges);
  return (exchange) =>
    exchange.burst === 'fill' ||
    (exchange.recorded === 'run' && exchange.stage === 'exhaust' && !isAlone(exchange));
}

/** The requests of bursts that use up the limit before which or in which a window ended: Reset says which were counted after that. */
function ofSplitBursts(
  exchanges: readonly Exchange[],
  isFilling: (exchange: Exchange) => boolean,
): ReadonlySet<Exchange> {
  const bursts: Exchange[][] = [];
  for (const [index, exchange] of exchanges.entries()) {
    if (!isFilling(exchange)) continue;
    if (exchange.inFlight === 1 || bursts.length === 0)
      bursts.push(exchanges.slice(Math.max(0, index - 1), index));
    bursts.at(-1)?.push(exchange);
  }
  const isSplit = (burst: readonly Exchange[]) => {
    const resets = burst.flatMap(({ rate }) => rate.reset ?? []).sort((a, b) => a - b);
    return pairs(resets).some(([reset, next]) => next - reset >= NEXT_WINDOW_S);
  };
  return new Set(bursts.filter(isSplit).flat());
}

/** How many requests in flight beside this one were sent twice: their first attempts may have been counted before it. */
function lostBeside(exchange: Exchange, sentAgain: readonly Exchange[]): number {
  return sentAgain.filter((repeated) => repeated !== exchange && areBeside(repeated, exchange)).length;
}

/** The first attempt of a request that was sent twice and refused may have been let through, and have taken the last. */
function lostBefore({ isRepeated, response }: Exchange): number {
  return isRepeated && response?.status === 429 ? 1 : 0;
}

/** How many other requests overlap a request in time. */
function countsBeside(exchanges: readonly Exchange[]): (exchange: Exchange) => number {
  const sent = exchanges.map(({ sentAt }) => sentAt).sort((a, b) => a - b);
  const ended = exchanges.map(({ receivedAt }) => receivedAt).sort((a, b) => a - b);
  return ({ sentAt, receivedAt }) =>
    countLow(sent, (time) => time <= receivedAt) - countLow(ended, (time) => time < sentAt) - 1;
}

/** How many numbers at the start of a sorted list are low enough, by binary search. */
function countLow(sorted: readonly number[], isLow: (number: number) => boolean): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isLow(sorted[middle] as number)) from = middle + 1;
    else to = middle;
  }
  return from;
}

function areBeside(a: Exchange, b: Exchange): boolean {
  return a.sentAt <= b.receivedAt && b.sentAt <= a.receivedAt;
}

/** Whether a request got a 4xx that does not come from the limiter. */
export function isRejection({ response }: Exchange): boolean {
  return (
    response !== undefined && response.status !== 429 && response.status >= 400 && response.status <= 499
  );
}

/** Reset may be rounded up or down to seconds, or be a second later than needed. */
function resetOf(reset: number, skew: Span): Span {
  return { lo: (reset - 2) * 1_000 - skew.hi, hi: (reset + 1) * 1_000 - skew.lo };
}

/**
 * Whether a 429 has a Reset that equals its Retry-After. A service may block a key that exceeds the limit for longer than the window
 * lasts, so this Reset need not be the end of the window.
 */
function isBlocking({ rate, response, sentAt, receivedAt }: Exchange, skew: Span): boolean {
  if (response?.status !== 429 || rate.reset === undefined || rate.retryAfter === undefined) return false;
  const wait = rate.retryAfter * 1_000;
  return common(resetOf(rate.reset, skew), { lo: sentAt + wait, hi: receivedAt + wait }) !== undefined;
}

/** Whether a service rejects a varied request, perhaps before it counts the request. */
function isRejected(exchange: Exchange): boolean {
  return exchange.variation !== undefined && exchange.response?.status !== 429 && !isSuccess(exchange);
}

function outcomeOf(exchange: Exchange, window: Window, tellsWindow: boolean): Observation['outcome'] {
  const { response, rate, key } = exchange;
  if (response?.status !== 429) return response && !isRejected(exchange) ? 'let-through' : 'unknown';
  if (key !== 'valid') return 'unknown';
  return isRefusalOf(window, rate, tellsWindow) ? 'refused' : 'unknown';
}

/** Whether this window refused a request: its figures say so, and Retry-After does not contradict them. */
function isRefusalOf(window: Window, { retryAfter }: RateLimit, tellsWindow: boolean): boolean {
  if (retryAfter !== undefined && retryAfter > MAX_MINUTE_RETRY_S) return window === 'day' && tellsWindow;
  return window === 'minute' && (tellsWindow || retryAfter !== undefined);
}
