import type { Figures, Misfit, Observation } from './model.ts';
import { leftIf, lessThan, type Rounding, shownOf } from './rounding.ts';
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
