import type { Algorithm } from './verdict.ts';

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

/**
 * The generic cell rate algorithm (ITU-T I.371), a leaky bucket as a meter: requests are due at even intervals
 * of `windowMs / limit`, and the theoretical arrival time may run ahead of the clock by at most one window.
 * `ahead` is that lead in units of 1/`limit` milliseconds, so that the interval is the integer `windowMs`.
 */
export const gcra: Algorithm = (limit, windowMs) => {
  const tolerance = limit * windowMs;
  let ahead = 0;
  let at = 0;
  function drain(now: number): void {
    ahead = Math.max(0, ahead - (now - at) * limit);
    at = now;
  }
  const fallsTo = (lead: number) => at + Math.ceil(Math.max(0, ahead - lead) / limit);
  return {
    figures: (now) => {
      drain(now);
      const remaining = Math.floor((tolerance - ahead) / windowMs);
      return {
        limit,
        remaining,
        isPartLeft: tolerance - ahead > remaining * windowMs,
        nextAt: fallsTo(tolerance - (remaining + 1) * windowMs),
        fullAt: fallsTo(0),
      };
    },
    add: (now) => {
      drain(now);
      ahead += windowMs;
    },
  };
};
