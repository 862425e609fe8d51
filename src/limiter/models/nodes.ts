import { type FixedWindow, unknownWindow } from './fixed-window.ts';
import {
  anyOf,
  type Figures,
  isMisfit,
  type Misfit,
  type Model,
  type Observation,
  type State,
} from './model.ts';
import { common, type Span } from './span.ts';

/**
 * Two nodes that each count what they let through and learn of the other's later. What a node says is too high by what
 * it has not learnt yet. To keep the limit together, that is at most what is left.
 */
export const twoNodes: Model = {
  name: 'fixed window, counted by two nodes',
  surprise: 6,
  counting: 'every',
  start: (figures, first) => [new Nodes(figures, unknownWindow(figures, first), NEW)],
};

/** A node that has said nothing in this window. */
const NOTHING_SAID = Number.POSITIVE_INFINITY;

/** What each node said last, the one that said more first. */
type Said = readonly [more: number, less: number];

const NEW: Said = [NOTHING_SAID, NOTHING_SAID];

class Nodes implements State {
  readonly #figures: Figures;
  readonly #window: FixedWindow;
  readonly #said: Said;

  constructor(figures: Figures, window: FixedWindow, said: Said) {
    this.#figures = figures;
    this.#window = window;
    this.#said = said;
  }

  get left(): Span {
    return this.#window.left;
  }

  get key(): string {
    return `${this.#window.key} ${this.#said}`;
  }

  follow(observation: Observation, weight: number): readonly State[] | Misfit {
    const { remaining, ...without } = observation;
    const windows = this.#window.follow(without, weight);
    if (isMisfit(windows)) return windows;
    return anyOf(
      windows.map((window) => {
        const said = window.begun > this.#window.begun ? NEW : this.#said;
        if (remaining === undefined) return [new Nodes(this.#figures, window, said)];
        return this.#says(window, said, remaining, observation, weight);
      }),
    );
  }

  /** One of the nodes responds: the one that can have said no more than this, and of two, the one that said less. */
  #says(
    window: FixedWindow,
    [more, less]: Said,
    remaining: number,
    { outcome, others }: Observation,
    weight: number,
  ): readonly State[] | Misfit {
    const counted = outcome === 'let-through' ? weight : 0;
    const [one, other] = remaining <= less - counted ? [less, more] : [more, less];
    const most = Math.min(one, this.#figures.limit) - counted;
    // Behind a load balancer, a node gets requests that count, too.
    const isNode = one < NOTHING_SAID || counted + others > 0;
    const left = common(window.left, { lo: Math.ceil(remaining / 2), hi: remaining });
    if (!isNode || remaining > most || !left)
      return { kind: 'remaining', expected: { lo: window.left.lo, hi: Math.min(most, 2 * window.left.hi) } };
    const said: Said = remaining > other ? [remaining, other] : [other, remaining];
    return [new Nodes(this.#figures, window.with(left), said)];
  }
}
