import { greatest, group, pairs } from 'd3-array';
import type { Exchange } from '../../../model/exchange.ts';

/** What a response says about the rate-limit window. */
export interface Point {
  id: number;
  /** When the response was complete, in ms since the epoch. */
  at: number;
  remaining: number;
  limit?: number | undefined;
  operation: string;
  address: string;
  kind: 'counted' | 'refused' | 'recovered';
  retryAfter?: number | undefined;
}

/** The rate-limit window of a run, as its responses describe it. */
export interface WindowSeries {
  /** Responses of the operations that share a counter. */
  line: readonly Point[];
  /** Responses of operations with other counters. */
  others: readonly Point[];
  limit?: number | undefined;
}

/** What the responses to requests with the key say about the rate limit; undefined if they say nothing. */
export function windowSeries(exchanges: readonly Exchange[]): WindowSeries | undefined {
  const points = exchanges
    .filter(({ key, response }) => key === 'valid' && response !== undefined)
    .sort((left, right) => left.receivedAt - right.receivedAt)
    .flatMap((exchange) => pointOf(exchange) ?? []);
  const typical = points.findLast(({ kind }) => kind === 'refused') ?? mostFrequent(points);
  if (!typical || points.length < 2) return undefined;
  const line = counterOf(typical, points);
  const counted = new Set(line);
  const limit = line.find((point) => point.limit !== undefined)?.limit;
  return {
    line: withRecovery(line),
    others: points.filter((point) => !counted.has(point)),
    limit,
  };
}

/** The points, with the first counted point after the first refusal marked as the recovery. */
function withRecovery(points: readonly Point[]): Point[] {
  const refused = points.findIndex(({ kind }) => kind === 'refused');
  const recovered =
    refused < 0 ? undefined : points.find(({ kind }, index) => index > refused && kind === 'counted');
  return points.map((point) => (point === recovered ? { ...point, kind: 'recovered' } : point));
}

/** A smaller rise of Remaining means nothing, because responses overtake each other. */
const JITTER = 8;
/** How many windows may end during a run. */
const MAX_RISES = 3;

/** The pairs of points between which Remaining rises without a refusal: a window ended, or the limit was refilled. */
export function risesOf({ line }: Pick<WindowSeries, 'line'>): { before: Point; after: Point }[] {
  return pairs(line, (before, after) => ({ before, after })).filter(
    ({ before, after }) =>
      before.kind === 'counted' && after.kind === 'counted' && after.remaining - before.remaining > JITTER,
  );
}

/** A limiter may count the whole service, each address or each operation. */
const GROUPINGS: readonly ((point: Point) => string)[] = [
  () => '',
  ({ address }) => address,
  ({ operation }) => operation,
];

/** The points that share a counter with a point: the largest group that a single counter explains. */
function counterOf(point: Point, points: readonly Point[]): Point[] {
  const groups = GROUPINGS.map((groupOf) =>
    points.filter((candidate) => groupOf(candidate) === groupOf(point)),
  );
  return groups.find(isOneCounter) ?? groups.at(-1) ?? [];
}

/** Whether a single counter explains the points: it falls by one per request and rises when a window ends. */
function isOneCounter(points: readonly Point[]): boolean {
  // A refusal may come early, and then says 0 remaining.
  const counted = points.filter(({ kind }) => kind === 'counted');
  const steps = pairs(counted, (before, after) => ({
    change: after.remaining - before.remaining,
    sent: Math.max(1, after.id - before.id),
  }));
  const rises = steps.filter(({ change }) => change > JITTER).length;
  return rises <= MAX_RISES && steps.every(({ change, sent }) => change >= -sent - JITTER);
}

function pointOf({ id, receivedAt, rate, operation, address, response }: Exchange): Point | undefined {
  const isRefused = response?.status === 429;
  const remaining = rate.remaining ?? (isRefused ? 0 : undefined);
  if (remaining === undefined || !Number.isFinite(remaining) || !Number.isFinite(receivedAt))
    return undefined;
  return {
    id,
    at: receivedAt,
    remaining,
    operation,
    address,
    kind: isRefused ? 'refused' : 'counted',
    limit: rate.limit === undefined || !Number.isFinite(rate.limit) ? undefined : rate.limit,
    retryAfter: rate.retryAfter,
  };
}

/** A point of the operation with the most points. */
function mostFrequent(points: readonly Point[]): Point | undefined {
  const byOperation = group(points, ({ operation }) => operation);
  return greatest(byOperation.values(), (group) => group.length)?.[0];
}
