import type { Figures, Misfit, Observation } from './model.ts';
import { common, plus, type Span } from './span.ts';

/** What is left after a request, by its outcome: a limiter lets through what it has left, and refuses the rest. */
function afterDecision({ outcome }: Observation, left: Span, weight: number): Span | Misfit {
  if (outcome === 'unknown') return { lo: Math.max(0, left.lo - weight), hi: left.hi };
  if (outcome === 'refused') {
    const refused = common(left, { lo: 0, hi: Math.max(0, weight - 1) });
    return refused ?? { kind: 'refused', expected: left };
  }
  const enough = common(left, { lo: weight, hi: Number.POSITIVE_INFINITY });
  return enough ? plus(enough, -weight) : { kind: 'let-through', expected: left };
}

/** What is left after a request, by its outcome and by Remaining, which is exact, and 0 while a burst is used. */
export function afterCount(
  observation: Observation,
  before: Span,
  weight: number,
  burst: number,
): Span | Misfit {
  const left = afterDecision(observation, before, weight);
  const { remaining } = observation;
  if ('kind' in left || remaining === undefined) return left;
  const byRemaining = remaining > 0 ? { lo: remaining + burst, hi: remaining + burst } : { lo: 0, hi: burst };
  const expected = { lo: Math.max(0, left.lo - burst), hi: Math.max(0, left.hi - burst) };
  return common(left, byRemaining) ?? { kind: 'remaining', expected };
}

/** The same for a limiter that gives back fractions of requests. */
export function afterPart(
  observation: Observation,
  before: Span,
  weight: number,
  figures: Figures,
  rounding: Rounding,
): Span | Misfit {
  const { outcome, remaining } = observation;
  const isRefused = outcome === 'refused';
  const needed = isRefused ? lessThan(weight) : { lo: weight, hi: Number.POSITIVE_INFINITY };
  const decided = outcome === 'unknown' ? before : common(before, needed);
  if (!decided) return { kind: isRefused ? 'refused' : 'let-through', expected: shownOf(before, 'down') };
  const after = plus(decided, outcome === 'let-through' ? -weight : 0);
  if (remaining === undefined) return after;
  const { lo, hi } = leftIf(remaining, observation, rounding, figures);
  // With a burst, Remaining may or may not include it.
  return (
    common(after, { lo, hi: hi + figures.burst }) ?? { kind: 'remaining', expected: shownOf(after, rounding) }
  );
}

/** How Remaining rounds a fraction of a request. */
export type Rounding = 'down' | 'up' | 'nearest';

export const ROUNDINGS: readonly Rounding[] = ['down', 'up', 'nearest'];

/** The smallest fraction of a request that matters: above the rounding errors of floating-point numbers. */
const FRACTION = 1e-6;

/** What is left if it is too little for a request. */
export function lessThan(weight: number): Span {
  return { lo: 0, hi: Math.max(0, weight - FRACTION) };
}

/** What may be left with this Remaining. */
export function leftIf(
  remaining: number,
  response: Pick<Observation, 'outcome' | 'exchange'>,
  rounding: Rounding,
  figures: Figures,
): Span {
  if (remaining === 0 && mayLeaveFraction(response, figures)) return lessThan(1);
  if (rounding === 'down') return { lo: remaining, hi: remaining + 1 - FRACTION };
  if (rounding === 'up') return { lo: remaining === 0 ? 0 : remaining - 1 + FRACTION, hi: remaining };
  return { lo: Math.max(0, remaining - 0.5), hi: remaining + 0.5 - FRACTION };
}

/** By how much (s) Retry-After may be too long: it may be rounded up, and a second longer than needed. */
const LONGER_S = 2;

/**
 * Whether a fraction of a request may be left at a refusal, by its Retry-After: then Remaining may be 0 however it is rounded elsewhere.
 * If the next request comes back later than that, nothing is left.
 */
function mayLeaveFraction(
  { outcome, exchange: { rate } }: Pick<Observation, 'outcome' | 'exchange'>,
  { limit, windowMs }: Figures,
): boolean {
  if (outcome !== 'refused' || rate.retryAfter === undefined) return false;
  return (rate.retryAfter - LONGER_S) * 1_000 <= windowMs / limit;
}

/** The Remaining if this is left. */
export function shownOf({ lo, hi }: Span, rounding: Rounding): Span {
  const shown = { down: Math.floor, up: Math.ceil, nearest: Math.round }[rounding];
  return { lo: Math.max(0, shown(lo)), hi: Math.max(0, shown(hi)) };
}

/** What Reset may mean: when the next request or all of them are back, the end of the window, or a whole window from now. */
export type ResetMeaning = 'next' | 'full' | 'window-end' | 'window-from-now';

/** The meanings that agree with a Reset. @param timeOf the time that Reset is with a meaning */
export function possibleMeanings(
  meanings: readonly ResetMeaning[],
  reset: Span | undefined,
  timeOf: (meaning: ResetMeaning) => Span,
): readonly ResetMeaning[] {
  return reset === undefined
    ? meanings
    : meanings.filter((meaning) => common(reset, timeOf(meaning)) !== undefined);
}
