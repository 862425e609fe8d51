import type { Algorithm } from './count.ts';

/**
 * Two counters approximate a sliding window: the requests of this window, plus those of the last window in
 * proportion to its overlap. Usage is kept in request-milliseconds, which are integers.
 */
export const slidingCounter: Algorithm = (limit, windowMs) => {
  let start = 0;
  let last = 0;
  let current = 0;
  function roll(now: number): void {
    const passed = Math.floor((now - start) / windowMs);
    if (passed < 1) return;
    start += passed * windowMs;
    last = passed === 1 ? current : 0;
    current = 0;
  }
  /** The earliest time at which the usage is at most `most` requests. */
  function earliest(now: number, most: number): number {
    if (current > most) return start + 2 * windowMs - Math.floor((most * windowMs) / current);
    if (last === 0) return now;
    return Math.max(now, start + windowMs - Math.floor(((most - current) * windowMs) / last));
  }
  return {
    figures: (now) => {
      roll(now);
      const usage = last * (start + windowMs - now) + current * windowMs;
      const free = limit * windowMs - usage;
      const remaining = Math.floor(free / windowMs);
      const nextAt = remaining === limit ? now : earliest(now, limit - remaining - 1);
      return { limit, remaining, isPartLeft: free > remaining * windowMs, nextAt, fullAt: earliest(now, 0) };
    },
    add: (now) => {
      roll(now);
      current += 1;
    },
    giveBack: (countedAt) => {
      if (countedAt >= start && current > 0) current -= 1;
      else if (countedAt < start && last > 0) last -= 1;
    },
  };
};
