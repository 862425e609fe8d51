import type { Misfit, Observation } from '../models/model.ts';
import type { Node } from './node.ts';

/** An observation that a model does not explain, and why. */
export type ObservedMisfit = Misfit & { observation: Observation };

export function isNode(next: Node | ObservedMisfit): next is Node {
  return 'state' in next;
}

/** What may follow from a node, and was not looked at yet. */
interface Branch {
  node: Node;
  part: readonly (Node | ObservedMisfit)[];
  /** How much of the part was looked at. */
  place: number;
  /** The parts after it, each made when its turn comes. */
  rest?: Iterator<readonly (Node | ObservedMisfit)[], undefined>;
}

/**
 * What a search has not looked at yet: it follows one branch to its end before the next. Each is made only when its turn
 * comes, since a model that explains everything mostly does so in the likeliest way.
 */
export class Branches {
  readonly #open: Branch[];
  readonly #isWanted: (node: Node) => boolean;
  #furthest: { node: Node; misfit?: ObservedMisfit };
  /** The most that a node explained so far. */
  #most = -1;
  #inVain = 0;

  /** @param isWanted whether a node is worth to be followed */
  constructor(starts: readonly [Node, ...Node[]], isWanted: (node: Node) => boolean) {
    this.#furthest = { node: starts[0] };
    this.#open = [{ node: starts[0], part: starts, place: 0 }];
    this.#isWanted = isWanted;
  }

  /** The node with the most before its first misfit: of those with as many, the first. */
  get furthest(): Readonly<{ node: Node; misfit?: ObservedMisfit }> {
    return this.#furthest;
  }

  /** How many nodes in a row did not get further than those before them. */
  get inVain(): number {
    return this.#inVain;
  }

  add(node: Node, rest: NonNullable<Branch['rest']>): void {
    this.#open.push({ node, part: [], place: 0, rest });
  }

  /** The next node; undefined if none is left. */
  next(): Node | undefined {
    for (let last = this.#open.at(-1); last; last = this.#open.at(-1)) {
      const next = last.part[last.place];
      last.place += 1;
      if (!next) {
        const further = last.rest?.next().value;
        if (further) {
          last.part = further;
          last.place = 0;
        } else this.#open.pop();
      } else if (!isNode(next)) this.#misfit(last.node, next);
      else if (this.#isWanted(next)) return this.#counted(next);
    }
    return undefined;
  }

  #counted(node: Node): Node {
    this.#inVain = node.count > this.#most ? 0 : this.#inVain + 1;
    this.#most = Math.max(this.#most, node.count);
    return node;
  }

  #misfit(node: Node, misfit: ObservedMisfit): void {
    const { node: furthest, misfit: known } = this.#furthest;
    if (!known || node.count > furthest.count) this.#furthest = { node, misfit };
  }
}
