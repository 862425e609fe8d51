import type { Figures, Misfit, Model, Observation, State } from './model.ts';
import { common, keyOf, plus, type Span } from './span.ts';

/**
 * A token bucket that cuts off parts of tokens at each request, as vsthrottle of Varnish does: requests that come faster than its rate get
 * nothing back. Those that are known tell no Reset.
 */
export const wholeTokens: Model = {
  name: 'token bucket of whole tokens',
  surprise: 4,
  counting: 'any',
  isGradual: true,
  isPossible: (observations) => observations.every(({ reset }) => reset === undefined),
  start: (figures, { at }) => [
    new WholeTokens(figures, { lo: 0, hi: figures.limit + figures.burst }, { lo: at.lo, hi: at.lo }),
  ],
};

class WholeTokens implements State {
  readonly left: Span;
  readonly #figures: Figures;
  /** When the last request was let through (ms since the epoch). */
  readonly #last: Span;

  constructor(figures: Figures, left: Span, last: Span) {
    this.#figures = figures;
    this.left = left;
    this.#last = last;
  }

  get key(): string {
    return keyOf(this.left, this.#last);
  }

  follow({ at, outcome, others, remaining }: Observation, weight: number): readonly State[] | Misfit {
    const { limit, windowMs, burst } = this.#figures;
    const backAfter = (ms: number) => Math.floor((Math.max(0, ms) * limit) / windowMs);
    const filled = (tokens: number) => Math.min(limit + burst, tokens);
    const left = {
      lo: Math.max(0, filled(this.left.lo + backAfter(at.lo - this.#last.hi)) - others),
      hi: filled(this.left.hi + backAfter(at.hi - this.#last.lo)),
    };
    if (outcome === 'unknown') return [this];
    if (outcome === 'refused') {
      const tooFew = common(left, { lo: 0, hi: Math.max(0, weight - 1) });
      return tooFew
        ? [new WholeTokens(this.#figures, tooFew, this.#last)]
        : { kind: 'refused', expected: left };
    }
    const enough = common(left, { lo: weight, hi: limit + burst });
    if (!enough) return { kind: 'let-through', expected: left };
    const after = plus(enough, -weight);
    const told = remaining === undefined ? after : common(after, { lo: remaining, hi: remaining });
    return told ? [new WholeTokens(this.#figures, told, at)] : { kind: 'remaining', expected: after };
  }
}
