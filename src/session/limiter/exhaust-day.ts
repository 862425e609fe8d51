import { type Exchange, isSuccess } from '../../model/exchange.ts';
import type { Probe } from '../../model/probe.ts';
import { DAY_S, MINUTE_S } from '../../model/rate-plan.ts';
import { mostToExhaust } from '../budget.ts';
import type { Sender } from '../sender.ts';
import type { Used } from '../types.ts';
import { isLetThrough, MOST_SENT, NOT_COVERED, skipAll } from './exhaust.ts';
import { choose, lastOf, usableLimit } from './limited-operation.ts';

/** A 429 that asks for more than this (s) is the day's. */
const OF_MINUTE = MINUTE_S + 3;

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
  const limit = usableLimit(sender, 'day', sender.limits()?.day);
  if (typeof limit !== 'number') return skipAll(candidates, sender, limit);
  sender.budget.lower('withKey', mostToExhaust(options.planned, limit));
  const probe = await choose(candidates, sender);
  if (!probe) return skipAll(candidates, sender, { reason: NOT_COVERED });
  const way = { operation: probe.operation, address: 'baseUrl' as const };
  const now = () => options.clock.now();
  const usual = lastOf(sender, probe.operation)?.response?.status;
  // Only what is surely counted: requests of this operation that succeeded.
  const isCounted = (each: Exchange) =>
    each.key === 'valid' && each.operation === probe.operation && isSuccess(each);
  let letThrough = sender.exchanges.filter(isCounted).length;
  const began = sender.exchanges[0]?.sentAt ?? now();
  // A bucket fills up all day long.
  const allowed = () => limit + Math.ceil((limit * (now() - began)) / 1000 / DAY_S);
  const underWay = new Set<Promise<void>>();
  let isOver = false;
  const sendOne = async () => {
    const exchange = await sender.send(probe);
    done();
    sender.tell({ kind: 'exhausting', remaining: limit - letThrough });
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
    // The last one is for the recovery.
    if (sender.budget.left('withKey') <= 1) {
      await Promise.all(underWay);
      if (!isOver) skipAll(candidates, sender, MOST_SENT);
      break;
    }
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
    const unwaited = ms > 0 && ms <= (OF_MINUTE + 2) * 1000 ? await sender.waitFor(ms, why) : undefined;
    if (unwaited !== undefined) return skipAll(candidates, sender, { reason: unwaited });
    const sending: Promise<void> = sendOne().finally(() => underWay.delete(sending));
    underWay.add(sending);
  }
  await Promise.all(underWay);
  return { probe, used: { window: 'day', limit: allowed(), letThrough } };
}
