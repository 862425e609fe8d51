import { type Exchange, isSuccess } from '../model/exchange.ts';
import type { Stage } from '../model/probe.ts';
import { announcedBurst } from '../model/rate-limit.ts';
import { NEXT_WINDOW_S } from '../model/rate-plan.ts';
import type { Figures, Observation } from './models/model.ts';
import { isFromCache, type Traffic } from './observations.ts';
import { SHORTEST_MS } from './window-lengths.ts';

/** While the limit is used up, one read is repeated, and others of its operation are sent in its place. */
const USING_UP: readonly Stage[] = ['exhaust', 'surplus'];

/**
 * The last of more requests than any honest limiter lets through while Reset stays the same: none gives back more than
 * its limit in a window. Only repetitions of one request are counted, as others may not count, and none from a cache.
 */
export function overrun(
  { limit, windowMs, burst }: Figures,
  observations: readonly Observation[],
): Observation | undefined {
  // The Reset of a refusal may be the end of a block, between those of two windows.
  const used = observations.filter(
    ({ exchange, reset }) => USING_UP.includes(exchange.stage) && reset !== undefined,
  );
  const repeated = used.findLast(({ exchange }) => exchange.stage === 'exhaust')?.exchange.operation;
  const last = used.findLast(({ exchange }) => exchange.operation === repeated);
  if (!last) return undefined;
  const { operation, rate } = last.exchange;
  const letThrough = observations.filter(
    ({ exchange, reset }) =>
      reset !== undefined &&
      exchange.operation === operation &&
      exchange.stage !== 'recover' &&
      isSuccess(exchange) &&
      !isFromCache(exchange) &&
      // The window of a few seconds that a Reset told of may be over.
      reset.hi >= last.at.lo &&
      Math.abs((exchange.rate.reset ?? 0) - (rate.reset ?? 0)) < NEXT_WINDOW_S,
  );
  // Where all are left each time, the limit may cover others alone.
  if (letThrough.every(({ exchange }) => exchange.rate.remaining === limit)) return undefined;
  const [first] = letThrough;
  // Whole tokens may come back, such as one every second.
  const refilled = first ? Math.ceil((limit * (last.at.hi - first.at.lo)) / windowMs) : 0;
  return letThrough.length > limit + burst + refilled ? letThrough.at(-1) : undefined;
}

/**
 * Whether more reads of one operation were let through in a row than any limiter gives back meanwhile, after one of them took the
 * last that was left: then no other way to count, and no other window, explains it. A window that ends tells that some are left.
 */
export function isLetThroughWithNone({ judged }: Pick<Traffic, 'judged'>): boolean {
  const own = judged.map(({ exchange }) => exchange).filter(({ key }) => key === 'valid');
  const burst = announcedBurst(own);
  let row: Exchange[] = [];
  for (const exchange of own) {
    const { rate, operation, receivedAt } = exchange;
    const [first] = row;
    const isAlike = isSuccess(exchange) && !isFromCache(exchange) && first?.operation === operation;
    if (!first || !isAlike || rate.remaining !== 0) {
      row = Number(rate.remaining) > 0 && isSuccess(exchange) ? [exchange] : [];
      continue;
    }
    row.push(exchange);
    const returned = (Number(rate.limit) * (receivedAt - first.sentAt)) / SHORTEST_MS;
    if (row.length > 4 + burst + returned) return true;
  }
  return false;
}
