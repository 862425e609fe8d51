import type { Node } from './node.ts';
import type { Place } from './place.ts';
import type { Weights } from './weights.ts';

/** Whether no node from which much the same follows was tried: one at the same place, with the same state and weights. */
export function unlessTried(): (node: Node) => boolean {
  const triedAt = madeAt(() => new Set<string>());
  return (node) => {
    const tried = triedAt(node);
    const { key } = node.state;
    return !tried.has(key) && tried.add(key) !== undefined;
  };
}

/** A node is compared with so many of the same place at most. */
const MAX_COMPARED = 50;

/** Whether no node was tried from which everything may follow that may follow from this one. */
export function unlessCovered(): (node: Node) => boolean {
  const triedAt = madeAt((): Node[] => []);
  return (node) => {
    const tried = triedAt(node);
    for (const { since, state } of tried) if (since <= node.since && state.covers(node.state)) return false;
    tried.push(node);
    if (tried.length > MAX_COMPARED) tried.shift();
    return true;
  };
}

/** Makes something for each place, and the weights there, when it is needed first. */
function madeAt<Value>(make: () => Value): (node: Pick<Node, 'place' | 'weights'>) => Value {
  const places = new Map<Place, Map<Weights, Value>>();
  return ({ place, weights }) => {
    const made = places.get(place) ?? new Map<Weights, Value>();
    const value = made.get(weights) ?? make();
    places.set(place, made.set(weights, value));
    return value;
  };
}
