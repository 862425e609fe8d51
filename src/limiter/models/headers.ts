import type { Figures, Misfit, Observation } from './model.ts';
import { common, plus, type Span } from './span.ts';

/** What is left after a request, by its status: a limiter lets through what it has left, and refuses the rest. */
function afterDecision({ outcome }: Observation, left: Span, weight: number): Span | Misfit {
  if (outcome === 'unknown') return { lo: Math.max(0, left.lo - weight), hi: left.hi };
  if (outcome === 'refused') {
    const refused = common(left, { lo: 0, hi: Math.max(0, weight - 1) });
    return refused ?? { kind: 'refused', expected: left };
  }
  const enough = common(left, { lo: weight, hi: Number.POSITIVE_INFINITY });
  return enough ? plus(enough, -weight) : { kind: 'let-through', expected: left };
}

/** What is left after a request, by its status and by Remaining, which is exact and stays 0 while a burst is used. */
export function afterCount(
  observation: Observation,
  before: Span,
  weight: number,
  burst: number,
): Span | Misfit {
  const left = afterDecision(observation, before, weight);
  const { remaining } = observation;
  if ('kind' in left || remaining === undefined) return left;
  const told = remaining > 0 ? { lo: remaining + burst, hi: remaining + burst } : { lo: 0, hi: burst };
  return common(left, told) ?? { kind: 'remaining', expected: shown(left, burst) };
}

function shown({ lo, hi }: Span, burst: number): Span {
  return { lo: Math.max(0, lo - burst), hi: Math.max(0, hi - burst) };
}

/** What is left after a request, by its status and by Remaining, of a limiter that gives back parts of requests. */
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

/** What a Reset may mean where requests come back one by one. */
export type ResetMeaning = 'next' | 'full' | 'window-end' | 'window-from-now';

/** The meanings that a Reset leaves possible, given the time that each would say. */
export function possibleMeanings(
  meanings: readonly ResetMeaning[],
  reset: Span | undefined,
  timeOf: (meaning: ResetMeaning) => Span,
): readonly ResetMeaning[] {
  return reset === undefined
    ? meanings
    : meanings.filter((each) => common(reset, timeOf(each)) !== undefined);
}
