import {
  leftIf,
  lessThan,
  possibleMeanings,
  type ResetMeaning,
  ROUNDINGS,
  type Rounding,
  shownOf,
} from './headers.ts';
import type { Figures, Misfit, Model, Observation, State } from './model.ts';
import { common, keyOf, plus, type Span } from './span.ts';

/** A bucket that refills evenly: a token bucket, or a leaky bucket as a meter (GCRA), which lets through the same. */
export const tokenBuckets: readonly Model[] = ROUNDINGS.map((rounding) => ({
  name: rounding === 'down' ? 'token bucket' : `token bucket, Remaining rounded ${rounding}`,
  surprise: rounding === 'down' ? 1 : 4,
  counting: 'any',
  isGradual: true,
  ...(rounding === 'down' ? { isRoundedDown: true } : {}),
  start: (figures, { at }) => {
    const base = { lo: 0, hi: figures.limit + figures.burst };
    return [new TokenBucket(figures, rounding, at.lo, base, 0, ['full', 'next', 'window-from-now'])];
  },
}));

/**
 * What is left is `base + rate * time - used`, with the time since `origin`. The base is unknown at first. Every observation narrows
 * it, and a full bucket lowers it.
 */
class TokenBucket implements State {
  readonly #figures: Figures;
  readonly #rounding: Rounding;
  readonly #origin: number;
  readonly #base: Span;
  readonly #used: number;
  readonly #meanings: readonly ResetMeaning[];
  readonly #at: number;
  readonly since: number;

  constructor(
    figures: Figures,
    rounding: Rounding,
    origin: number,
    base: Span,
    used: number,
    meanings: readonly ResetMeaning[],
    at = origin,
    since = origin,
  ) {
    this.since = since;
    this.#figures = figures;
    this.#rounding = rounding;
    this.#origin = origin;
    this.#base = base;
    this.#used = used;
    this.#meanings = meanings;
    this.#at = at;
  }

  get left(): Span {
    return plus(this.#base, this.#refilled(this.#at) - this.#used);
  }

  get key(): string {
    return `${keyOf(this.#base)} ${this.#used} ${this.#meanings}`;
  }

  follow(observation: Observation, weight: number): readonly State[] | Misfit {
    const { at, others, outcome, remaining, reset } = observation;
    const capacity = this.#figures.limit + this.#figures.burst;
    const refilled = { lo: this.#refilled(at.lo), hi: this.#refilled(at.hi) };
    const full = { lo: capacity + this.#used - refilled.hi, hi: capacity + this.#used - refilled.lo };
    const lowest = Math.max(this.#base.lo - others, this.#used - refilled.lo);
    const base = { lo: Math.min(this.#base.lo, full.lo, lowest), hi: Math.min(this.#base.hi, full.hi) };
    /** The bases with which so much is left at some time of the observation. */
    const basesFor = (left: Span, used: number) => ({
      lo: left.lo + used - refilled.hi,
      hi: left.hi + used - refilled.lo,
    });
    const leftWith = (span: Span, used: number) => ({
      lo: Math.max(0, span.lo + refilled.lo - used),
      hi: span.hi + refilled.hi - used,
    });
    const isRefused = outcome === 'refused';
    const needed = isRefused ? lessThan(weight) : { lo: weight, hi: capacity };
    const decided = outcome === 'unknown' ? base : common(base, basesFor(needed, this.#used));
    if (!decided)
      return {
        kind: isRefused ? 'refused' : 'let-through',
        expected: shownOf(leftWith(base, this.#used), 'down'),
      };
    const used = this.#used + (outcome === 'let-through' ? weight : 0);
    const leftByRemaining = remaining === undefined ? undefined : this.#leftIf(remaining, observation);
    const narrowed = leftByRemaining ? common(decided, basesFor(leftByRemaining, used)) : decided;
    if (!narrowed) return { kind: 'remaining', expected: shownOf(leftWith(decided, used), this.#rounding) };
    const timeOf = (meaning: ResetMeaning) => this.#timeOf(meaning, leftWith(narrowed, used), observation);
    const meanings = possibleMeanings(this.#meanings, reset, timeOf);
    const [meaning = 'full'] = this.#meanings;
    if (meanings.length === 0) return { kind: 'reset', expected: timeOf(meaning) };
    const least = leftByRemaining?.lo ?? 0;
    const since =
      this.#origin + ((least + used - narrowed.hi) * this.#figures.windowMs) / this.#figures.limit;
    return [
      new TokenBucket(this.#figures, this.#rounding, this.#origin, narrowed, used, meanings, at.hi, since),
    ];
  }

  #leftIf(remaining: number, observation: Observation): Span {
    const { burst } = this.#figures;
    const left = leftIf(remaining, observation, this.#rounding, this.#figures);
    if (burst === 0) return left;
    return remaining === 0 ? { lo: 0, hi: burst + 1 } : plus(left, burst);
  }

  #refilled(at: number): number {
    return ((at - this.#origin) * this.#figures.limit) / this.#figures.windowMs;
  }

  #timeOf(meaning: ResetMeaning, left: Span, { at, exchange }: Observation): Span {
    const { limit, burst, windowMs } = this.#figures;
    // From the arrival of the request, which may be long before it was counted.
    if (meaning === 'window-from-now') return plus({ lo: exchange.sentAt, hi: at.hi }, windowMs);
    const perRequest = windowMs / limit;
    const missing =
      meaning === 'full'
        ? { lo: Math.max(0, limit + burst - left.hi), hi: limit + burst - left.lo }
        : { lo: 0, hi: 1 };
    return { lo: at.lo + missing.lo * perRequest, hi: at.hi + missing.hi * perRequest };
  }
}

/**
 * A token bucket that drops fractions of tokens at each request, as vsthrottle of Varnish does: requests that come faster than its rate
 * get nothing back. No known one sends Reset.
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
    const exact = remaining === undefined ? after : common(after, { lo: remaining, hi: remaining });
    return exact ? [new WholeTokens(this.#figures, exact, at)] : { kind: 'remaining', expected: after };
  }
}
