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
 * Two nodes that count what they let through, and learn of each other's requests later. The Remaining of a node is too high by the
 * requests that it has not learned of yet. To keep the limit together, that is at most what is left.
 */
export const twoNodes: Model = {
  name: 'fixed window, counted by two nodes',
  surprise: 6,
  counting: 'every',
  start: (figures, first) => [new Nodes(figures, unknownWindow(figures, first), NEW_WINDOW)],
};

/** Instead of the Remaining of a node that has sent none in this window. */
const NO_REMAINING = Number.POSITIVE_INFINITY;

/** The last Remaining of each node, the higher one first. */
type LastRemainings = readonly [higher: number, lower: number];

const NEW_WINDOW: LastRemainings = [NO_REMAINING, NO_REMAINING];

class Nodes implements State {
  readonly #figures: Figures;
  readonly #window: FixedWindow;
  readonly #last: LastRemainings;

  constructor(figures: Figures, window: FixedWindow, last: LastRemainings) {
    this.#figures = figures;
    this.#window = window;
    this.#last = last;
  }

  get left(): Span {
    return this.#window.left;
  }

  get key(): string {
    return `${this.#window.key} ${this.#last}`;
  }

  follow(observation: Observation, weight: number): readonly State[] | Misfit {
    const { remaining, ...withoutRemaining } = observation;
    const windows = this.#window.follow(withoutRemaining, weight);
    if (isMisfit(windows)) return windows;
    return anyOf(
      windows.map((window) => {
        const last = window.begun > this.#window.begun ? NEW_WINDOW : this.#last;
        if (remaining === undefined) return [new Nodes(this.#figures, window, last)];
        return this.#respond(window, last, remaining, observation, weight);
      }),
    );
  }

  /** Takes the response for that of the node with the lower last Remaining if possible, else of the other node. */
  #respond(
    window: FixedWindow,
    [higher, lower]: LastRemainings,
    remaining: number,
    { outcome, others }: Observation,
    weight: number,
  ): readonly State[] | Misfit {
    const counted = outcome === 'let-through' ? weight : 0;
    const [before, otherNode] = remaining <= lower - counted ? [lower, higher] : [higher, lower];
    const most = Math.min(before, this.#figures.limit) - counted;
    // Behind a load balancer, each node gets requests that count.
    const isNode = before < NO_REMAINING || counted + others > 0;
    const left = common(window.left, { lo: Math.ceil(remaining / 2), hi: remaining });
    if (!isNode || remaining > most || !left)
      return { kind: 'remaining', expected: { lo: window.left.lo, hi: Math.min(most, 2 * window.left.hi) } };
    const last: LastRemainings = remaining > otherNode ? [remaining, otherNode] : [otherNode, remaining];
    return [new Nodes(this.#figures, window.with(left), last)];
  }
}
