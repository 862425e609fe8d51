import type { Figures, Observation } from './model.ts';
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
export function leftIf(
  remaining: number,
  response: Pick<Observation, 'outcome' | 'exchange'>,
  rounding: Rounding,
  figures: Figures,
): Span {
  if (remaining === 0 && isPartRefused(response, figures)) return lessThan(1);
  if (rounding === 'down') return { lo: remaining, hi: remaining + 1 - PART };
  if (rounding === 'up') return { lo: remaining === 0 ? 0 : remaining - 1 + PART, hi: remaining };
  return { lo: Math.max(0, remaining - 0.5), hi: remaining + 0.5 - PART };
}

/** Retry-After (s) may be rounded, and a second longer than needed. */
const LONGER_S = 2;

/**
 * Whether a refusal that says that none are left does so because a part of a request is not enough: however Remaining is rounded elsewhere,
 * it may then be 0. One that comes back so late is missing whole.
 */
function isPartRefused(
  { outcome, exchange: { rate } }: Pick<Observation, 'outcome' | 'exchange'>,
  { limit, windowMs }: Figures,
): boolean {
  if (outcome !== 'refused' || rate.retryAfter === undefined) return false;
  return (rate.retryAfter - LONGER_S) * 1_000 <= windowMs / limit;
}

/** What Remaining says if this is left. */
export function shownOf({ lo, hi }: Span, rounding: Rounding): Span {
  const shown = { down: Math.floor, up: Math.ceil, nearest: Math.round }[rounding];
  return { lo: Math.max(0, shown(lo)), hi: Math.max(0, shown(hi)) };
}
