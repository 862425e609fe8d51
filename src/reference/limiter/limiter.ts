import type { AlgorithmName, LimiterSettings, Plan, Used } from '../settings.ts';
import type { Algorithm, Count, Figures } from './count.ts';
import { firstRequestWindow } from './first-request-window.ts';
import { fixedWindow } from './fixed-window.ts';
import { gcra } from './gcra.ts';
import { offsetWindow } from './offset-window.ts';
import { slidingCounter } from './sliding-counter.ts';
import { slidingLog } from './sliding-log.ts';
import { tokenBucket } from './token-bucket.ts';

const ALGORITHMS: Readonly<Record<AlgorithmName, Algorithm>> = {
  'fixed-window': fixedWindow,
  'offset-window': offsetWindow,
  'first-request-window': firstRequestWindow,
  'sliding-log': slidingLog,
  'sliding-counter': slidingCounter,
  'token-bucket': tokenBucket,
  gcra,
};
const DAY_MS = 86_400_000;

/** The limiter's decision on one request. Times are milliseconds since the epoch. */
export interface Verdict {
  allowed: boolean;
  /** For the three headers: figures of the window that they describe, with this request counted. */
  limit: number;
  remaining: number;
  resetAt: number;
  /** The earliest time at which a request is allowed; now, if requests remain. */
  retryAt: number;
}

export type Limiter = ReturnType<typeof createLimiter>;

/** The counts of one client: of the minute and, if both windows are limited, of the day. */
interface Account {
  counts: readonly Count[];
  /** How many requests another client with the same key has sent. */
  arrived: number;
}

/**
 * A limiter for a plan (interface: Limits). A request is allowed if every window allows it; then it counts in all of
 * them. A rejected one counts in none. There is one account per client name, so the caller's choice of names bounds the
 * memory.
 * @param start of the run, in ms since the epoch; `used` requests were sent before it
 */
export function createLimiter(plan: Plan, settings: LimiterSettings, start: number) {
  const { leeway, background } = settings;
  const algorithm = ALGORITHMS[settings.algorithm];
  const windows = settings.windows === 'both' ? [settings.minute, DAY_MS] : [settings.minute];
  const limits = [plan.minute, plan.day];
  const accounts = new Map<string, Account>();
  const untouched = emptyCounts();
  let latest = start;

  function emptyCounts(): Count[] {
    return windows.map((windowMs, index) => algorithm((limits[index] ?? 0) + leeway, windowMs));
  }

  function open(client: string): Account {
    const counts = emptyCounts();
    const spent = Math.min(spentOf(settings.used, plan.minute, plan), plan.minute);
    const spentToday = Math.min(Math.max(spent, spentOf(settings.usedToday, plan.day, plan)), plan.day);
    for (const [index, count] of counts.entries())
      for (let n = index === 0 ? spent : spentToday; n > 0; n--) count.add(start);
    const account = { counts, arrived: 0 };
    accounts.set(client, account);
    return account;
  }

  /** The client's counts, including the requests that the other client has sent by now. */
  function countsOf(client: string, now: number): readonly Count[] {
    const account = accounts.get(client) ?? open(client);
    const due = Math.floor(((now - start) * background.perSecond) / 1000);
    for (; account.arrived < due; account.arrived++)
      addOne(account.counts, start + Math.floor(((account.arrived + 1) * 1000) / background.perSecond));
    return account.counts;
  }

  function add(counts: readonly Count[], now: number, weight: number): boolean {
    const isAllowed = addOne(counts, now);
    for (let n = 1; n < weight; n++) addOne(counts, now);
    return isAllowed;
  }

  function addOne(counts: readonly Count[], now: number): boolean {
    if (counts.some((count) => count.figures(now).remaining < 1)) return false;
    for (const count of counts) count.add(now);
    return true;
  }

  /** The verdict by the counts. `passed`: a request was just counted. */
  function verdict(counts: readonly Count[], now: number, passed: boolean): Verdict {
    const all = counts.map((count) => count.figures(now));
    const described = describedBy(all, settings.describes);
    return {
      allowed: passed || all.every((figures) => figures.remaining >= 1),
      limit: described.limit - leeway,
      remaining: Math.min(described.limit - leeway, Math.max(0, toldOf(described) - leeway)),
      resetAt: settings.resetMeans === 'full' ? described.fullAt : described.nextAt,
      retryAt: Math.max(...all.map((figures) => (figures.remaining < 1 ? figures.nextAt : now))),
    };
  }

  function toldOf({ remaining, isPartLeft }: Figures): number {
    return isPartLeft && settings.remainingRounded === 'up' ? remaining + 1 : remaining;
  }

  /** Counts need whole milliseconds that never go back, even if a stalled answer is counted late. */
  function forward(now: number): number {
    latest = Math.max(latest, Math.floor(now));
    return latest;
  }

  return {
    /** The time at which a request that arrives now is counted. */
    timeOf: forward,
    /** Counts a request of `client` if it is allowed, as `weight` requests if as many remain. */
    take: (client: string, at: number, weight = 1): Verdict => {
      const now = forward(at);
      const counts = countsOf(client, now);
      for (let n = 0; n < background.perRequest; n++) addOne(counts, now);
      return verdict(counts, now, add(counts, now, weight));
    },
    /** Makes requests available again that `take` counted then. */
    giveBack: (client: string, countedAt: number, requests: number): void => {
      for (const count of countsOf(client, latest))
        for (let n = 0; n < requests; n++) count.giveBack?.(countedAt);
    },
    /** What `take` would decide, without counting. */
    look: (client: string, at: number): Verdict => {
      const now = forward(at);
      return verdict(countsOf(client, now), now, false);
    },
    /** The figures of a client that has sent nothing. */
    unused: (at: number): Verdict => verdict(untouched, forward(at), true),
  };
}

function spentOf(used: Used, limit: number, plan: Plan): number {
  return typeof used === 'number' ? used : limit - used.left - (used.minutes ?? 0) * plan.minute;
}

function describedBy(all: readonly Figures[], describes: LimiterSettings['describes']): Figures {
  const [minute, day] = all;
  if (minute === undefined) throw new Error('a limiter has at least one window');
  if (day === undefined || describes === 'minute') return minute;
  if (describes === 'day' || day.remaining < minute.remaining) return day;
  // Both are used up: the one that reopens last is in force.
  return day.remaining === 0 && day.nextAt > minute.nextAt ? day : minute;
}
