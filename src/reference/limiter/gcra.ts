import type { Algorithm } from './count.ts';

/**
 * The generic cell rate algorithm (ITU-T I.371), a leaky bucket as a meter: requests are due at even intervals
 * of `windowMs / limit`, and the theoretical arrival time may run ahead of the clock by at most one window.
 * `ahead` is that lead in units of 1/`limit` milliseconds, so that the interval is the integer `windowMs`.
 */
export const gcra: Algorithm = (limit, windowMs) => {
  const tolerance = limit * windowMs;
  let ahead = 0;
  let at = 0;
  function drain(now: number): void {
    ahead = Math.max(0, ahead - (now - at) * limit);
    at = now;
  }
  const fallsTo = (lead: number) => at + Math.ceil(Math.max(0, ahead - lead) / limit);
  return {
    figures: (now) => {
      drain(now);
      const remaining = Math.floor((tolerance - ahead) / windowMs);
      return {
        limit,
        remaining,
        isPartLeft: tolerance - ahead > remaining * windowMs,
        nextAt: fallsTo(tolerance - (remaining + 1) * windowMs),
        fullAt: fallsTo(0),
      };
    },
    add: (now) => {
      drain(now);
      ahead += windowMs;
    },
  };
};
