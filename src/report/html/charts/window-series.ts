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
  /** The operation that was used to reach the limit: the line is drawn through its points. */
  operation: string;
  line: readonly Point[];
  /** Responses to other operations with the same key. */
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
  const operation = (points.find(({ kind }) => kind === 'refused') ?? mostFrequent(points)).operation;
  const line = points.filter((each) => each.operation === operation);
  const refused = line.findIndex(({ kind }) => kind === 'refused');
  const after = refused < 0 ? undefined : line.find(({ kind }, index) => index > refused && kind === 'counted');
  if (after) after.kind = 'recovered';
  const limit = line.find((each) => each.limit !== undefined)?.limit;
  return {
    operation,
    line,
    others: points.filter((each) => each.operation !== operation),
    ...(limit === undefined ? {} : { limit }),
  };
}

function pointOf({ id, receivedAt, rate, operation, response }: Exchange): Point | undefined {
  const isRefused = response?.status === 429;
  const remaining = rate.remaining ?? (isRefused ? 0 : undefined);
  if (remaining === undefined || !Number.isFinite(remaining) || !Number.isFinite(receivedAt)) return undefined;
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
