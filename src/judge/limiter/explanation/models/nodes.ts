import { atOnce } from './bounds.ts';
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
  bounds: {
    ...atOnce,
    leftIf: ({ burst }, remaining) => ({ lo: Math.ceil(remaining / 2), hi: remaining + burst }),
  },
  start: (figures, first) => [new Nodes(figures, unknownWindow(figures, first), NEW)],
};

/** One node: what it said last, and how many it has let through in this window. */
interface Node {
  said?: number;
  own?: number;
}

const NEW: readonly [Node, Node] = [{}, {}];

class Nodes implements State {
  readonly #figures: Figures;
  readonly #window: FixedWindow;
  readonly #nodes: readonly [Node, Node];

  constructor(figures: Figures, window: FixedWindow, nodes: readonly [Node, Node]) {
    this.#figures = figures;
    this.#window = window;
    this.#nodes = nodes;
  }

  get left(): Span {
    return this.#window.left;
  }

  get key(): string {
    return `${this.#window.key} ${this.#nodes.map(({ said, own }) => `${said},${own}`).join(' ')}`;
  }

  covers(other: Nodes): boolean {
    const most = (nodes: readonly [Node, Node]) =>
      nodes.map(({ said = Number.POSITIVE_INFINITY }) => said).sort((one, another) => another - one);
    const others = most(other.#nodes);
    const isNew = ({ said }: Node) => said === undefined;
    return (
      this.#window.covers(other.#window) &&
      (!this.#nodes.every(isNew) || other.#nodes.every(isNew)) &&
      most(this.#nodes).every((said, index) => said >= Number(others[index]))
    );
  }

  follow(observation: Observation, weight: number): readonly State[] | Misfit {
    const { remaining, ...without } = observation;
    const windows = this.#window.follow(without, weight);
    if (isMisfit(windows)) return windows;
    if (remaining === undefined) return windows.map((each) => new Nodes(this.#figures, each, this.#nodes));
    return anyOf(
      windows.flatMap((window) => {
        const isNext = window.begun > this.#window.begun;
        const nodes = isNext ? NEW : this.#nodes;
        return [this.#says(window, nodes, observation, weight)];
      }),
    );
  }

  /** One of the nodes responds: the one that can have said no more than this, and of two, the one that said less. */
  #says(
    window: FixedWindow,
    nodes: readonly [Node, Node],
    { remaining = 0, outcome, others }: Observation,
    weight: number,
  ): readonly State[] | Misfit {
    const counted = outcome === 'let-through' ? weight : 0;
    const said = (node: Node) => node.said ?? Number.POSITIVE_INFINITY;
    const [less, more] = said(nodes[1]) < said(nodes[0]) ? [nodes[1], nodes[0]] : nodes;
    const [one, other] = remaining <= said(less) - counted ? [less, more] : [more, less];
    return this.#saidBy(window, one, other, remaining, counted, others);
  }

  #saidBy(
    window: FixedWindow,
    { said, own = 0 }: Node,
    other: Node,
    remaining: number,
    counted: number,
    others: number,
  ): readonly State[] | Misfit {
    const most = Math.min((said ?? Number.POSITIVE_INFINITY) - counted, this.#figures.limit - own - counted);
    // Behind a load balancer, a node gets requests that count, too.
    const isNode = said !== undefined || counted + others > 0;
    const left = common(window.left, { lo: Math.ceil(remaining / 2), hi: remaining });
    if (!isNode || remaining > most || !left)
      return { kind: 'remaining', expected: { lo: window.left.lo, hi: Math.min(most, 2 * window.left.hi) } };
    const node = { said: remaining, own: own + counted };
    return [new Nodes(this.#figures, window.with(left), [node, other])];
  }
}
