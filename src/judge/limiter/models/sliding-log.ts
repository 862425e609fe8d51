import type { Figures, Misfit, Model, Observation, State } from './model.ts';
import { type Meaning, possibleMeanings } from './resets.ts';
import { common, keyOf, plus, type Span } from './span.ts';
import { afterCount } from './whole-requests.ts';

/** Each request counts for the length of one window. */
export const slidingLog: Model = {
  name: 'sliding log',
  surprise: 1,
  counting: 'any',
  start: (figures, first) => [
    new SlidingLog(figures, [], { lo: 0, hi: figures.limit }, first.at.hi + figures.windowMs, [
      'next',
      'full',
      'window-from-now',
    ]),
  ],
};

/** A request that counts: when it was let through, and what it takes. */
interface Entry {
  at: Span;
  weight: number;
}

class SlidingLog implements State {
  readonly left: Span;
  readonly #figures: Figures;
  readonly #entries: readonly Entry[];
  /** What was used before the run, and when the last of it no longer counts (ms since the epoch). */
  readonly #earlier: Span;
  readonly #earlierUntil: number;
  readonly #meanings: readonly Meaning[];

  constructor(
    figures: Figures,
    entries: readonly Entry[],
    earlier: Span,
    earlierUntil: number,
    meanings: readonly Meaning[],
    left: Span = { lo: 0, hi: figures.limit },
  ) {
    this.#figures = figures;
    this.#entries = entries;
    this.#earlier = earlier;
    this.#earlierUntil = earlierUntil;
    this.#meanings = meanings;
    this.left = left;
  }

  get key(): string {
    const used = this.#entries.reduce((sum, { weight }) => sum + weight, 0);
    return `${keyOf(this.left, this.#earlier, this.#entries.at(-1)?.at ?? this.left)} ${used} ${this.#meanings}`;
  }

  follow(observation: Observation, weight: number): readonly State[] | Misfit {
    const { at } = observation;
    const { windowMs, limit, burst } = this.#figures;
    const alive = this.#entries.filter((each) => each.at.hi + windowMs > at.lo);
    const used = (sure: boolean) =>
      alive.reduce((sum, each) => sum + (!sure || each.at.lo + windowMs > at.hi ? each.weight : 0), 0);
    const { others } = observation;
    const until = others > 0 ? at.hi + windowMs : this.#earlierUntil;
    const earlier = { lo: 0, hi: at.lo > until ? 0 : Math.min(limit, this.#earlier.hi + others) };
    const all = limit + burst;
    const before = { lo: Math.max(0, all - used(false) - earlier.hi), hi: all - used(true) - earlier.lo };
    const left = afterCount(observation, before, weight, burst);
    if ('kind' in left) return left;
    const counted = observation.outcome === 'let-through' ? weight : 0;
    const entries = counted > 0 ? [...alive, { at, weight }] : alive;
    const spare = all - (used(true) + counted);
    // What Remaining leaves for earlier use, which only becomes less.
    const known = common(earlier, { lo: 0, hi: spare - left.lo }) ?? earlier;
    const isUnused = left.lo === all;
    const timeOf = (meaning: Meaning) => this.#timeOf(meaning, entries, known, observation);
    const meanings = isUnused ? this.#meanings : possibleMeanings(this.#meanings, observation.reset, timeOf);
    const [meaning = 'full'] = this.#meanings;
    if (meanings.length === 0) return { kind: 'reset', expected: timeOf(meaning) };
    return [new SlidingLog(this.#figures, entries, known, until, meanings, left)];
  }

  #timeOf(meaning: Meaning, entries: readonly Entry[], earlier: Span, { at }: Observation): Span {
    const { windowMs } = this.#figures;
    if (meaning === 'window-from-now') return plus(at, windowMs);
    const one = meaning === 'next' ? entries[0] : entries.at(-1);
    const own = one && plus(one.at, windowMs);
    if (earlier.hi === 0) return own ?? at;
    const other = { lo: at.lo, hi: this.#earlierUntil };
    return own ? { lo: Math.min(own.lo, other.lo), hi: Math.max(own.hi, other.hi) } : other;
  }
}
