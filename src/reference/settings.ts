import type { OperationId } from './http/call.ts';

/** Requests in a minute and in a day. */
export interface Plan {
  minute: number;
  day: number;
}
export type PlanName = 'free' | 'pro' | 'business';

/** Interface: Rate limits by plan. */
export const PLANS: Readonly<Record<PlanName, Plan>> = {
  free: { minute: 60, day: 1_000 },
  pro: { minute: 300, day: 10_000 },
  business: { minute: 1_000, day: 100_000 },
};

export type AlgorithmName =
  | 'fixed-window'
  | 'first-request-window'
  | 'sliding-log'
  | 'sliding-counter'
  | 'token-bucket'
  | 'gcra';

/** So many requests, or all but so many of the window's limit. */
export type Used = number | { left: number };

/** How the limiter behaves. The interface leaves all of this open (Limits; Rate limit headers). */
export interface LimiterSettings {
  algorithm: AlgorithmName;
  windows: 'minute' | 'both';
  /** ms that the shorter window lasts: a minute, unless somebody cannot wait for one. */
  minute: number;
  /** The window that the three headers describe; `tightest`: the one with the fewest requests left. */
  describes: 'minute' | 'day' | 'tightest';
  /** What X-RateLimit-Reset names where requests come back one by one: all are back, or the next one is. */
  resetMeans: 'full' | 'next';
  /** How Reset and Retry-After become whole seconds. `down` may ask a client back up to a second early. */
  rounding: 'up' | 'down' | 'second-longer';
  retryAfter: 'seconds' | 'http-date';
  /** What is counted together. */
  scope: 'key' | 'key-and-operation' | 'address';
  /** Requests outside are never refused and never counted; unknown paths belong to `all` alone. */
  covers: 'all' | readonly OperationId[];
  /** Without a valid key a request counts, too, and is refused with 429 when nothing is left. */
  counts401: boolean;
  /** Other 4xx answers count (never a 429). */
  counts4xx: boolean;
  /** A GET of these operations that was answered before comes from a cache, and counts no more. */
  freeRepeats: readonly OperationId[];
  /** Spent in both windows before the first request; of the minute, where it says what is left. */
  used: Used;
  /** Spent of the day in all, where that is more than `used`. */
  usedToday: Used;
  /** Another client on the same key: requests a second, and requests before each of ours. */
  background: { perSecond: number; perRequest: number };
  /** Whether the message address has a count of its own. */
  messages: 'separate' | 'shared';
  /** Requests let through beyond the limit that the headers state. Anything but 0 breaks the interface. */
  leeway: number;
}

export interface Settings {
  /** Path of the base address. Anything that does not end with `/v1` breaks the interface. */
  basePath: string;
  /** Seconds by which the server's clock is ahead: its Date, Reset, dates, and window boundaries. */
  clockSkew: number;
  /** Animals in the store at the start. */
  animals: number;
  /** The first of them has this id, the others follow. */
  firstId: bigint;
  limiter: LimiterSettings;
}

export type SettingsChange = Partial<Omit<Settings, 'limiter'>> & { limiter?: Partial<LimiterSettings> };

const DEFAULTS: Settings = {
  basePath: '/v1',
  clockSkew: 0,
  animals: 120,
  firstId: 1001n,
  limiter: {
    algorithm: 'fixed-window',
    windows: 'both',
    minute: 60_000,
    describes: 'tightest',
    resetMeans: 'full',
    rounding: 'up',
    retryAfter: 'seconds',
    scope: 'key',
    covers: 'all',
    counts401: false,
    counts4xx: true,
    freeRepeats: [],
    used: 0,
    usedToday: 0,
    background: { perSecond: 0, perRequest: 0 },
    messages: 'separate',
    leeway: 0,
  },
};

/** Changes applied in order, as one change; the limiter's settings merge one by one. */
export function mergeChanges(changes: readonly SettingsChange[]): SettingsChange {
  const merged: SettingsChange = {};
  for (const change of changes)
    Object.assign(merged, change, { limiter: { ...merged.limiter, ...change.limiter } });
  return merged;
}

/** The defaults with every change applied in order. */
export function mergeSettings(changes: readonly SettingsChange[]): Settings {
  const change = mergeChanges(changes);
  return { ...DEFAULTS, ...change, limiter: { ...DEFAULTS.limiter, ...change.limiter } };
}

/**
 * The figures of a plan.
 * @throws Error where a custom figure is no positive integer
 */
export function planFigures(plan: PlanName | Plan): Plan {
  const figures = typeof plan === 'string' ? PLANS[plan] : plan;
  for (const figure of [figures.minute, figures.day])
    if (!Number.isSafeInteger(figure) || figure < 1)
      throw new Error(`A plan's requests per minute and day are integers from 1 up, not ${figure}.`);
  return figures;
}
