import type { HeaderField } from '../http/answer.ts';
import type { LimiterSettings } from '../settings.ts';

/** The state of a window at a moment. Times are milliseconds since the epoch. */
export interface WindowFigures {
  limit: number;
  /** Requests that would be allowed now. */
  remaining: number;
  /** Whether part of another request is available. */
  isPartLeft?: boolean;
  /** When the next request becomes available; at `remaining` 0, the earliest time at which a request is allowed. */
  nextAt: number;
  /** When all are available again, if none is sent. */
  fullAt: number;
}

/**
 * The requests counted in a window for a client. Time is passed in and never goes back. It is in
 * whole milliseconds, so that all arithmetic is exact and announced times are neither early nor late.
 */
export interface Count {
  figures(now: number): WindowFigures;
  /** Counts one request. Call it only if `remaining` is at least 1. */
  add(now: number): void;
  /** Makes a request available again that was counted then, unless it is by now. */
  giveBack?(countedAt: number): void;
}

/** Makes an empty count: `limit` requests in `windowMs` milliseconds. */
export type Algorithm = (limit: number, windowMs: number) => Count;

/** The limiter's decision on a request. Times are milliseconds since the epoch. */
export interface LimiterVerdict {
  allowed: boolean;
  /** For the three headers: figures of the window that they describe, with this request counted. */
  limit: number;
  remaining: number;
  resetAt: number;
  /** Whether that window is the day. */
  isOfDay?: boolean;
  /** The earliest time at which a request is allowed; now, if requests remain. */
  retryAt: number;
}

/**
 * The verdict on a request by the counts of its client.
 * @param counts the minute, and the day if that is limited too; at least one
 * @param passed a request was just counted
 */
export function verdictOf(
  counts: readonly Count[],
  now: number,
  passed: boolean,
  settings: Pick<LimiterSettings, 'leeway' | 'describes' | 'resetMeans' | 'remainingRounded'>,
): LimiterVerdict {
  const all = counts.map((count) => count.figures(now));
  const described = describedBy(all, settings.describes);
  const limit = described.limit - settings.leeway;
  const isRoundedUp = described.isPartLeft && settings.remainingRounded === 'up';
  const remaining = described.remaining + (isRoundedUp ? 1 : 0);
  return {
    allowed: passed || all.every((figures) => figures.remaining >= 1),
    limit,
    remaining: Math.min(limit, Math.max(0, remaining - settings.leeway)),
    resetAt: settings.resetMeans === 'full' ? described.fullAt : described.nextAt,
    isOfDay: described === all[1],
    retryAt: Math.max(...all.map((figures) => (figures.remaining < 1 ? figures.nextAt : now))),
  };
}

function describedBy(all: readonly WindowFigures[], describes: LimiterSettings['describes']): WindowFigures {
  const [minute, day] = all;
  if (minute === undefined) throw new Error('a limiter has at least one window');
  if (day === undefined || describes === 'minute') return minute;
  if (describes === 'in-turn') return minute.remaining % 2 === 0 ? day : minute;
  if (describes === 'day' || day.remaining < minute.remaining) return day;
  // Both windows are used up: the window that reopens last is in force.
  return day.remaining === 0 && day.nextAt > minute.nextAt ? day : minute;
}

/** The three headers of every response (interface: Rate limit headers); Reset in Unix seconds. */
export function rateLimitHeaders(verdict: LimiterVerdict, { rounding }: LimiterSettings): HeaderField[] {
  return [
    ['X-RateLimit-Limit', String(verdict.limit)],
    ['X-RateLimit-Remaining', String(verdict.remaining)],
    ['X-RateLimit-Reset', String(wholeSeconds(verdict.resetAt, rounding))],
  ];
}

/** The `Retry-After` of a 429 (RFC 9110 §10.2.3): seconds from `now`, at least one, or a date. */
export function retryAfter({ retryAt }: LimiterVerdict, now: number, settings: LimiterSettings): HeaderField {
  const { rounding } = settings;
  if (settings.retryAfter === 'seconds')
    return ['Retry-After', String(Math.max(1, wholeSeconds(retryAt - now, rounding)))];
  return ['Retry-After', new Date(wholeSeconds(retryAt, rounding) * 1000).toUTCString()];
}

function wholeSeconds(ms: number, rounding: LimiterSettings['rounding']): number {
  if (rounding === 'down') return Math.max(0, Math.floor(ms / 1000));
  return Math.max(0, Math.ceil(ms / 1000)) + (rounding === 'second-longer' ? 1 : 0);
}
