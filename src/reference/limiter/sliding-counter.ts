import type { Algorithm, Count } from './count.ts';

/**
 * Two counters approximate a sliding window: the requests of this window, plus those of the last window in
 * proportion to its overlap. Usage is kept in request-milliseconds, which are integers.
 */
export const slidingCounter: Algorithm = (limit, windowMs) => counter(limit, windowMs, false);

/** A sliding counter that rounds down what the last window counts, as those do that keep whole numbers. */
export const wholeSlidingCounter: Algorithm = (limit, windowMs) => counter(limit, windowMs, true);

function counter(limit: number, windowMs: number, isWhole: boolean): Count {
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
  /** How long (ms) before its overlap ends a window of `count` requests counts at most `most`. */
  function overlap(most: number, count: number): number {
    return isWhole ? Math.ceil(((most + 1) * windowMs) / count) - 1 : Math.floor((most * windowMs) / count);
  }
  /** The earliest time at which the usage is at most `most` requests. */
  function earliest(now: number, most: number): number {
    if (current > most) return start + 2 * windowMs - overlap(most, current);
    if (last === 0) return now;
    return Math.max(now, start + windowMs - overlap(most - current, last));
  }
  return {
    figures: (now) => {
      roll(now);
      const before = last * (start + windowMs - now);
      const usage = (isWhole ? before - (before % windowMs) : before) + current * windowMs;
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
}
