import type { Exchange } from '../../../session/exchange.ts';

/** What one response told of the window, or that a request was refused. */
export interface Point {
  id: number;
  /** ms since the epoch: when the response was there. */
  at: number;
  remaining: number;
  limit?: number;
  operation: string;
  kind: 'counted' | 'refused' | 'recovered';
  retryAfter?: number;
}

/** The window as the responses tell it. */
export interface WindowSeries {
  /** Operations that share a counter, or the one that was used to reach the limit: the line goes through their points. */
  operations: readonly string[];
  line: readonly Point[];
  /** Responses to operations that are counted by themselves. */
  others: readonly Point[];
  limit?: number;
}

/** What the exchanges with the key say of the rate limit; undefined where they say nothing. */
export function windowSeries(exchanges: readonly Exchange[]): WindowSeries | undefined {
  const points = exchanges
    .filter(({ key, response }) => key === 'valid' && response !== undefined)
    .sort((left, right) => left.receivedAt - right.receivedAt)
    .flatMap((exchange) => pointOf(exchange) ?? []);
  if (points.length < 2) return undefined;
  const refusing = (points.find(({ kind }) => kind === 'refused') ?? mostFrequent(points)).operation;
  const isCounted = ({ operation }: Point) => isShared || operation === refusing;
  const isShared = isOneCounter(points);
  const line = points.filter(isCounted);
  const refused = line.findIndex(({ kind }) => kind === 'refused');
  const after =
    refused < 0 ? undefined : line.find(({ kind }, index) => index > refused && kind === 'counted');
  if (after) after.kind = 'recovered';
  const limit = line.find((each) => each.limit !== undefined)?.limit;
  return {
    operations: [...new Set(line.map(({ operation }) => operation))],
    line,
    others: points.filter((each) => !isCounted(each)),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** Answers overtake each other: a rise of so many is none. */
const JITTER = 8;
/** Windows end during a run: so many rises are windows. */
const MAX_RISES = 3;

/** Whether all operations take from one count: it falls from answer to answer, whatever was asked for. */
function isOneCounter(points: readonly Point[]): boolean {
  const rises = points.filter(
    (point, index) => point.remaining > (points[index - 1]?.remaining ?? Infinity) + JITTER,
  );
  return rises.length <= MAX_RISES;
}

function pointOf({ id, receivedAt, rate, operation, response }: Exchange): Point | undefined {
  const isRefused = response?.status === 429;
  const remaining = rate.remaining ?? (isRefused ? 0 : undefined);
  if (remaining === undefined || !Number.isFinite(remaining) || !Number.isFinite(receivedAt))
    return undefined;
  return {
    id,
    at: receivedAt,
    remaining,
    operation,
    kind: isRefused ? 'refused' : 'counted',
    ...(rate.limit === undefined || !Number.isFinite(rate.limit) ? {} : { limit: rate.limit }),
    ...(rate.retryAfter === undefined ? {} : { retryAfter: rate.retryAfter }),
  };
}

function mostFrequent(points: readonly Point[]): Pick<Point, 'operation'> {
  const counts = new Map<string, number>();
  for (const { operation } of points) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  const [first] = [...counts].sort(([, left], [, right]) => right - left);
  return { operation: first?.[0] ?? '' };
}
