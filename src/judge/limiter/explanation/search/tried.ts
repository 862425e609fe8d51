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
