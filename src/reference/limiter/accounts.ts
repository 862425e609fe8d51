import type { AlgorithmName, LimiterSettings, Plan, UsedRequests } from '../settings.ts';
import { gcra, tokenBucket, tokenBucketInLots } from './buckets.ts';
import { firstRequestWindow, fixedWindow, offsetWindow } from './fixed-windows.ts';
import { slidingCounter, slidingLog, slidingSegments, wholeSlidingCounter } from './sliding-windows.ts';
import type { Algorithm, Count } from './verdict.ts';

const ALGORITHMS: Readonly<Record<AlgorithmName, Algorithm>> = {
  'fixed-window': fixedWindow,
  'offset-window': offsetWindow,
  'first-request-window': firstRequestWindow,
  'sliding-log': slidingLog,
  'sliding-segments': slidingSegments,
  'sliding-counter': slidingCounter,
  'whole-sliding-counter': wholeSlidingCounter,
  'token-bucket': tokenBucket,
  'token-bucket-in-lots': tokenBucketInLots,
  gcra,
};
const DAY_MS = 86_400_000;

/** The counts of a client: of the minute and, if both windows are limited, of the day. */
interface Account {
  counts: readonly Count[];
  /** How many requests another client with the same key has sent. */
  arrived: number;
}

/** The counts of a limiter: an account for each client name. */
export class Accounts {
  readonly #plan: Plan;
  readonly #settings: LimiterSettings;
  readonly #start: number;
  readonly #accounts = new Map<string, Account>();

  /** @param start of the run, in ms since the epoch; `used` requests were sent before it */
  constructor(plan: Plan, settings: LimiterSettings, start: number) {
    this.#plan = plan;
    this.#settings = settings;
    this.#start = start;
  }

  /** The counts of a client that has sent nothing. */
  emptyCounts(): readonly Count[] {
    const { algorithm, windows, minute, leeway } = this.#settings;
    const count = ALGORITHMS[algorithm];
    const ofMinute = count(this.#plan.minute + leeway, minute);
    return windows === 'both' ? [ofMinute, count(this.#plan.day + leeway, DAY_MS)] : [ofMinute];
  }

  /** The client's counts, including the requests that the other client has sent by now. */
  countsOf(client: string, now: number): readonly Count[] {
    const account = this.#accounts.get(client) ?? this.#open(client);
    const { perSecond } = this.#settings.background;
    const due = Math.floor(((now - this.#start) * perSecond) / 1000);
    for (; account.arrived < due; account.arrived++)
      countOne(account.counts, this.#start + Math.floor(((account.arrived + 1) * 1000) / perSecond));
    return account.counts;
  }

  #open(client: string): Account {
    const counts = this.emptyCounts();
    const { used, usedToday } = this.#settings;
    const { minute, day } = this.#plan;
    const spent = Math.min(spentOf(used, minute, this.#plan), minute);
    const spentToday = Math.min(Math.max(spent, spentOf(usedToday, day, this.#plan)), day);
    for (const [index, count] of counts.entries())
      for (let n = index === 0 ? spent : spentToday; n > 0; n--) count.add(this.#start);
    const account = { counts, arrived: 0 };
    this.#accounts.set(client, account);
    return account;
  }
}

/** Counts a request in all windows if every window allows it, and otherwise in none. @returns whether it was counted */
export function countOne(counts: readonly Count[], now: number): boolean {
  if (counts.some((count) => count.figures(now).remaining < 1)) return false;
  for (const count of counts) count.add(now);
  return true;
}

function spentOf(used: UsedRequests, limit: number, plan: Plan): number {
  return typeof used === 'number' ? used : limit - used.left - (used.minutes ?? 0) * plan.minute;
}
