import { bisectLeft, bisector, bisectRight, max } from 'd3-array';
import { areTogether, headerValue } from '../model/exchange.ts';
import { parseHttpDate } from '../model/http/http-date.ts';
import { attemptOf, type ClientRequest, contentOf, type ScenarioTraffic } from './client-check.ts';

/** Timers may fire a little early, and the clocks of two processes differ by as much. */
const TIMER_MS = 50;

/** So long after a 429, a client sends no request without knowing of it. */
const UNAWARE_MS = 1_000;

/** The same over the connection of the 429: another part of the client may use it before the 429 is read. */
const UNREAD_MS = 50;

/** Statuses of which Retry-After says when to come back (RFC 6585 section 4, RFC 9110 section 15.6.4). */
const REFUSALS: ReadonlySet<number | undefined> = new Set([429, 503]);

/** Clocks less than this apart count as equal: a Date is in whole seconds. */
const CLOCKS_MS = 5_000;

/** A 429 or 503 that says when to come back, by the clock of the service. */
export interface Refusal {
  request: ClientRequest;
  /** The result of {@link contentOf}, which repeated requests share. */
  content: string;
  /** When the response was sent, ms since the epoch. */
  at: number;
  /** When its Retry-After ends, ms since the epoch. */
  until: number;
  /** When the wait is over: the first `until` of concurrent refusals. */
  end: number;
}

/** A request with the key that came before the end of a Retry-After. */
export interface TooEarly {
  request: ClientRequest;
  refusal: Refusal;
}

/** The refusals of a scenario, in order, and the requests that did not wait for their end. */
export function refusalsOf({ requests }: ScenarioTraffic): { refusals: Refusal[]; early: TooEarly[] } {
  const keyed = withKey(requests);
  const refusals = endingTogether(keyed.flatMap(refusalOf));
  const refusalOfRequest = new Map(refusals.map((refusal) => [refusal.request, refusal]));
  const isSequential = keyed.every(({ exchange }) => exchange.inFlight === 1);
  const earlier = new Map<string, Repeated>();
  const attempts = new Map<string, Repeated>();
  const lastSentOver = new Map<number, number>();
  const early = keyed.flatMap((request) => {
    const { exchange, connection } = request;
    const content = contentOf(exchange);
    const same = repeatedIn(earlier, content);
    const attempted = repeatedIn(attempts, attemptOf(request));
    const before: RequestHistory = { content, same, lastSent: lastSentOver.get(connection), isSequential };
    const refusal = isDue(request, attempted)
      ? undefined
      : refusals.find((candidate) => isTooEarly(request, candidate) && knewOf(request, candidate, before));
    for (const repetition of [same, attempted]) note(repetition, request, refusalOfRequest.get(request));
    lastSentOver.set(connection, exchange.sentAt);
    return refusal ? [{ request, refusal }] : [];
  });
  return { refusals, early };
}

/** The requests to the service with the key. */
function withKey(requests: readonly ClientRequest[]): ClientRequest[] {
  return requests.filter(({ exchange, isForeign }) => exchange.key === 'valid' && !isForeign);
}

/** Equal requests, in order. Sorted times keep the lookup fast if a client never pauses. */
interface Repeated {
  sentAt: number[];
  /** When the Retry-After of each refused request ends, in order. */
  untils: number[];
  /** When the last of them was answered. */
  answeredBy: number;
  /** Whether a request was sent before the response to an earlier one. */
  areSideBySide: boolean;
}

/** A request, and what a client had sent before it. */
interface RequestHistory {
  content: string;
  same: Repeated;
  /** When it last sent a request over the same connection. */
  lastSent: number | undefined;
  /** The client always waited for the response. */
  isSequential: boolean;
}

function repeatedIn(byName: Map<string, Repeated>, name: string): Repeated {
  const repeated = byName.get(name) ?? {
    sentAt: [],
    untils: [],
    answeredBy: Number.NEGATIVE_INFINITY,
    areSideBySide: false,
  };
  byName.set(name, repeated);
  return repeated;
}

function note(same: Repeated, { exchange }: ClientRequest, refusal: Refusal | undefined): void {
  same.areSideBySide ||= exchange.sentAt < same.answeredBy;
  same.sentAt.push(exchange.sentAt);
  same.answeredBy = Math.max(same.answeredBy, exchange.receivedAt);
  if (refusal) same.untils.splice(bisectRight(same.untils, refusal.until), 0, refusal.until);
}

/**
 * Whether a request repeats a refused one after its Retry-After. Concurrent requests may each wait for their own refusal, even
 * if another request has been refused since.
 * @param same the attempts before it
 */
function isDue({ exchange }: ClientRequest, same: Repeated): boolean {
  const due = bisectRight(same.untils, exchange.sentAt + TIMER_MS);
  const [first = 0] = same.untils;
  const repeats = same.sentAt.length - bisectLeft(same.sentAt, first - TIMER_MS);
  return due > 0 && due > repeats;
}

function refusalOf(request: ClientRequest): Refusal[] {
  const { response, receivedAt, rate } = request.exchange;
  if (!REFUSALS.has(response?.status) || rate.retryAfter === undefined) return [];
  const until = retryAt(request) ?? receivedAt + rate.retryAfter * 1000;
  return [{ request, content: contentOf(request.exchange), at: receivedAt, until, end: until }];
}

/** When a Retry-After with a date ends, by the clock of the service, which Date shows. `retryAfter` is rounded to seconds. */
function retryAt({ exchange: { response, receivedAt } }: ClientRequest): number | undefined {
  const value = headerValue(response?.headers ?? [], 'Retry-After') ?? '';
  const until = parseHttpDate(value, receivedAt)?.ms;
  const date =
    parseHttpDate(headerValue(response?.headers ?? [], 'Date') ?? '', receivedAt)?.ms ?? receivedAt;
  const skew = Math.abs(date - receivedAt) < CLOCKS_MS ? 0 : date - receivedAt;
  return until === undefined ? undefined : until - skew;
}

/**
 * Concurrent refusals each say when to come back: it is enough to wait for the first of these times.
 * @param refusals in the order in which the requests were sent
 */
function endingTogether(refusals: Refusal[]): Refusal[] {
  for (const [index, refusal] of refusals.entries())
    for (let next = index + 1; next < refusals.length; next += 1) {
      const later = refusals[next];
      if (!later || later.request.exchange.sentAt >= refusal.request.exchange.receivedAt) break;
      if (!areTogether(refusal.request.exchange, later.request.exchange)) continue;
      refusal.end = Math.min(refusal.end, later.until);
      later.end = Math.min(later.end, refusal.until);
    }
  return refusals;
}

/** Whether a request was sent between a refusal and its end. A refusal may come in the same ms as its own request. */
function isTooEarly(request: ClientRequest, { request: refused, at, end }: Refusal): boolean {
  const { sentAt } = request.exchange;
  return request !== refused && sentAt >= at && sentAt + TIMER_MS < end;
}

/**
 * Whether the client must have known of the 429 when it sent the request: it sends one request at a time, or enough time has
 * passed, or it repeats the refused request, or it uses the connection of the 429. Another part of the client may use a free
 * connection once before the 429 is read, but not twice.
 */
function knewOf(
  { exchange, connection }: ClientRequest,
  { at, content: refused, request }: Refusal,
  { content, same, lastSent = Number.NEGATIVE_INFINITY, isSequential }: RequestHistory,
): boolean {
  const passed = exchange.sentAt - at;
  if (isSequential || passed >= UNAWARE_MS) return true;
  if (connection === request.connection && (passed >= UNREAD_MS || lastSent >= at)) return true;
  return content === refused && !same.areSideBySide && same.answeredBy <= exchange.sentAt;
}

/** Concurrent refusals, which count as one. */
export interface Round {
  refusals: readonly Refusal[];
  /** How long the client then waited before its next request with the key, in ms; undefined if it sent none. */
  pause?: number;
  /** The next request. */
  next?: ClientRequest;
}

/** The refusals of a scenario in rounds, and what the client did after each. */
export function roundsOf({ requests }: ScenarioTraffic, refusals: readonly Refusal[]): Round[] {
  const rounds: Refusal[][] = [];
  for (const refusal of refusals) {
    const last = rounds.at(-1);
    if (last?.findLast((earlier) => areTogether(earlier.request.exchange, refusal.request.exchange)))
      last.push(refusal);
    else rounds.push([refusal]);
  }
  const keyed = withKey(requests);
  const bySentAt = bisector(({ exchange }: ClientRequest) => exchange.sentAt);
  return rounds.map((round) => {
    const at = max(round, (refusal) => refusal.at) ?? 0;
    const next = keyed[bySentAt.left(keyed, at)];
    return next ? { refusals: round, next, pause: next.exchange.sentAt - at } : { refusals: round };
  });
}
