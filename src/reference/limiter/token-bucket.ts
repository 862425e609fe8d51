import type { Algorithm } from './count.ts';

/**
 * A bucket of `limit` tokens that refills evenly within one window; a request takes one token. One token is `windowMs`
 * drops, and `limit` drops fall every millisecond, so that all numbers are integers.
 */
export const tokenBucket: Algorithm = (limit, windowMs) => {
  const capacity = limit * windowMs;
  let level = capacity;
  let at = 0;
  function fill(now: number): void {
    level = Math.min(capacity, level + (now - at) * limit);
    at = now;
  }
  const reaches = (drops: number) => at + Math.ceil((Math.min(capacity, drops) - level) / limit);
  return {
    figures: (now) => {
      fill(now);
      const remaining = Math.floor(level / windowMs);
      return {
        limit,
        remaining,
        isPartLeft: level > remaining * windowMs,
        nextAt: reaches((remaining + 1) * windowMs),
        fullAt: reaches(capacity),
      };
    },
    add: (now) => {
      fill(now);
      level -= windowMs;
    },
  };
};
