import type { Probe } from '../probes/types.ts';
import { type Exchange, isSuccess } from './exchange.ts';
import { isLetThrough, skipAll } from './exhaust.ts';
import { choose, lastOf } from './limited-operation.ts';
import { DAY, MINUTE } from './plan-limits.ts';
import type { Sender } from './sender.ts';
import type { Used } from './types.ts';

/** A 429 that asks for more than this (s) is the day's. */
const OF_MINUTE = MINUTE + 3;

/** What was used up, with which probe. */
export interface Exhaustion {
  probe: Probe;
  used?: Used;
}

/**
 * Uses up the day: minute by minute, each as far as its headers and our own count allow, until the day's 429 comes or
 * more than the day's limit was let through.
 */
export async function exhaustDay(
  candidates: readonly Probe[],
  sender: Sender,
  done: () => void,
): Promise<Exhaustion | undefined> {
  const { options, pace } = sender;
  const limit = sender.limits()?.day;
  if (limit === undefined)
    return skipAll(
      candidates,
      sender,
      'the requests per day of this key are not known (--plan or --day-limit)',
    );
  const probe = await choose(candidates, sender);
  if (!probe)
    return skipAll(
      candidates,
      sender,
      'no read is seen to be covered by the limit; petspec uses up none by adding animals',
    );
  const way = { operation: probe.operation, address: 'baseUrl' as const };
  const now = () => options.clock.now();
  const usual = lastOf(sender, probe.operation)?.response?.status;
  // Only what is surely counted: requests of this operation that succeeded.
  const isCounted = (each: Exchange) =>
    each.key === 'valid' && each.operation === probe.operation && isSuccess(each);
  let letThrough = sender.exchanges.filter(isCounted).length;
  const began = sender.exchanges[0]?.sentAt ?? now();
  // A bucket fills up all day long.
  const allowed = () => limit + Math.ceil((limit * (now() - began)) / 1000 / DAY);
  const underWay = new Set<Promise<void>>();
  let isOver = false;
  const sendOne = async () => {
    const exchange = await sender.send(probe);
    done();
    options.onProgress?.({ kind: 'exhausting', remaining: limit - letThrough });
    if (isLetThrough(exchange, usual)) letThrough += 1;
    else if (exchange?.response?.status !== 429 || (exchange.rate.retryAfter ?? OF_MINUTE + 1) > OF_MINUTE)
      isOver = true;
  };
  while (
    !isOver &&
    letThrough + underWay.size <= allowed() &&
    !sender.stopped() &&
    !options.signal?.aborted
  ) {
    const lanes =
      pace.narrow(way, options.concurrency, now()) || limit - letThrough <= options.concurrency
        ? 1
        : options.concurrency;
    if (underWay.size >= lanes) {
      await Promise.race(underWay);
      continue;
    }
    const { ms, why } = pace.wait(way, now());
    if (ms > 0 && underWay.size > 0) {
      await Promise.race(underWay);
      continue;
    }
    // A wait for more than a minute is the day's: the limit is used up, and the next request has to be refused.
    if (ms > 0 && ms <= (OF_MINUTE + 2) * 1000 && !(await sender.waitFor(ms, why)))
      return skipAll(candidates, sender, `${why} in ${Math.ceil(ms / 1000)} s, longer than --max-wait`);
    const sending: Promise<void> = sendOne().finally(() => underWay.delete(sending));
    underWay.add(sending);
  }
  await Promise.all(underWay);
  return { probe, used: { window: 'day', limit: allowed(), letThrough } };
}
