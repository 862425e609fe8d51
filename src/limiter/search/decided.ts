import type { Observation } from '../models/model.ts';
import { mayHaveUsed, type SearchNode } from './node.ts';
import { MAX_IN_FLIGHT } from './order.ts';

/** An observation that was counted next, where others might have been. */
interface CountingStep {
  observation: Observation;
  /** What was known before it. */
  node: SearchNode;
  /** What it leaves possible. */
  fitting: readonly SearchNode[];
  /** All that might have been counted next, it included. */
  possible: readonly Observation[];
  /** All, in the order in which they were sent. */
  inTurn: readonly Observation[];
}

/**
 * Whether other orders need no try. They do not if the observation fits what is known of its kind, or takes nothing off,
 * or if no other response says the same, so that no other request can have been in its place.
 */
export function isDecided(step: CountingStep): boolean {
  const { observation, node, fitting, possible, inTurn } = step;
  const { kind, remaining, others } = observation;
  // While it is unknown how much others have used, almost any order fits.
  if (fitting.length === 0 || mayHaveUsed(others) || node.isUntold || mayBeRefilled(step)) return false;
  // One that tells nothing may have taken off what this one shows.
  const isHidden = possible.some((each) => each.remaining === undefined && node.weights.of[each.kind] !== 0);
  const isRefilling = node.state.since !== undefined;
  if (isHidden && (others > 0 || isRefilling)) return false;
  if (fitting.every(({ weights }) => weights.of[kind] === 0)) return true;
  const alike = (each: Observation) => each.remaining === remaining;
  // While requests come back, each of two with the same Remaining may have been the first.
  if (isRefilling && possible.filter(alike).length > 1) return false;
  if (node.weights.of[kind] !== undefined) return true;
  // That one request takes off several may only seem so, because others were counted first.
  if (isHidden || fitting.some(({ weights }) => Number(weights.of[kind]) > 1)) return false;
  // Those that may be in flight at the time, it included.
  const near =
    possible.length === 1 ? possible : inTurn.slice(node.place.first, node.place.first + MAX_IN_FLIGHT);
  return near.filter(alike).length === 1;
}

/** Whether requests may have come back one by one before this one: others may have been counted meanwhile. */
function mayBeRefilled({ observation, node, fitting }: CountingStep): boolean {
  const { state, since } = node;
  if (state.since !== undefined && state.left.lo < 1) return true;
  return fitting.some((each) => each.since > Math.max(since, observation.at.lo));
}
