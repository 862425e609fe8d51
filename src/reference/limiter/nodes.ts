/** After this many requests of its own, a node learns the counts of the others. */
const MERGED_AFTER = 8;
/** With this many requests left by its own count, a node asks the others first. */
const FEW = 2 * MERGED_AFTER;

interface NodeCount {
  /** The requests that it answered in this window. */
  own: number;
  /** Those of the other node that it knows of. */
  learned: number;
}

/**
 * Two nodes answer in turn. Each knows its own count, and learns that of the other late. Returns the requests that the
 * next node believes to remain, of `limit` in this window, after it counted one more.
 */
export function createNodes(limit: number): () => number {
  const nodes: [NodeCount, NodeCount] = [
    { own: 0, learned: 0 },
    { own: 0, learned: 0 },
  ];
  return () => {
    const [node, other] = nodes;
    nodes.reverse();
    const isFew = limit - node.own - node.learned - 1 <= FEW;
    if (isFew) node.learned = other.own;
    node.own += 1;
    if (node.own % MERGED_AFTER === 0) node.learned = other.own;
    return limit - node.own - node.learned;
  };
}
