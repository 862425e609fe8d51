import { afterPart } from './after-request.ts';
import { bitByBit } from './bounds.ts';
import { type Figures, isMisfit, type Misfit, type Model, type Observation, type State } from './model.ts';
import { ROUNDINGS, type Rounding } from './rounding.ts';
import { covers, keyOf, type Span } from './span.ts';

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
      bounds: bitByBit[rounding],
      start: (figures, { at }) => [new Gradual(figures, rounding, { lo: 0, hi: mostOf(figures) }, at.lo)],
    },
  ]),
) as Record<Rounding, Model>;

/** The most that can be left: a counter of whole requests forgets up to one when a window ends, on top of what has come back. */
function mostOf({ limit, burst }: Figures): number {
  return limit + burst + 1;
}

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

  follow(observation: Observation, weight: number): readonly State[] | Misfit {
    const { at, others } = observation;
    const { limit, windowMs } = this.#figures;
    const refilled = (limit * (at.hi - this.#at)) / windowMs;
    const before = {
      lo: Math.max(0, this.left.lo - others),
      hi: Math.min(mostOf(this.#figures), this.left.hi + Math.max(0, refilled)),
    };
    const left = afterPart(observation, before, weight, this.#figures, this.#rounding);
    if (isMisfit(left)) return left;
    return [new Gradual(this.#figures, this.#rounding, left, at.lo)];
  }
}
