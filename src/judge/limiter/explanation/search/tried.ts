import { keyOf, type Node, placeOf } from './node.ts';

/** Whether no node from which much the same follows was tried. */
export function unlessTried(): (node: Node) => boolean {
  const tried = new Set<string>();
  return (node) => {
    const key = keyOf(node);
    return !tried.has(key) && tried.add(key) !== undefined;
  };
}

/** A node is compared with so many of the same place at most. */
const MAX_COMPARED = 50;

/** Whether no node was tried from which everything may follow that may follow from this one. */
export function unlessCovered(): (node: Node) => boolean {
  const tried = new Map<string, Node[]>();
  return (node) => {
    const key = placeOf(node);
    const there = tried.get(key) ?? [];
    const covers = ({ since, state }: Node) => since <= node.since && state.covers(node.state);
    if (there.some(covers)) return false;
    there.push(node);
    if (there.length > MAX_COMPARED) there.shift();
    tried.set(key, there);
    return true;
  };
}
