import type { Probe } from '../probes/types.ts';
import type { Exchange } from './exchange.ts';
import { MINUTE, windowOf } from './plan-limits.ts';
import type { Sender } from './sender.ts';

/** Reset moves by at least this (s) when a fixed window is over; sliding ones move it with every request. */
const NEXT_WINDOW = MINUTE / 2;

/**
 * Sends until the limiter refuses, and no more than shows that it does not: one request more than the limit, counted
 * from the start of the window, and what the limiter can have refilled since.
 */
export async function exhaust(probe: Probe, sender: Sender, done: () => void): Promise<void> {
  const { options, pace, exchanges } = sender;
  if (exchanges.some((each) => each.key === 'valid' && each.response?.status === 429)) return;
  const limit = minuteLimit(sender);
  if (limit === undefined) {
    sender.skip(probe, 'the requests per minute of this key are not known (--plan or --limit)');
    return;
  }
  const now = () => options.clock.now();
  let window = startOfWindow(exchanges, probe.operation, now());
  const underWay = new Set<Promise<Exchange | undefined>>();
  let refused = false;
  while (!refused && !sender.stopped() && !options.signal?.aborted) {
    const counted = exchanges.filter((each) => countsFrom(each, window.since)).length + underWay.size;
    const refilled = Math.floor((limit * (now() - window.since)) / 1000 / MINUTE);
    if (counted > limit + refilled) break;
    const lanes =
      pace.narrow(probe.operation, options.concurrency, now()) || limit - counted <= options.concurrency
        ? 1
        : options.concurrency;
    if (underWay.size >= lanes) {
      await Promise.race(underWay);
      continue;
    }
    const sending = sender.send(probe).then((exchange) => {
      underWay.delete(sending);
      if (exchange?.response?.status !== 200) refused = true;
      options.onProgress?.({ kind: 'exhausting', remaining: exchange?.rate.remaining });
      done();
      return exchange;
    });
    underWay.add(sending);
    if (lanes === 1) {
      const next = startOfWindow(exchanges, probe.operation, now());
      await sending;
      if (next.reset !== window.reset && Math.abs((next.reset ?? 0) - (window.reset ?? 0)) >= NEXT_WINDOW)
        window = next;
    }
  }
  await Promise.all(underWay);
}

/** One request when the time that Retry-After states, and a second for its rounding, is over. */
export async function recover(probe: Probe, sender: Sender): Promise<void> {
  const { exchanges, pace, options } = sender;
  const closing = exchanges.filter((each) => each.key === 'valid').at(-1);
  if (closing?.response?.status !== 429) {
    sender.skip(probe, 'nothing was refused that could recover');
    return;
  }
  if (closing.rate.retryAfter === undefined) {
    sender.skip(probe, 'the 429 did not say when to come back', closing.probe);
    return;
  }
  const ms = pace.closedFor(options.clock.now());
  if (await sender.waitFor(ms, 'Retry-After asks to wait')) await sender.send(probe);
  else
    sender.skip(
      probe,
      `Retry-After asks for ${Math.ceil(ms / 1000)} s, longer than --max-wait ${options.maxWait} s`,
    );
}

/** Requests per minute: the plan's figure, else what headers that describe a minute say. */
function minuteLimit(sender: Sender): number | undefined {
  const stated = sender.limits()?.minute;
  if (stated !== undefined) return stated;
  const latest = sender.exchanges
    .filter((each) => each.key === 'valid' && each.rate.limit !== undefined)
    .at(-1);
  return latest && windowOf(latest, undefined) === 'minute' ? latest.rate.limit : undefined;
}

/** Since when the window that is counted now has run, by its Reset: ms since the epoch. */
function startOfWindow(
  exchanges: readonly Exchange[],
  operation: string,
  now: number,
): { since: number; reset?: number } {
  const own = exchanges.filter(
    (each) => each.key === 'valid' && each.operation === operation && each.rate.reset !== undefined,
  );
  const reset = own.at(-1)?.rate.reset;
  const minuteAgo = now - MINUTE * 1000;
  if (reset === undefined) return { since: minuteAgo };
  const first = exchanges.find(
    (each) =>
      each.key === 'valid' &&
      each.sentAt >= minuteAgo &&
      Math.abs((each.rate.reset ?? 0) - reset) < NEXT_WINDOW,
  );
  return { since: first?.sentAt ?? minuteAgo, reset };
}

function countsFrom(exchange: Exchange, since: number): boolean {
  return (
    exchange.key === 'valid' &&
    exchange.address === 'baseUrl' &&
    exchange.sentAt >= since &&
    exchange.response !== undefined &&
    exchange.response.status !== 429
  );
}
