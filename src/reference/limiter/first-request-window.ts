import type { Algorithm } from './count.ts';

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
