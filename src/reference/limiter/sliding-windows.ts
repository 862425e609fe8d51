import type { Algorithm, Count } from './verdict.ts';

/** Every request counts for exactly the length of one window. */
export const slidingLog = loggedBy(() => 1);

/** The same in segments of a sixth of a window: what a segment has counted ends as a whole, one window after the segment began. */
export const slidingSegments = loggedBy((windowMs) => Math.ceil(windowMs / 6));

/** @param segmentOf how long requests are counted together, in ms, by the length of the window */
function loggedBy(segmentOf: (windowMs: number) => number): Algorithm {
  return (limit, windowMs) => {
    const segment = segmentOf(windowMs);
    const begun = (now: number) => now - (now % segment);
    const log: number[] = [];
    /** Entries before this index have expired. Removing them one at a time would copy the whole log each time. */
    let first = 0;
    function forget(now: number): void {
      while (first < log.length && (log[first] ?? 0) + windowMs <= now) first += 1;
      if (first <= log.length / 2) return;
      log.splice(0, first);
      first = 0;
    }
    return {
      figures: (now) => {
        forget(now);
        const [oldest, latest] = [log[first], log.at(-1)];
        const used = log.length - first;
        if (used === 0 || oldest === undefined || latest === undefined)
          return { limit, remaining: limit, nextAt: now, fullAt: now };
        return { limit, remaining: limit - used, nextAt: oldest + windowMs, fullAt: latest + windowMs };
      },
      add: (now) => {
        forget(now);
        log.push(begun(now));
      },
      giveBack: (countedAt) => {
        const index = log.lastIndexOf(begun(countedAt));
        if (index >= first) log.splice(index, 1);
      },
    };
  };
}

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
