import type { Misfit, Observation, State } from '../models/model.ts';
import type { SearchPosition } from './order.ts';
import type { Weights } from './weights.ts';

/** A step of a search: what was counted so far, and what that leaves possible. */
export interface SearchNode {
  place: SearchPosition;
  state: State;
  weights: Weights;
  count: number;
  /** The last one was counted then at the earliest, in ms since the epoch. */
  since: number;
  /** Others may have used some since Remaining told what was left. */
  isUntold: boolean;
  before?: SearchNode;
  by?: Observation;
}

/** The node after one more observation was counted, which took so much off. */
export function advance(
  before: SearchNode,
  index: number,
  by: Observation,
  weight: number,
  state: State,
): SearchNode {
  // If others use as much as they like, what is left says nothing about what one request takes off.
  const isTelling =
    by.outcome === 'let-through' && !by.exchange.variation && by.others !== Number.POSITIVE_INFINITY;
  const isNew = isTelling && before.weights.of[by.kind] !== weight;
  const weights = isNew ? before.weights.with(by.kind, weight) : before.weights;
  const since = Math.max(before.since, by.at.lo, state.since ?? 0);
  const isUntold = by.remaining === undefined && (before.isUntold || mayHaveUsed(by.others));
  const place = before.place.after(index);
  return { place, state, weights, count: before.count + 1, since, isUntold, before, by };
}

/** Whether others may have used some before a request, though not as much as they like. */
export function mayHaveUsed(others: number): boolean {
  return others > 0 && others < Number.POSITIVE_INFINITY;
}

/** An observation that a model does not explain, and why. */
export type ObservedMisfit = Misfit & { observation: Observation };

export function isNode(next: SearchNode | ObservedMisfit): next is SearchNode {
  return 'state' in next;
}

/** What may follow from a node, and was not looked at yet. */
interface Branch {
  node: SearchNode;
  part: readonly (SearchNode | ObservedMisfit)[];
  /** How much of the part was looked at. */
  place: number;
  /** The parts after it, each made when its turn comes. */
  rest?: Iterator<readonly (SearchNode | ObservedMisfit)[], undefined>;
}

/**
 * What a search has not looked at yet: it follows one branch to its end before the next. Each is made only when its turn
 * comes, since a model that explains everything mostly does so in the likeliest way. If many steps in a row get no further, it
 * goes on from another start, and comes back later: a wrong start may leave so many branches that no other gets its turn.
 */
export class Branches {
  /** The branches of each start that are left; those of the first are followed now. */
  readonly #open: Branch[][];
  /** So many steps in vain are followed by those of another start. */
  readonly #patience: number;
  readonly #isWanted: (node: SearchNode) => boolean;
  #furthest: { node: SearchNode; misfit?: ObservedMisfit };
  /** The most that a node explained so far. */
  #most = -1;
  #inVain = 0;
  #inVainHere = 0;

  /**
   * @param isWanted whether a node is worth to be followed
   * @param patience after how many steps in vain it goes on from another start
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

  /** The node with the most before its first misfit: of those with as many, the first. */
  get furthest(): Readonly<{ node: SearchNode; misfit?: ObservedMisfit }> {
    return this.#furthest;
  }

  /** How many nodes in a row did not get further than those before them. */
  get inVain(): number {
    return this.#inVain;
  }

  /** What may follow from the node that came last. */
  add(node: SearchNode, rest: NonNullable<Branch['rest']>): void {
    this.#open[0]?.push({ node, part: [], place: 0, rest });
  }

  /** The next node; undefined if none is left. */
  next(): SearchNode | undefined {
    if (this.#inVainHere > this.#patience) {
      this.#open.push(...this.#open.splice(0, 1));
      this.#inVainHere = 0;
    }
    for (let [now] = this.#open; now; [now] = this.#open) {
      const node = this.#nextOf(now);
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
    const { node: furthest, misfit: known } = this.#furthest;
    if (!known || node.count > furthest.count) this.#furthest = { node, misfit };
  }
}
