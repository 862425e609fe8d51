import { afterCount } from './headers.ts';
import { anyOf, type Figures, type Misfit, type Model, type Observation, type State } from './model.ts';
import { common, keyOf, type Span, without } from './span.ts';

/** All requests come back at once when the window ends; Reset is that time. Windows begin at any time. */
export const fixedWindow: Model = {
  name: 'fixed window',
  surprise: 0,
  counting: 'any',
  start: (figures, first) => [unknownWindow(figures, first)],
};

/** A window before the first observation. */
export function unknownWindow(figures: Figures, first: Observation): FixedWindow {
  return new FixedWindow(figures, { lo: 0, hi: figures.limit + figures.burst }, anyEnd(first, figures));
}

/** When a window that is open at an observation may end. */
export function anyEnd({ at }: Observation, { windowMs }: Figures): Span {
  return { lo: at.lo, hi: at.hi + windowMs };
}

export class FixedWindow implements State {
  readonly left: Span;
  readonly end: Span;
  /** How many windows have begun since the first. */
  readonly begun: number;
  readonly #figures: Figures;

  constructor(figures: Figures, left: Span, end: Span, begun = 0) {
    this.#figures = figures;
    this.left = left;
    this.end = end;
    this.begun = begun;
  }

  get key(): string {
    return keyOf(this.left, this.end);
  }

  follow(observation: Observation, weight: number): readonly FixedWindow[] | Misfit {
    const { at } = observation;
    const ways: (readonly FixedWindow[] | Misfit)[] = [];
    const open = common(this.end, { lo: at.lo, hi: Number.POSITIVE_INFINITY });
    if (open) ways.push(this.#count(observation, this.left, open, weight));
    const { limit, burst } = this.#figures;
    const full = { lo: limit + burst, hi: limit + burst };
    if (at.hi >= this.end.lo)
      ways.push(this.#next().#count(observation, full, anyEnd(observation, this.#figures), weight));
    return anyOf(ways) as readonly FixedWindow[] | Misfit;
  }

  with(left: Span): FixedWindow {
    return new FixedWindow(this.#figures, left, this.end, this.begun);
  }

  #next(): FixedWindow {
    return new FixedWindow(this.#figures, this.left, this.end, this.begun + 1);
  }

  #count(observation: Observation, before: Span, end: Span, weight: number): readonly FixedWindow[] | Misfit {
    const { limit, burst } = this.#figures;
    const left = afterCount(observation, without(before, observation.others), weight, burst);
    if ('kind' in left) return left;
    const { reset } = observation;
    // A window without requests may not have begun, so its Reset is only what it would be.
    const isUnused = left.lo === limit + burst;
    if (reset === undefined || isUnused) return [new FixedWindow(this.#figures, left, end, this.begun)];
    const endByReset = common(end, reset);
    if (!endByReset) return { kind: 'reset', expected: end };
    return [new FixedWindow(this.#figures, left, endByReset, this.begun)];
  }
}
