import type { Span } from './span.ts';

/** How a part of a request is shown. */
export type Rounding = 'down' | 'up' | 'nearest';

export const ROUNDINGS: readonly Rounding[] = ['down', 'up', 'nearest'];

/** The smallest part of a request that matters here: more than floating-point numbers lose. */
const PART = 1e-6;

/** What is left if it is not enough for a request. */
export function lessThan(weight: number): Span {
  return { lo: 0, hi: Math.max(0, weight - PART) };
}

/** What may be left if Remaining says this. */
export function leftIf(remaining: number, rounding: Rounding): Span {
  if (rounding === 'down') return { lo: remaining, hi: remaining + 1 - PART };
  if (rounding === 'up') return { lo: remaining === 0 ? 0 : remaining - 1 + PART, hi: remaining };
  return { lo: Math.max(0, remaining - 0.5), hi: remaining + 0.5 - PART };
}

/** What Remaining says if this is left. */
export function shownOf({ lo, hi }: Span, rounding: Rounding): Span {
  const shown = { down: Math.floor, up: Math.ceil, nearest: Math.round }[rounding];
  return { lo: Math.max(0, shown(lo)), hi: Math.max(0, shown(hi)) };
}
