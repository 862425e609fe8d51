import type { SearchNode } from './node.ts';
import type { SearchPosition } from './place.ts';
import type { Weights } from './weights.ts';

/** Whether no node from which much the same follows was tried: one at the same place, with the same state and weights. */
export function unlessTried(): (node: SearchNode) => boolean {
  const tried = new Map<SearchPosition, Map<Weights, Set<string>>>();
  return ({ place, weights, state: { key } }) => {
    const here = tried.get(place) ?? new Map<Weights, Set<string>>();
    const keys = here.get(weights) ?? new Set();
    tried.set(place, here.set(weights, keys));
    return !keys.has(key) && keys.add(key) !== undefined;
  };
}
