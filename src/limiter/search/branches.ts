import type { Misfit, Observation, State } from '../models/model.ts';
import type { SearchPosition } from './order.ts';
import type { Weights } from './weights.ts';

/** A step of a search: the observations counted so far, and the state that they leave possible. */
export interface SearchNode {
  place: SearchPosition;
  state: State;
  weights: Weights;
  count: number;
  /** When the last observation was counted at the earliest, in ms since the epoch. */
  since: number;
  /** Other clients may have used the key since the last Remaining. */
  isUntold: boolean;
  before?: SearchNode;
  by?: Observation;
}

/** The node after one more observation is counted, at this weight. */
export function advance(
  before: SearchNode,
  index: number,
  by: Observation,
  weight: number,
  state: State,
): SearchNode {
  // Remaining does not show what a request costs if it was sent twice, or if others use the key without a bound.
  const { variation, isRepeated } = by.exchange;
  const isTelling =
    by.outcome === 'let-through' && !variation && !isRepeated && by.others !== Number.POSITIVE_INFINITY;
  const isNew = isTelling && before.weights.of[by.kind] !== weight;
  const weights = isNew ? before.weights.with(by.kind, weight) : before.weights;
  const since = Math.max(before.since, by.at.lo, state.since ?? 0);
  const isUntold = by.remaining === undefined && (before.isUntold || mayHaveUsed(by.others));
  const place = before.place.after(index);
  return { place, state, weights, count: before.count + 1, since, isUntold, before, by };
}

/** Whether other clients may have used the key before a request, within a bound. */
export function mayHaveUsed(others: number): boolean {
  return others > 0 && others < Number.POSITIVE_INFINITY;
}

/** An observation that a model does not explain, and why. */
export type ObservedMisfit = Misfit & { observation: Observation };

export function isNode(next: SearchNode | ObservedMisfit): next is SearchNode {
  return 'state' in next;
}

/** The nodes after a node that the search has not looked at yet. */
interface Branch {
  node: SearchNode;
  part: readonly (SearchNode | ObservedMisfit)[];
  /** The index of the next node of the part. */
  place: number;
  /** The later parts, computed on demand. */
  rest?: Iterator<readonly (SearchNode | ObservedMisfit)[], undefined>;
}

/**
 * The open branches of a depth-first search. Nodes are computed on demand, since a model that explains everything mostly does so in
 * the likeliest way. After many steps in a row without progress, the search goes on from the next start, and comes back later: a
 * wrong start may have so many branches that no other start gets its turn.
 */
export class Branches {
  /** The open branches of each start. The search follows those of the first. */
  readonly #open: Branch[][];
  /** After so many steps in vain, the search goes on from the next start. */
  readonly #patience: number;
  readonly #isWanted: (node: SearchNode) => boolean;
  #furthest: { node: SearchNode; misfit?: ObservedMisfit };
  /** The most observations that a node has counted so far. */
  #most = -1;
  #inVain = 0;
  #inVainHere = 0;

  /**
   * @param isWanted whether to follow a node
   * @param patience after how many steps in vain the search goes on from the next start
   */
  constructor(
    starts: readonly [SearchNode, ...SearchNode[]],
    isWanted: (node: SearchNode) => boolean,
    patience = Number.POSITIVE_INFINITY,
  ) {
    this.#furthest = { node: starts[0] };
    this.#open = starts.map((start) => [{ node: start, part: [start], place: 0 }]);
    this.#isWanted = isWanted;
    this.#patience = patience;
  }

  /** The node with the most observations before its first misfit; of several, the first. */
  get furthest(): Readonly<{ node: SearchNode; misfit?: ObservedMisfit }> {
    return this.#furthest;
  }

  /** How many nodes in a row brought no progress. */
  get inVain(): number {
    return this.#inVain;
  }

  /** Adds the nodes that may follow the last node. */
  add(node: SearchNode, rest: NonNullable<Branch['rest']>): void {
    this.#open[0]?.push({ node, part: [], place: 0, rest });
  }

  /** The next node; undefined if none is left. */
  next(): SearchNode | undefined {
    if (this.#inVainHere > this.#patience) {
      this.#open.push(...this.#open.splice(0, 1));
      this.#inVainHere = 0;
    }
    for (let [branches] = this.#open; branches; [branches] = this.#open) {
      const node = this.#nextOf(branches);
      if (node) return this.#counted(node);
      this.#open.shift();
      this.#inVainHere = 0;
    }
    return undefined;
  }

  #nextOf(open: Branch[]): SearchNode | undefined {
    for (let last = open.at(-1); last; last = open.at(-1)) {
      const next = last.part[last.place];
      last.place += 1;
      if (!next) {
        const further = last.rest?.next().value;
        if (further) {
          last.part = further;
          last.place = 0;
        } else open.pop();
      } else if (!isNode(next)) this.#misfit(last.node, next);
      else if (this.#isWanted(next)) return next;
    }
    return undefined;
  }

  #counted(node: SearchNode): SearchNode {
    const isFurther = node.count > this.#most;
    this.#inVain = isFurther ? 0 : this.#inVain + 1;
    this.#inVainHere = isFurther ? 0 : this.#inVainHere + 1;
    this.#most = Math.max(this.#most, node.count);
    return node;
  }

  #misfit(node: SearchNode, misfit: ObservedMisfit): void {
    const { node: furthest, misfit: earlier } = this.#furthest;
    if (!earlier || node.count > furthest.count) this.#furthest = { node, misfit };
  }
}
