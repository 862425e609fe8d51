import type { Algorithm } from './count.ts';

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
