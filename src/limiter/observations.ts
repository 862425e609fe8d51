import { max, min } from 'd3-array';
import type { Contract, RatePlan } from '../model/contract.ts';
import { ageIn, type Exchange, isSuccess, type RateLimit } from '../model/exchange.ts';
import type { Probe } from '../model/probe.ts';
import { dateOf } from '../model/rate-limit.ts';
import { MINUTE_S, type Window, windowOf } from '../model/rate-plan.ts';
import type { Observation } from './models/model.ts';
import { common, type Span } from './models/span.ts';
import type { UseByOthers } from './others.ts';

/** What a limiter is explained by: requests and what their responses say of it. */
export interface Traffic {
  /** In the order in which they were sent. */
  judged: readonly { exchange: Exchange; probe: Pick<Probe, 'spelling'> }[];
  contract: Pick<Contract, 'operations' | 'ratePlans'>;
  /** The plan's figures, stated or told by the headers. */
  limits?: RatePlan | undefined;
  /** Whether others use the key as well. */
  sharedKey: boolean;
}

/** One window of one count: what it allows, and what was observed of it. */
export interface Track {
  window: Window;
  limit: number;
  observations: readonly Observation[];
}

/** Seconds by which a server's clock may differ from ours if it sends no Date. */
export const CLOCK_SKEW_S = 300;

/** A longer Retry-After (s) than this cannot be the minute's: a sliding counter is full again after two windows. */
const MAX_MINUTE_RETRY_S = 2 * MINUTE_S;

/** How far the server's clock is ahead of ours (ms), as all Dates together show: they are cut to whole seconds. */
export function clockSkewOf(exchanges: readonly Exchange[]): Span {
  const spans = exchanges.flatMap(({ response, sentAt, receivedAt }) => {
    const ms = response && dateOf(response.headers, receivedAt);
    return ms === undefined ? [] : [{ lo: ms - receivedAt, hi: ms + 1_000 - sentAt }];
  });
  const [first = { lo: -CLOCK_SKEW_S * 1_000, hi: CLOCK_SKEW_S * 1_000 }] = spans;
  // A clock that is set during the run, or a Date that a cache keeps, tells less.
  const hull = {
    lo: min(spans, ({ lo }) => lo) ?? first.lo,
    hi: max(spans, ({ hi }) => hi) ?? first.hi,
  };
  return spans.reduce<Span | undefined>((all, each) => all && common(all, each), first) ?? hull;
}

/** The end of the kind of a read that was sent before. */
export const AGAIN = ', again';

/** The kind of a request that is rejected for its key. */
export function rejectedKind(operation: string): string {
  return `${REJECTED}${operation}`;
}

/** The start of the kinds of requests that are rejected for their key. */
export const REJECTED = 'a rejected key, ';

/** Whether a response says that a cache has kept it for a while. */
export function isFromCache({ response }: Exchange): boolean {
  return Number(ageIn(response?.headers ?? [])) > 0;
}

/** Whether a request was sent to another spelling of its address. */
type IsSpelled = (exchange: Exchange) => boolean;

/** What the Age of a response says, which only a cache writes; empty if it has none. */
function cachedKind(exchange: Exchange): string {
  if (ageIn(exchange.response?.headers ?? []) === undefined) return '';
  return isFromCache(exchange) ? ', from a cache' : ', new in a cache';
}

/** Requests that count alike. The same read again may come from a cache, and a refusal takes nothing. */
function kindOf(exchange: Exchange, seen: Set<string>, isSpelled: IsSpelled): string {
  const { operation, key, variation, method, url, response, probe } = exchange;
  // What is at another address may be counted or not, whatever is counted at the usual one.
  if (isSpelled(exchange)) return `another spelling, ${probe}`;
  // A wrong key that is accepted may count as the right one does.
  if (key !== 'valid')
    return response?.status === 401 ? rejectedKind(operation) : `a wrong key, ${operation}`;
  // A cache may take a varied request for another read.
  const isRead = method === 'GET' && !variation;
  const isAgain = isRead && seen.has(url);
  if (isRead) seen.add(url);
  return `${operation}, ${response?.status ?? 'no response'}${isRead ? cachedKind(exchange) : ''}${isAgain ? AGAIN : ''}`;
}

/** What one window of a count shows. Its figures are those with its limit; what others say of it is unknown. */
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
  const observations = exchanges.map((exchange): Observation => {
    const { rate, sentAt, receivedAt } = exchange;
    const isOwn =
      exchange.key === 'valid' &&
      rate.limit === limit &&
      windowOf(exchange, limits) === window &&
      !isRejected(exchange);
    return {
      exchange,
      at: { lo: sentAt, hi: receivedAt + 1 },
      kind: kindOf(exchange, seen, isSpelled),
      outcome: outcomeOf(exchange, window, isOwn),
      others: others(exchange) + lostBeside(exchange, sentAgain),
      held: rejections.filter((each) => areBeside(each, exchange)).length,
      beside: beside(exchange),
      ...(isOwn && rate.remaining !== undefined ? { remaining: rate.remaining } : {}),
      ...(isOwn && rate.reset !== undefined && !exchange.variation && !isBlocking(exchange, skew)
        ? { reset: resetOf(rate.reset, skew) }
        : {}),
    };
  });
  return { window, limit, observations };
}

/** Requests that were sent again beside this one: the first time, they may have been counted before it. */
function lostBeside(exchange: Exchange, sentAgain: readonly Exchange[]): number {
  return sentAgain.filter((each) => each !== exchange && areBeside(each, exchange)).length;
}

/** How many others are in flight beside each: all but those that ended before it was sent, or were sent after it ended. */
function countsBeside(exchanges: readonly Exchange[]): (exchange: Exchange) => number {
  const sent = exchanges.map(({ sentAt }) => sentAt).sort((one, other) => one - other);
  const ended = exchanges.map(({ receivedAt }) => receivedAt).sort((one, other) => one - other);
  return ({ sentAt, receivedAt }) =>
    numberBelow(sent, (each) => each <= receivedAt) - numberBelow(ended, (each) => each < sentAt) - 1;
}

/** How many numbers, from the lowest on, are low enough. */
function numberBelow(sorted: readonly number[], isLow: (each: number) => boolean): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isLow(sorted[middle] as number)) from = middle + 1;
    else to = middle;
  }
  return from;
}

function areBeside(one: Exchange, other: Exchange): boolean {
  return one.sentAt <= other.receivedAt && other.sentAt <= one.receivedAt;
}

/** Whether a request was answered with a 4xx that does not come from the limiter. */
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
 * Whether the Reset of a refusal is the time that its Retry-After says. A service may block a key that exceeds the limit for
 * longer than the window lasts, and whether it is let through then shows by itself.
 */
function isBlocking({ rate, response, sentAt, receivedAt }: Exchange, skew: Span): boolean {
  if (response?.status !== 429 || rate.reset === undefined || rate.retryAfter === undefined) return false;
  const wait = rate.retryAfter * 1_000;
  return common(resetOf(rate.reset, skew), { lo: sentAt + wait, hi: receivedAt + wait }) !== undefined;
}

/** Whether a service rejects a varied request, which it may do before it counts it. */
function isRejected(exchange: Exchange): boolean {
  return exchange.variation !== undefined && exchange.response?.status !== 429 && !isSuccess(exchange);
}

function outcomeOf(exchange: Exchange, window: Window, isOwn: boolean): Observation['outcome'] {
  const { response, rate, key } = exchange;
  if (response?.status !== 429) return response && !isRejected(exchange) ? 'let-through' : 'unknown';
  if (key !== 'valid') return 'unknown';
  return isRefusalOf(window, rate, isOwn) ? 'refused' : 'unknown';
}

/** Whether this window refused a request: its figures say so, and Retry-After does not contradict them. */
function isRefusalOf(window: Window, { retryAfter }: RateLimit, isOwn: boolean): boolean {
  if (retryAfter !== undefined && retryAfter > MAX_MINUTE_RETRY_S) return window === 'day' && isOwn;
  return window === 'minute' && (isOwn || retryAfter !== undefined);
}
