import { pairs } from 'd3-array';
import type { Figures, Observation } from './models/model.ts';
import { SHORTEST_MS } from './window-lengths.ts';

/** Remaining is rounded before and after a request. */
const ROUNDED = 2;

/** By how much Remaining fell for a request, at least and at most, but for rounding. */
interface Falls {
  lowest: number;
  highest: number;
}

/**
 * Whether Remaining falls alike for each request of a kind that came right after another of the count. If requests are taken to be
 * counted together that are not, or apart, it does not.
 */
export function isSteady(observations: readonly Observation[], { limit }: Figures): boolean {
  const falls = new Map<string, Falls>();
  for (const [before, after] of pairs(observations)) {
    if (!isPlain(before) || !isPlain(after) || after.others > 0) continue;
    const { at, kind } = after;
    const fall = Number(before.remaining) - Number(after.remaining);
    const returned = (limit * (at.hi - before.at.lo)) / SHORTEST_MS;
    // More than this, and a window may have ended.
    if (fall < 0 || after.remaining === 0) continue;
    const { lowest, highest } = falls.get(kind) ?? { lowest: Number.POSITIVE_INFINITY, highest: 0 };
    const known = { lowest: Math.min(lowest, fall + returned), highest: Math.max(highest, fall) };
    if (known.highest - known.lowest > ROUNDED) return false;
    falls.set(kind, known);
  }
  return true;
}

/** Whether a request was let through alone, and nothing but what it took off shows in Remaining. */
function isPlain({ exchange, outcome, remaining, beside, held }: Observation): boolean {
  return (
    outcome === 'let-through' &&
    remaining !== undefined &&
    (beside === 0 || exchange.inFlight === 1) &&
    held === 0 &&
    exchange.variation === undefined
  );
}
