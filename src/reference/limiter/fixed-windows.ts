import type { Algorithm } from './count.ts';

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
