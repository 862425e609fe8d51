import type { Observation, State } from '../models/model.ts';
import type { SearchPosition } from './place.ts';
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
