import { areTogether, type Exchange } from '../../../model/exchange.ts';
import { MINUTE_S, secondsToReset } from '../../../model/limits/rate-plan.ts';
import type { Parts } from '../../parts/parts.ts';
import { ofOperation } from './limited-operation.ts';

/** The most requests of a burst that uses up a limit. */
export const MOST_TOGETHER = 64;

/** The last requests before the limit go one at a time, so that the request that has to be refused is alone. */
const LAST_ALONE = 4;

/** Factors on measured times: a service is not always as fast, and slower with a burst than with a single request. */
const MARGIN = 1.2;
const SAFETY = 2;

/** How many of the last responses of an operation show how long one takes. */
const RECENT_OF_OPERATION = 8;

/** What is left of a window, and how fast requests can use it up. */
export interface Rest {
  /** Requests that are left. */
  left: number;
  limit: number;
  /** The longest of the last responses to a request alone, or to the first of a burst (ms). */
  latency: number;
  /** By how much (ms) each further response of a burst takes longer, as a service may respond to one at a time. */
  inTurn: number;
  /** ms until the window ends. */
  time: number;
  /** The limiter gives requests back one by one, not all at the end of the window. */
  isGradual: boolean;
}

/**
 * How many requests have to go out together so that the rest of a limit is used up before its window ends.
 * @param isUrgent whether nothing else is left to send; if not, other requests may go first as long as the largest burst has
 * enough time
 * @returns 1 as long as one at a time will do
 */
export function fillSize(rest: Rest, cap: number, isUrgent: boolean): number {
  const most = largest(rest, cap);
  if (most < 2 || msFor(rest, 1) <= rest.time) return 1;
  if (!isUrgent && SAFETY * msFor(rest, most) <= rest.time) return 1;
  for (let size = 2; size < most; size += 1) if (msFor(rest, size) <= rest.time) return size;
  return most;
}

/** How long (ms) the rest takes at least. */
export function leastMs(rest: Rest, cap: number): number {
  return msFor(rest, largest(rest, cap));
}

function largest({ left }: Rest, cap: number): number {
  return Math.max(1, Math.min(cap, MOST_TOGETHER, left - LAST_ALONE));
}

/** How long (ms) the rest takes in bursts of a size, at most: not every response takes as long as the others. */
function msFor({ left, limit, latency, inTurn, time, isGradual }: Rest, size: number): number {
  const alone = Math.min(left, LAST_ALONE) + 2;
  const back = isGradual ? (limit * time) / 1000 / MINUTE_S : 0;
  const bursts = Math.ceil(Math.max(0, left + back - alone) / size);
  const burst = latency + inTurn * (size - 1);
  return (size === 1 ? MARGIN : SAFETY) * bursts * burst + MARGIN * alone * latency;
}

/** The rest of the window of an operation, by its last responses. @param now ms since the epoch */
export function restOf(
  exchanges: readonly Exchange[],
  operation: string,
  figures: { left: number; limit: number },
  now: number,
): Rest {
  const responses = ofOperation(exchanges, operation);
  const [before, last] = responses.slice(-2);
  const away = last && secondsToReset(last);
  const isResetFixed = before?.rate.reset === last?.rate.reset;
  const isKnown = last !== undefined && away !== undefined && isResetFixed && away <= MINUTE_S + 1;
  const time = isKnown ? away * 1000 - (now - last.receivedAt) : (MINUTE_S * 1000) / 2;
  return { ...figures, ...paceOf(exchanges, responses), time: Math.max(0, time), isGradual: !isKnown };
}

/** How long one response takes, and by how much longer the others of the last burst took (ms). */
function paceOf(
  exchanges: readonly Exchange[],
  responses: readonly Exchange[],
): Pick<Rest, 'latency' | 'inTurn'> {
  const last = exchanges.findLast(({ burst }) => burst !== undefined);
  const burst = exchanges.filter(({ burst: kind, sentAt }) => kind !== undefined && sentAt === last?.sentAt);
  const [shortest = 0, longest = 0] = [Math.min(...burst.map(msOf)), Math.max(...burst.map(msOf))];
  const inTurn = burst.length > 1 ? (longest - shortest) / (burst.length - 1) : 0;
  // Responses of a burst that waited for the others do not show how long one response takes.
  const recent = responses
    .slice(-RECENT_OF_OPERATION)
    .map((exchange) => (burst.includes(exchange) ? shortest : msOf(exchange)));
  return { latency: Math.max(0, ...recent), inTurn };
}

/** How many of the last exchanges show how long a request takes. */
const RECENT = 20;

/** A response is not always as fast as the others. */
const TIMEOUT_MARGIN = 1.1;

/** Times within this factor are of requests served side by side: of two served in turn, one takes twice as long. */
const ALIKE = 1.5;

/**
 * How many requests may go out together so that each is answered before its timeout. A service may serve one at a time, until a
 * burst shows that it does not: then twice as many go out next.
 */
export function mostTogether({ learnt, options }: Pick<Parts, 'learnt' | 'options'>): number {
  const recent = learnt.exchanges.slice(-RECENT);
  const last = recent.at(-1);
  if (!last) return options.concurrency;
  const ms = recent.map(msOf);
  const newest = learnt.exchanges.slice(-options.concurrency);
  const together = newest.filter((exchange) => areTogether(exchange, last));
  if (together.length > 1 && together.some(({ response }) => response === undefined)) return 1;
  const burst = together.map(msOf);
  const isAlike = Math.max(...burst) < ALIKE * Math.min(...burst);
  const grown = isAlike ? 2 * burst.length : burst.length;
  const inTurn = Math.floor(options.timeout / Math.max(1, ...ms) / TIMEOUT_MARGIN);
  return Math.max(1, Math.min(options.concurrency, burst.length > 1 ? grown : inTurn));
}

const msOf = ({ sentAt, receivedAt }: Exchange) => receivedAt - sentAt;
