import type { Algorithm } from './count.ts';

/**
 * A bucket of `limit` tokens that fills evenly, full after one window; a request takes one token. One token is
 * `windowMs` drops, and every millisecond `limit` drops fall: integers throughout.
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
      return { limit, remaining, nextAt: reaches((remaining + 1) * windowMs), fullAt: reaches(capacity) };
    },
    add: (now) => {
      fill(now);
      level -= windowMs;
    },
  };
};
