import type { AlgorithmName, LimiterSettings, Plan, Used } from '../settings.ts';
import type { Algorithm, Count, Figures } from './count.ts';
import { firstRequestWindow } from './first-request-window.ts';
import { fixedWindow } from './fixed-window.ts';
import { gcra } from './gcra.ts';
import { slidingCounter } from './sliding-counter.ts';
import { slidingLog } from './sliding-log.ts';
import { tokenBucket } from './token-bucket.ts';

const ALGORITHMS: Readonly<Record<AlgorithmName, Algorithm>> = {
  'fixed-window': fixedWindow,
  'first-request-window': firstRequestWindow,
  'sliding-log': slidingLog,
  'sliding-counter': slidingCounter,
  'token-bucket': tokenBucket,
  gcra,
};
const DAY = 86_400_000;

/** What the limiter says to one request. Times are milliseconds since the epoch. */
export interface Verdict {
  allowed: boolean;
  /** For the three headers: the figures of the window that they describe, this request already counted. */
  limit: number;
  remaining: number;
  resetAt: number;
  /** The earliest moment at which a request is let through; the present one where requests are left. */
  retryAt: number;
}

export interface Limiter {
  /** Counts a request of `client`, unless it is refused. */
  take(client: string, now: number): Verdict;
  /** What `take` would decide, with nothing counted. */
  look(client: string, now: number): Verdict;
  /** The plan's figures, as somebody sees them who has sent nothing. */
  unused(now: number): Verdict;
}

/** The counts of one client: of the minute, and of the day where both windows are kept. */
interface Account {
  counts: readonly Count[];
  /** How many requests of the other client at the same key have arrived by the clock. */
  arrived: number;
}

/**
 * A limiter for a plan (interface: Limits). A request passes when every window lets it pass, and then counts in
 * all of them; a refused one counts in none. There is one account for each client name, so memory is bounded by
 * the callers' choice of names.
 * @param start the moment, in ms since the epoch, at which the run starts with `used` requests spent
 */
export function createLimiter(plan: Plan, settings: LimiterSettings, start: number): Limiter {
  const { leeway, background } = settings;
  const algorithm = ALGORITHMS[settings.algorithm];
  const windows = settings.windows === 'both' ? [settings.minute, DAY] : [settings.minute];
  const limits = [plan.minute, plan.day];
  const accounts = new Map<string, Account>();
  const untouched = emptyCounts();
  let latest = start;

  function emptyCounts(): Count[] {
    return windows.map((windowMs, index) => algorithm((limits[index] ?? 0) + leeway, windowMs));
  }

  function open(client: string): Account {
    const counts = emptyCounts();
    const spent = Math.min(spentOf(settings.used, plan.minute), plan.minute);
    const spentToday = Math.min(Math.max(spent, spentOf(settings.usedToday, plan.day)), plan.day);
    for (const [index, count] of counts.entries())
      for (let n = index === 0 ? spent : spentToday; n > 0; n--) count.add(start);
    const account = { counts, arrived: 0 };
    accounts.set(client, account);
    return account;
  }

  /** The client's counts once the other client's requests are in that have arrived by now. */
  function countsOf(client: string, now: number): readonly Count[] {
    const account = accounts.get(client) ?? open(client);
    const due = Math.floor(((now - start) * background.perSecond) / 1000);
    for (; account.arrived < due; account.arrived++)
      addOne(account.counts, start + Math.floor(((account.arrived + 1) * 1000) / background.perSecond));
    return account.counts;
  }

  function addOne(counts: readonly Count[], now: number): boolean {
    if (counts.some((count) => count.figures(now).remaining < 1)) return false;
    for (const count of counts) count.add(now);
    return true;
  }

  /** What the counts say; of a request that was just counted, `passed` says that it was. */
  function verdict(counts: readonly Count[], now: number, passed: boolean): Verdict {
    const all = counts.map((count) => count.figures(now));
    const described = describedBy(all, settings.describes);
    return {
      allowed: passed || all.every((figures) => figures.remaining >= 1),
      limit: described.limit - leeway,
      remaining: Math.min(described.limit - leeway, Math.max(0, described.remaining - leeway)),
      resetAt: settings.resetMeans === 'full' ? described.fullAt : described.nextAt,
      retryAt: Math.max(...all.map((figures) => (figures.remaining < 1 ? figures.nextAt : now))),
    };
  }

  /** Counts take whole milliseconds that never go back, also while a stalled answer is counted late. */
  function forward(now: number): number {
    latest = Math.max(latest, Math.floor(now));
    return latest;
  }

  return {
    take: (client, at) => {
      const now = forward(at);
      const counts = countsOf(client, now);
      for (let n = 0; n < background.perRequest; n++) addOne(counts, now);
      return verdict(counts, now, addOne(counts, now));
    },
    look: (client, at) => {
      const now = forward(at);
      return verdict(countsOf(client, now), now, false);
    },
    unused: (at) => verdict(untouched, forward(at), true),
  };
}

function spentOf(used: Used, limit: number): number {
  return typeof used === 'number' ? used : limit - used.left;
}

function describedBy(all: readonly Figures[], describes: LimiterSettings['describes']): Figures {
  const [minute, day] = all;
  if (minute === undefined) throw new Error('a limiter has at least one window');
  if (day === undefined || describes === 'minute') return minute;
  if (describes === 'day' || day.remaining < minute.remaining) return day;
  // Both are used up: the one that opens last is in force.
  return day.remaining === 0 && day.nextAt > minute.nextAt ? day : minute;
}
