import { type Exchange, headerValue } from '../model/exchange.ts';
import { parseHttpDate } from '../model/http-date.ts';
import type { ClientRequest, ScenarioTraffic } from './client-traffic.ts';

/** Timers may fire a little early, and the clocks of two processes differ by as much. */
const TIMER_MS = 50;

/** From so long after a 429 on, no request can still have been sent without knowing of it. */
const UNAWARE_MS = 1_000;

const TOO_MANY_REQUESTS = 429;

/** A 429 that says when to come back, by the clock of the service. */
export interface Refusal {
  request: ClientRequest;
  /** When it was sent, ms since the epoch. */
  at: number;
  /** When its Retry-After ends, ms since the epoch. */
  until: number;
}

/** A request with the key that came before the end of a Retry-After. */
export interface TooEarly {
  request: ClientRequest;
  refusal: Refusal;
}

/** The 429s of a scenario, in order, and the requests that did not wait for the end of them. */
export function refusalsOf({ requests }: ScenarioTraffic): { refusals: Refusal[]; early: TooEarly[] } {
  const keyed = requests.filter(({ exchange, isForeign }) => exchange.key === 'valid' && !isForeign);
  const refusals = keyed.flatMap(refusalOf);
  const isSequential = keyed.every(({ exchange }) => exchange.inFlight === 1);
  const early = keyed.flatMap((request) => {
    const refusal = refusals.find(
      (each) => isTooEarly(request, each, refusals) && knew(request, each, isSequential, refusals),
    );
    return refusal ? [{ request, refusal }] : [];
  });
  return { refusals, early };
}

function refusalOf(request: ClientRequest): Refusal[] {
  const { response, receivedAt, rate } = request.exchange;
  if (response?.status !== TOO_MANY_REQUESTS || rate.retryAfter === undefined) return [];
  return [{ request, at: receivedAt, until: retryAt(request) ?? receivedAt + rate.retryAfter * 1000 }];
}

/** When a Retry-After that is a date ends. Its seconds from receipt are rounded. */
function retryAt({ exchange: { response, receivedAt } }: ClientRequest): number | undefined {
  const value = headerValue(response?.headers ?? [], 'Retry-After') ?? '';
  return parseHttpDate(value, receivedAt)?.ms;
}

/**
 * Whether a request came between a 429 and its end. Requests that were refused side by side each say when to come back: it
 * is enough to wait for the first of these times.
 */
function isTooEarly({ exchange }: ClientRequest, refusal: Refusal, refusals: readonly Refusal[]): boolean {
  const { sentAt } = exchange;
  if (sentAt < refusal.at || sentAt + TIMER_MS >= refusal.until) return false;
  return !refusals.some((each) => areSideBySide(each, refusal) && sentAt + TIMER_MS >= each.until);
}

/** Whether two requests were in flight at the same time. */
function areSideBySide(one: Refusal, other: Refusal): boolean {
  const [left, right] = [one.request.exchange, other.request.exchange];
  return left.sentAt < right.receivedAt && right.sentAt < left.receivedAt;
}

/**
 * Whether the client must have known of the 429 when it sent the request. It does if it sends one request at a time, or if
 * enough time has passed. A client with requests side by side may wait for each of them by itself: it knows if it repeats a
 * request whose time has not come, or if it sends another one over the connection on which the 429 came.
 */
function knew(
  { exchange, connection }: ClientRequest,
  { at, request }: Refusal,
  isSequential: boolean,
  refusals: readonly Refusal[],
): boolean {
  if (isSequential || exchange.sentAt - at >= UNAWARE_MS) return true;
  const same = refusals.filter(
    (each) => each.at <= exchange.sentAt && isSame(each.request.exchange, exchange),
  );
  if (same.length === 0) return connection === request.connection;
  return same.every(({ until }) => exchange.sentAt + TIMER_MS < until);
}

function isSame(one: Exchange, other: Exchange): boolean {
  return one.method === other.method && one.url === other.url && one.requestBody === other.requestBody;
}

/** 429s that came side by side, as one refusal of the client. */
export interface Round {
  refusals: readonly Refusal[];
  /** How long the client then waited before its next request with the key, in ms; undefined if it sent none. */
  pause?: number;
  /** That request. */
  next?: ClientRequest;
}

/** The refusals of a scenario in rounds, and what the client did after each. */
export function roundsOf({ requests }: ScenarioTraffic, refusals: readonly Refusal[]): Round[] {
  const rounds: Refusal[][] = [];
  for (const refusal of refusals) {
    const last = rounds.at(-1);
    if (last?.some((each) => areSideBySide(each, refusal))) last.push(refusal);
    else rounds.push([refusal]);
  }
  return rounds.map((round) => {
    const at = Math.max(...round.map((each) => each.at));
    const next = requests.find(
      ({ exchange, isForeign }) => !isForeign && exchange.key === 'valid' && exchange.sentAt >= at,
    );
    return next ? { refusals: round, next, pause: next.exchange.sentAt - at } : { refusals: round };
  });
}
