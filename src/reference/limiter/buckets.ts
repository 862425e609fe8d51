import type { Algorithm } from './count.ts';

/** A bucket of `limit` tokens that refills evenly within one window; a request takes one token. */
export const tokenBucket = refilledEvery(() => 1);

/** The same, but what has come back since is added every sixth of a window: every ten seconds, for a minute. */
export const tokenBucketInLots = refilledEvery((windowMs) => Math.ceil(windowMs / 6));

/**
 * One token is `windowMs` drops, and `limit` drops fall every millisecond, so that all numbers are integers.
 * @param periodOf how often drops are added, in ms, by the length of the window
 */
function refilledEvery(periodOf: (windowMs: number) => number): Algorithm {
  return (limit, windowMs) => {
    const capacity = limit * windowMs;
    const period = periodOf(windowMs);
    let level = capacity;
    let at = 0;
    function fill(now: number): void {
      const since = Math.floor((now - at) / period) * period;
      level = Math.min(capacity, level + since * limit);
      at += since;
    }
    const reaches = (drops: number) =>
      at + Math.ceil((Math.min(capacity, drops) - level) / limit / period) * period;
    return {
      figures: (now) => {
        fill(now);
        const remaining = Math.floor(level / windowMs);
        return {
          limit,
          remaining,
          isPartLeft: level > remaining * windowMs,
          nextAt: Math.max(now, reaches((remaining + 1) * windowMs)),
          fullAt: Math.max(now, reaches(capacity)),
        };
      },
      add: (now) => {
        fill(now);
        level -= windowMs;
      },
      giveBack: () => {
        level = Math.min(capacity, level + windowMs);
      },
    };
  };
}
