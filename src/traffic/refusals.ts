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
  const early = keyed.flatMap((request, index) => {
    const same = keyed.slice(0, index).filter((each) => isSame(each.exchange, request.exchange));
    if (isDue(request, same, refusals)) return [];
    const refusal = refusals.find(
      (each) => isTooEarly(request, each, refusals) && knew(request, each, same, isSequential),
    );
    return refusal ? [{ request, refusal }] : [];
  });
  return { refusals, early };
}

/**
 * Whether a request repeats one that was refused, after the time that this one was told. Requests side by side may wait for
 * themselves alone, even if another one has been refused since.
 */
function isDue(
  { exchange }: ClientRequest,
  same: readonly ClientRequest[],
  refusals: readonly Refusal[],
): boolean {
  const now = exchange.sentAt + TIMER_MS;
  const due = refusals.filter(({ request, until }) => same.includes(request) && until <= now);
  const first = Math.min(...due.map(({ until }) => until));
  const repeats = same.filter((each) => each.exchange.sentAt + TIMER_MS >= first);
  return due.length > repeats.length;
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
 * Whether the client must have known of the 429 when it sent the request: it sends one request at a time, or enough time
 * has passed, or it repeats a request that was refused, or it uses the connection on which the 429 came.
 */
function knew(
  { exchange, connection }: ClientRequest,
  { at, request }: Refusal,
  same: readonly ClientRequest[],
  isSequential: boolean,
): boolean {
  if (isSequential || exchange.sentAt - at >= UNAWARE_MS || connection === request.connection) return true;
  return same.length > 0 && same.every((each) => each.exchange.receivedAt <= exchange.sentAt);
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
