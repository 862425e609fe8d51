import type { LimiterSettings } from '../settings.ts';
import type { Count, WindowFigures } from './count.ts';

/** The limiter's decision on one request. Times are milliseconds since the epoch. */
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
  // Both are used up: the one that reopens last is in force.
  return day.remaining === 0 && day.nextAt > minute.nextAt ? day : minute;
}
