import type { Observation, State } from '../models/model.ts';
import type { Place } from './order.ts';
import type { Weights } from './weights.ts';

/** A step of a search: what was counted so far, and what that leaves possible. */
export interface Node extends Place {
  state: State;
  weights: Weights;
  count: number;
  /** The last one was counted then at the earliest, in ms since the epoch. */
  since: number;
  /** Others may have used some since Remaining told what was left. */
  isUntold: boolean;
  before?: Node;
  by?: Observation;
}

/** The node after one more observation was counted, which took so much off. */
export function advance(before: Node, index: number, by: Observation, weight: number, state: State): Node {
  const { first, ahead } = counted(before, index);
  // If others use as much as they like, what is left says nothing about what one request takes off.
  const isTelling =
    by.outcome === 'let-through' && !by.exchange.variation && by.others !== Number.POSITIVE_INFINITY;
  const isNew = isTelling && before.weights.of[by.kind] !== weight;
  const weights = isNew ? before.weights.with(by.kind, weight) : before.weights;
  const since = Math.max(before.since, by.at.lo, state.since ?? 0);
  const isUntold = by.remaining === undefined && (before.isUntold || mayHaveUsed(by.others));
  return { state, weights, first, ahead, count: before.count + 1, since, isUntold, before, by };
}

/** The node after an observation that takes nothing off and tells nothing: it may have been counted at any time. */
export function pass(before: Node, index: number, by: Observation): Node {
  const { first, ahead } = counted(before, index);
  return { ...before, first, ahead, count: before.count + 1, before, by };
}

/** Whether others may have used some before a request, though not as much as they like. */
export function mayHaveUsed(others: number): boolean {
  return others > 0 && others < Number.POSITIVE_INFINITY;
}

/** What is still to be counted after an observation. */
function counted({ first, ahead }: Place, index: number): Place {
  if (index === first && ahead.length === 0) return { first: first + 1, ahead };
  const done = new Set(ahead).add(index);
  let next = first;
  while (done.delete(next)) next += 1;
  return { first: next, ahead: [...done] };
}

/** Two nodes with the same key lead to much the same. */
export function keyOf(node: Node): string {
  return `${node.state.key} ${placeOf(node)}`;
}

/** What was counted, and what it took off, as text. */
export function placeOf({ first, ahead, weights }: Node): string {
  const counted = ahead.length > 1 ? [...ahead].sort() : ahead;
  return `${first},${counted} ${weights.id}`;
}
