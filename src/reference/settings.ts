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
  | 'offset-window'
  | 'first-request-window'
  | 'sliding-log'
  | 'sliding-segments'
  | 'sliding-counter'
  | 'whole-sliding-counter'
  | 'token-bucket'
  | 'token-bucket-in-lots'
  | 'gcra';

/** A number of requests, or all of the window's limit except `left`, and `minutes` times the limit of a minute. */
export type UsedRequests = number | { left: number; minutes?: number };

/** How the limiter behaves. The interface leaves all of this open (Limits; Rate limit headers). */
export interface LimiterSettings {
  algorithm: AlgorithmName;
  windows: 'minute' | 'both';
  /** Length of the shorter window in ms: a minute, or less for quicker tests. */
  minute: number;
  /** The window that the headers describe; `tightest`: that with the fewest requests left; `in-turn`: minute and day in turn. */
  describes: 'minute' | 'day' | 'tightest' | 'in-turn';
  /** Meaning of X-RateLimit-Reset if requests become available singly: when all are, or when the next request is. */
  resetMeans: 'full' | 'next';
  /** How Reset and Retry-After are rounded to seconds. With `down`, a client may return up to a second early. */
  rounding: 'up' | 'down' | 'second-longer';
  /** How Remaining is rounded, if part of a request is available. With `up`, a 429 may come at Remaining 1. */
  remainingRounded: 'down' | 'up';
  retryAfter: 'seconds' | 'http-date';
  /** What is counted together. */
  scope: 'key' | 'key-and-operation' | 'key-and-path' | 'key-and-method' | 'address';
  /** Operations that are counted together, and apart from the others. */
  apart: readonly OperationId[];
  /** Requests outside are never rejected and never counted. Only `all` includes unknown paths. */
  covers: 'all' | readonly OperationId[];
  /** How many requests a request of an operation counts as: without a weight, one. If fewer remain, it takes all of them. */
  weights: Partial<Record<OperationId, number>>;
  /** Requests without a valid key count too, and get 429 when none are left. */
  counts401: boolean;
  /** Other 4xx answers count (never a 429). */
  counts4xx: boolean;
  /** What counts only until it is answered: other 4xx (never a 429), or added animals, which violates the interface. */
  givenBack: 'nothing' | '4xx' | 'additions';
  /** A repeated GET of these operations is served from a cache and does not count. */
  freeRepeats: readonly OperationId[];
  /** How long (ms) that cache keeps a response. If not forever, its responses have an Age. */
  freeRepeatsForMs: number;
  /** Requests used before a run, in both windows. `left` refers to the minute. */
  used: UsedRequests;
  /** Requests used today, if more than `used`. */
  usedToday: UsedRequests;
  /** Another client with the same key: requests per second, and requests before each of ours, on average. */
  background: { perSecond: number; perRequest: number };
  /** Whether messages are counted apart from requests to the base address. */
  messages: 'separate' | 'shared';
  /** Requests allowed beyond the limit in the headers; fewer, if negative. Unless it is announced, it violates the interface. */
  leeway: number;
}

export interface Settings {
  /** Path of the base address. It violates the interface if it does not end with `/v1`. */
  basePath: string;
  /** Seconds by which the server's clock is ahead, for Date, Reset, other dates and window boundaries. */
  clockSkew: number;
  /** Animals in the store at the start. */
  animals: number;
  /** The id of the first animal; the others follow. */
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
    remainingRounded: 'down',
    retryAfter: 'seconds',
    scope: 'key',
    apart: [],
    covers: 'all',
    weights: {},
    counts401: false,
    counts4xx: true,
    givenBack: 'nothing',
    freeRepeats: [],
    freeRepeatsForMs: Number.POSITIVE_INFINITY,
    used: 0,
    usedToday: 0,
    background: { perSecond: 0, perRequest: 0 },
    messages: 'separate',
    leeway: 0,
  },
};

/** Merges changes in order, also inside the limiter's settings. */
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

/** The limits of a plan. */
export function planFigures(plan: PlanName | Plan): Plan {
  return typeof plan === 'string' ? PLANS[plan] : plan;
}
