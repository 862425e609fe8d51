import type { Observation } from '../../src/limiter/models/model.ts';
import { type Traffic, trackOf } from '../../src/limiter/observations.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import { exchange } from '../exchanges/exchange.ts';
import { NOON } from './limited-runs.ts';

/** Noon, in ms. */
export const AT = NOON * 1_000;

const LIMITS: Pick<Traffic, 'limits'> = { limits: { minute: 60, day: 1_000 } };

/** A response to a read, from when to when (ms since noon), unless `change` says otherwise. */
export function responded(
  from: number,
  to: number,
  status: number,
  change: Partial<Exchange> = {},
): Exchange {
  return exchange({
    sentAt: AT + from,
    receivedAt: AT + to,
    response: { status, headers: [], body: '' },
    rate: { limit: 60, remaining: 50 },
    ...change,
  });
}

/** One after another. */
export const inTurn = (...changes: [status: number, change?: Partial<Exchange>][]): Exchange[] =>
  changes.map(([status, change], index) => responded(10 * index, 10 * index + 1, status, change));

/** What these exchanges show of a window, if nobody else uses the key. */
export const trackedWith = (
  exchanges: readonly Exchange[],
  window: 'minute' | 'day' = 'minute',
  limit = 60,
  isSpelled: (exchange: Exchange) => boolean = () => false,
): readonly Observation[] =>
  trackOf(
    exchanges.map((each, index) => ({ ...each, id: index + 1 })),
    window,
    limit,
    { ...LIMITS, isSpelled },
    { lo: -100, hi: 300 },
    () => 0,
  ).observations;
