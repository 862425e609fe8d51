import { pairs } from 'd3-array';
import type { Figures, Observation } from './models/model.ts';
import type { Span } from './models/span.ts';
import { SHORTEST_MS } from './window-lengths.ts';

/** Remaining is rounded before a request and after it. */
const ROUNDED = 2;

/**
 * Whether Remaining falls alike for each request of a kind that came right after another of the count. It does not where the
 * requests between them are counted as well, though they are taken to be counted apart.
 */
export function isSteady(observations: readonly Observation[], { limit }: Figures): boolean {
  const falls = new Map<string, Span>();
  for (const [before, after] of pairs(observations)) {
    if (!isPlain(before) || !isPlain(after) || after.others > 0) continue;
    const { at, kind } = after;
    const fall = Number(before.remaining) - Number(after.remaining);
    const returned = (limit * (at.hi - before.at.lo)) / SHORTEST_MS;
    // A window may have ended; and what is left may be less than the request costs.
    if (fall < 0 || after.remaining === 0) continue;
    const { lo, hi } = falls.get(kind) ?? { lo: Number.POSITIVE_INFINITY, hi: 0 };
    const known = { lo: Math.min(lo, fall + returned), hi: Math.max(hi, fall) };
    if (known.hi - known.lo > ROUNDED) return false;
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
