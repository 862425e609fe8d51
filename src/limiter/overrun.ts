import { type Exchange, isSuccess } from '../model/exchange.ts';
import { announcedBurst } from '../model/limits/rate-limit.ts';
import { NEXT_WINDOW_S } from '../model/limits/rate-plan.ts';
import type { Stage } from '../model/probe.ts';
import type { Figures, Observation } from './models/model.ts';
import { isFromCache, type Traffic } from './observations.ts';
import { SHORTEST_MS } from './window-lengths.ts';

/** A run uses up the limit with one repeated read, and with other reads of the same operation. */
const USING_UP: readonly Stage[] = ['exhaust', 'surplus'];

/**
 * The last request that was let through, if more were let through than any honest limiter does while Reset stays the same: none gives
 * back more than its limit in a window. Counts only repetitions of one request, as others may be free, and none from a cache.
 */
export function overrun(
  { limit, windowMs, burst }: Figures,
  observations: readonly Observation[],
): Observation | undefined {
  // A refusal whose Reset is the end of a block has no reset here.
  const usingUp = observations.filter(
    ({ exchange, reset }) => USING_UP.includes(exchange.stage) && reset !== undefined,
  );
  const repeated = usingUp.findLast(({ exchange }) => exchange.stage === 'exhaust')?.exchange.operation;
  const last = usingUp.findLast(({ exchange }) => exchange.operation === repeated);
  if (!last) return undefined;
  const { operation, rate } = last.exchange;
  const letThrough = observations.filter(
    ({ exchange, reset }) =>
      reset !== undefined &&
      exchange.operation === operation &&
      exchange.stage !== 'recover' &&
      isSuccess(exchange) &&
      !isFromCache(exchange) &&
      // A window of a few seconds may be over.
      reset.hi >= last.at.lo &&
      Math.abs((exchange.rate.reset ?? 0) - (rate.reset ?? 0)) < NEXT_WINDOW_S,
  );
  // If Remaining is always the limit, the limit may not cover these requests.
  if (letThrough.every(({ exchange }) => exchange.rate.remaining === limit)) return undefined;
  const [first] = letThrough;
  // Rounded up, as tokens may come back whole, such as one every second.
  const refilled = first ? Math.ceil((limit * (last.at.hi - first.at.lo)) / windowMs) : 0;
  return letThrough.length > limit + burst + refilled ? letThrough.at(-1) : undefined;
}

/**
 * Whether more reads of one operation were let through in a row, all with Remaining 0, than any limiter gives back meanwhile. Then no
 * other way to count and no other window length explains it: after the end of a window, Remaining is above 0.
 */
export function isLetThroughWithNone({ judged }: Pick<Traffic, 'judged'>): boolean {
  const withKey = judged.map(({ exchange }) => exchange).filter(({ key }) => key === 'valid');
  const burst = announcedBurst(withKey);
  let row: Exchange[] = [];
  for (const exchange of withKey) {
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
