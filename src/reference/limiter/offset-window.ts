import type { Algorithm } from './count.ts';
import { fixedWindow } from './fixed-windows.ts';

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
