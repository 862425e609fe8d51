import type { Exchange, Reason } from '../../model/exchange.ts';
import type { Probe } from '../../model/probe.ts';
import { MINUTE_S, NEXT_WINDOW_S, secondsToReset, windowOf } from '../../model/rate-plan.ts';
import { mostToExhaust } from '../budget.ts';
import type { Sender } from '../sender.ts';
import {
  choose,
  countsDown,
  fallsOn,
  lastOf,
  minuteLimit,
  ofOperation,
  usableLimit,
} from './limited-operation.ts';

/** Windows (and as many minutes) that an exhaustion takes at the most. */
const MAX_WINDOWS = 2;

/** How often Remaining is the same again before a request that is repeated is taken not to be counted. */
const IDLE = 4;

export const NOT_COVERED =
  'no read is seen to be covered by the limit; petspec uses up none by adding animals';

export const MOST_SENT: Reason = {
  reason:
    'no request was refused, and petspec sent as many as it announced: a limiter whose window ended meanwhile lets them all through',
  kind: 'most-sent',
};

/** What an exhaustion has used up so far. */
interface Use {
  limit: number;
  /** What Remaining promised when this window began for us; not known before the first answer. */
  promised?: number;
  /** Since when (ms), and how many requests of it since then. */
  since: number;
  sent: number;
  /** Since when Remaining is 0, and how many were let through all the same. */
  zeroSince?: number;
  over: number;
  reset?: number;
  remaining?: number;
  /** How often Remaining was the same again, from the first answer on; not known once it has changed. */
  idle?: number;
  /** Windows that ended before the limit was reached. */
  ended: number;
}

/**
 * Sends until the limiter refuses, and no more than shows that it does not. Where the headers count down, they say
 * when the limit is reached: one request more has to be refused. Where they do not (they describe the day, or lie),
 * our own count does; a window that begins in the middle can then double it.
 *
 * @param candidates the same read of several operations: the first one that the limit covers is used
 * @returns the probe that was used; none where the limit cannot be used up
 */
export async function exhaust(
  candidates: readonly Probe[],
  sender: Sender,
  done: () => void,
): Promise<Probe | undefined> {
  const { options, exchanges, pace } = sender;
  const refused = exchanges.find(
    (each) => each.key === 'valid' && each.address === 'baseUrl' && each.response?.status === 429,
  );
  if (refused) return candidates.find((each) => each.operation === refused.operation) ?? candidates[0];
  const limit = usableLimit(sender, 'minute', minuteLimit(sender));
  if (typeof limit !== 'number') return skipAll(candidates, sender, limit);
  sender.budget.lower('withKey', mostToExhaust(options.planned, limit));
  const probe = await choose(candidates, sender);
  if (!probe) return skipAll(candidates, sender, { reason: NOT_COVERED });
  const way = { operation: probe.operation, address: 'baseUrl' as const };
  const now = () => options.clock.now();
  const began = now();
  const use: Use = { limit, since: now(), sent: 0, over: 0, ended: 0 };
  if (lastOf(sender, probe.operation)?.response?.status === 429) return probe;
  await roomForRest(sender, probe.operation, limit);
  const falls = countsDown(sender, probe.operation);
  const usual = lastOf(sender, probe.operation)?.response?.status;
  const underWay = new Set<Promise<void>>();
  let isOver = false;
  let isRenewed = false;
  const sendOne = async () => {
    const exchange = await sender.send(probe);
    done();
    sender.tell({ kind: 'exhausting', remaining: exchange?.rate.remaining });
    if (!isLetThrough(exchange, usual)) isOver = true;
    else if (exchange) count(use, exchange);
  };
  while (!isOver && !sender.stopped() && !options.signal?.aborted) {
    const last = lastOf(sender, probe.operation);
    const counts = falls && last !== undefined && windowOf(last, sender.limits()) === 'minute';
    if (counts && isIdle(use, now())) {
      await Promise.all(underWay);
      return exhaustAnother(probe, candidates, sender, done);
    }
    if (isExcessive(use, counts, now(), underWay.size)) break;
    // The last one is for the recovery.
    if (sender.budget.left('withKey') <= 1) {
      await Promise.all(underWay);
      if (!isOver && !isExcessive(use, counts, now(), 0)) skipAll(candidates, sender, MOST_SENT);
      break;
    }
    if (use.ended >= MAX_WINDOWS || now() - began > MAX_WINDOWS * MINUTE_S * 1000) {
      await Promise.all(underWay);
      return skipAll(candidates, sender, {
        reason: `${limit} requests a minute cannot be sent: the answers take too long (--concurrency may help)`,
      });
    }
    const isNear =
      pace.narrow(way, options.concurrency, now()) ||
      (!counts && isExcessive(use, counts, now(), underWay.size + limit + options.concurrency));
    if (underWay.size >= (isNear ? 1 : options.concurrency)) {
      await Promise.race(underWay);
      continue;
    }
    if (isNear && !isRenewed) {
      // A limit that is counted by connection is none of the key: the last requests go out on new ones.
      isRenewed = true;
      await sender.transport.renew();
    }
    const sending: Promise<void> = sendOne().finally(() => underWay.delete(sending));
    underWay.add(sending);
  }
  await Promise.all(underWay);
  return probe;
}

/**
 * A limit may leave out what a cache answers: then the same request over and over uses up nothing, though Remaining
 * falls with others. Which requests count is not shown.
 */
function exhaustAnother(
  idle: Probe,
  candidates: readonly Probe[],
  sender: Sender,
  done: () => void,
): Promise<Probe | undefined> | undefined {
  const others = candidates.filter((each) => each !== idle && fallsOn(sender, each.operation));
  if (others.length > 0) return exhaust(others, sender, done);
  return skipAll(candidates, sender, {
    reason: 'Remaining stays what it is while the same request is repeated: repetitions are not counted',
  });
}

export function skipAll(candidates: readonly Probe[], sender: Sender, reason: Reason): undefined {
  for (const each of candidates) sender.skip(each, reason);
  return undefined;
}

/** Waits for the next window where the rest of this one cannot be used up before it ends. */
async function roomForRest(sender: Sender, operation: string, limit: number): Promise<void> {
  const [before, last] = ofOperation(sender, operation).slice(-2);
  const away = last && secondsToReset(last);
  // A Reset that moves with every request is no end of a window.
  if (!last || away === undefined || before?.rate.reset !== last.rate.reset) return;
  // Other requests may have gone out since.
  const now = sender.options.clock.now();
  const ahead = away - (now - last.receivedAt) / 1000;
  const left = sender.pace.remaining({ operation, address: 'baseUrl' }, now) ?? limit;
  const seconds = sender.exchanges.map(({ sentAt, receivedAt }) => (receivedAt - sentAt) / 1000);
  const mean = seconds.reduce((sum, each) => sum + each, 0) / seconds.length;
  const longest = Math.max(...seconds);
  const { concurrency } = sender.options;
  // Near the limit, one goes at a time; and any of them may be as slow as the slowest so far.
  const needed = (share: number) =>
    ((Math.max(0, share - concurrency) / concurrency + Math.min(share, concurrency) + 1) * mean + longest) *
    1.2;
  const fitsNext = needed(limit) < MINUTE_S;
  const ms = (ahead + 1) * 1000;
  if (ahead > 0 && ahead < needed(left) && fitsNext && ms < sender.timeLeft())
    await sender.waitFor(ms, 'the window ends too soon to be used up');
}

/** Whether a request was answered as long as nothing is in its way: with a success, or as this operation always is. */
export function isLetThrough(exchange: Exchange | undefined, usual: number | undefined): boolean {
  const status = exchange?.response?.status;
  return status !== undefined && status !== 429 && (status === usual || (status >= 200 && status <= 299));
}

/** Takes an accepted request into account. */
function count(use: Use, exchange: Exchange): void {
  const { remaining, reset } = exchange.rate;
  const isReset = reset !== undefined && use.reset !== undefined && reset - use.reset >= NEXT_WINDOW_S;
  const away = secondsToReset(exchange) ?? 0;
  // Without a Reset that can be believed, a Remaining that jumps up tells of the next window.
  const isJump =
    away <= 0 &&
    remaining !== undefined &&
    use.remaining !== undefined &&
    remaining > use.remaining + exchange.inFlight + use.limit / 4;
  if (isReset || isJump) {
    use.since = exchange.sentAt;
    use.sent = 0;
    delete use.promised;
    use.over = 0;
    use.ended += 1;
    delete use.zeroSince;
  }
  if (use.sent === 0) use.idle = 0;
  else if (use.idle !== undefined && remaining === use.remaining) use.idle += 1;
  else delete use.idle;
  if (reset !== undefined) use.reset = reset;
  if (remaining !== undefined) use.remaining = remaining;
  use.sent += 1;
  // Those under way together may be answered in another order than they were counted.
  if (remaining !== undefined) use.promised ??= Math.min(remaining + exchange.inFlight, use.limit);
  if (use.zeroSince !== undefined && exchange.sentAt >= use.zeroSince) use.over += 1;
  if (remaining !== 0) delete use.zeroSince;
  else use.zeroSince ??= exchange.receivedAt;
}

/** What an honest limiter may give back in a time. Remaining is rounded down: a part of a request may be there, too. */
function refillOf({ limit }: Use, since: number, now: number): number {
  return Math.ceil((limit * (now - since)) / 1000 / MINUTE_S);
}

/** Whether repeating the request uses up nothing, though no refill makes up for it. */
function isIdle(use: Use, now: number): boolean {
  const { idle = 0, remaining = 0 } = use;
  return idle >= IDLE && remaining > 0 && idle > refillOf(use, use.since, now);
}

/** Whether more was let through than an honest limiter lets through, whatever it refills meanwhile. */
function isExcessive(use: Use, countsDown: boolean, now: number, underWay: number): boolean {
  const refilled = (since: number) => refillOf(use, since, now);
  const sent = use.sent + underWay;
  if (!countsDown) return sent > 2 * use.limit + refilled(use.since);
  if (use.zeroSince !== undefined && use.over > refilled(use.zeroSince)) return true;
  return sent > (use.promised ?? use.limit) + refilled(use.since) + 1;
}
