import { bitByBit } from './bounds.ts';
import type { Figures, Misfit, Model, Observation, State } from './model.ts';
import { leftIf, lessThan, ROUNDINGS, type Rounding, shownOf } from './rounding.ts';
import { common, covers, keyOf, plus, type Span } from './span.ts';

/**
 * What all limiters have in common that give requests back bit by bit: no faster than the limit in one window. Buckets
 * and sliding counters are such limiters, whatever their Reset means. What these cannot explain, none of them can.
 */
export const gradual: Readonly<Record<Rounding, Model>> = Object.fromEntries(
  ROUNDINGS.map((rounding): [Rounding, Model] => [
    rounding,
    {
      name: `gives requests back bit by bit, Remaining rounded ${rounding}`,
      surprise: 0,
      counting: 'any',
      isGradual: true,
      bounds: bitByBit(rounding),
      start: (figures, { at }) => [
        new Gradual(figures, rounding, { lo: 0, hi: figures.limit + figures.burst }, at.lo),
      ],
    },
  ]),
) as Record<Rounding, Model>;

class Gradual implements State {
  readonly left: Span;
  readonly #figures: Figures;
  readonly #rounding: Rounding;
  /** When the last observation was counted at the earliest, in ms since the epoch. */
  readonly #at: number;

  constructor(figures: Figures, rounding: Rounding, left: Span, at: number) {
    this.left = left;
    this.#figures = figures;
    this.#rounding = rounding;
    this.#at = at;
  }

  get key(): string {
    return `${keyOf(this.left)} ${this.#at}`;
  }

  covers(other: Gradual): boolean {
    return this.#at <= other.#at && covers(this.left, other.left);
  }

  follow({ at, others, outcome, remaining }: Observation, weight: number): readonly State[] | Misfit {
    const { limit, burst, windowMs } = this.#figures;
    const all = limit + burst;
    const refilled = (limit * (at.hi - this.#at)) / windowMs;
    const before = {
      lo: Math.max(0, this.left.lo - others),
      hi: Math.min(all, this.left.hi + Math.max(0, refilled)),
    };
    const isRefused = outcome === 'refused';
    const needed = isRefused ? lessThan(weight) : { lo: weight, hi: all };
    const decided = outcome === 'unknown' || weight === 0 ? before : common(before, needed);
    if (!decided) return { kind: isRefused ? 'refused' : 'let-through', expected: shownOf(before, 'down') };
    const after = plus(decided, outcome === 'let-through' ? -weight : 0);
    const told = remaining === undefined ? after : common(after, this.#leftIf(remaining));
    if (!told) return { kind: 'remaining', expected: shownOf(after, this.#rounding) };
    return [new Gradual(this.#figures, this.#rounding, told, at.lo)];
  }

  /** With a burst, Remaining may or may not include it. */
  #leftIf(remaining: number): Span {
    const { lo, hi } = leftIf(remaining, this.#rounding);
    return { lo, hi: hi + this.#figures.burst };
  }
}
