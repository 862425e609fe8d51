import type { Algorithm } from './verdict.ts';

/** Windows start at the full UTC minute or at UTC midnight; all requests become available there. */
export const fixedWindow: Algorithm = (limit, windowMs) => {
  let window = 0;
  let used = 0;
  function roll(now: number): void {
    const current = Math.floor(now / windowMs);
    if (current === window) return;
    window = current;
    used = 0;
  }
  return {
    figures: (now) => {
      roll(now);
      const end = (window + 1) * windowMs;
      return { limit, remaining: limit - used, nextAt: end, fullAt: end };
    },
    add: (now) => {
      roll(now);
      used += 1;
    },
    giveBack: (countedAt) => {
      if (Math.floor(countedAt / windowMs) === window) used -= 1;
    },
  };
};

const OFFSET_MS = 17_000;

/** Windows start 17 seconds after the full UTC minute and after UTC midnight. */
export const offsetWindow: Algorithm = (limit, windowMs) => {
  const count = fixedWindow(limit, windowMs);
  return {
    figures: (now) => {
      const { nextAt, fullAt, ...rest } = count.figures(now - OFFSET_MS);
      return { ...rest, nextAt: nextAt + OFFSET_MS, fullAt: fullAt + OFFSET_MS };
    },
    add: (now) => count.add(now - OFFSET_MS),
  };
};

/** A window starts with the first request after the last window ended (like a counter that expires). */
export const firstRequestWindow: Algorithm = (limit, windowMs) => {
  let end = Number.NEGATIVE_INFINITY;
  let used = 0;
  return {
    figures: (now) => {
      const open = now < end;
      const at = open ? end : now + windowMs;
      return { limit, remaining: open ? limit - used : limit, nextAt: at, fullAt: at };
    },
    add: (now) => {
      if (now >= end) {
        end = now + windowMs;
        used = 0;
      }
      used += 1;
    },
    giveBack: (countedAt) => {
      if (countedAt >= end - windowMs) used -= 1;
    },
  };
};
