import {
  anyOf,
  isMisfit,
  isRefusedWithNone,
  type Misfit,
  type Observation,
  type State,
} from '../models/model.ts';
import { advance, isNode, mayHaveUsed, type ObservedMisfit, type SearchNode } from './branches.ts';
import { MAX_IN_FLIGHT, type Order, within } from './order.ts';
import { type Costs, weightsOf } from './weights.ts';

/** The nodes after the next observation, and misfits, in parts: the likeliest first. */
export function* following(
  node: SearchNode,
  { inTurn, nextAt }: Order,
  costs: Costs,
): Generator<readonly (SearchNode | ObservedMisfit)[], undefined> {
  const { indices, observations: possible, until } = nextAt(node.place);
  // If wrong keys seem to count, a fall by several rather shows that one was counted before than that this request costs several.
  const isDeferred = possible.some(({ exchange: { key } }) => key !== 'valid') && costs.seemsCounted();
  const deferred: (() => (SearchNode | ObservedMisfit)[])[] = [];
  for (const [place, observation] of possible.entries()) {
    const next: NextObservation = {
      node,
      index: indices[place] ?? 0,
      observation,
      inOrder: within(observation, node.since, until),
    };
    const { likely, others } = weightsOf(observation, node, costs);
    const first = afterEach(likely, next);
    yield first;
    const restOf = others && (() => afterEach(others(), next));
    if (restOf && isDeferred) deferred.push(restOf);
    const rest = isDeferred ? undefined : restOf?.();
    if (rest) yield rest;
    const fitting = (rest ? [...first, ...rest] : first).filter(isNode);
    if (isDecided({ observation, node, fitting, possible, inTurn })) return;
  }
  for (const restOf of deferred) yield restOf();
}

/** An observation that may be counted next. */
interface NextObservation {
  node: SearchNode;
  index: number;
  observation: Observation;
  /** The observation with the time that the order of the other ones leaves for it. */
  inOrder: Observation;
}

/** The nodes after an observation, for each weight that it may have, and the first misfit: a search keeps no other. */
function afterEach(
  weights: readonly number[],
  { node, index, observation, inOrder }: NextObservation,
): (SearchNode | ObservedMisfit)[] {
  const nodes: (SearchNode | ObservedMisfit)[] = [];
  let isFirst = true;
  for (const weight of weights) {
    // A request without a response that took something off was let through.
    const isCounted = observation.exchange.response === undefined && weight > 0;
    const counted = isCounted ? { ...inOrder, outcome: 'let-through' as const } : inOrder;
    const states = followed(node.state, counted, weight);
    if (!isMisfit(states)) {
      for (const state of states) nodes.push(advance(node, index, observation, weight, state));
    } else if (isFirst) {
      nodes.push({ kind: states.kind, expected: states.expected, observation });
      isFirst = false;
    }
  }
  return nodes;
}

/** The states after an observation. A request that costs more than is left may take the rest. */
function followed(state: State, observation: Observation, weight: number): readonly State[] | Misfit {
  if (weight === 0 && tellsNothing(observation)) return [state];
  const states = state.follow(observation, weight);
  const { outcome, remaining } = observation;
  if (weight > 1 && isRefusedWithNone(observation))
    return anyOf([states, ...refusedWithNone(state, observation, weight)]);
  const mayBeLast = outcome === 'let-through' && (remaining ?? 0) <= 1;
  if (weight <= 1 || !mayBeLast) return states;
  // Fewer than its weight may have been left, down to one.
  const withRest = Array.from({ length: weight - 1 }, (_, index) => {
    const fewer = state.follow(observation, weight - 1 - index);
    return isMisfit(fewer) ? fewer : fewer.filter(({ left }) => left.lo < 1);
  });
  return anyOf([states, ...withRest]);
}

/** A refused request that costs several may get Remaining 0 although some are left, too few for it; or it has taken them. */
function refusedWithNone(
  state: State,
  observation: Observation,
  weight: number,
): (readonly State[] | Misfit)[] {
  const { remaining: _, ...withoutRemaining } = observation;
  const others = observation.others + weight - 1;
  return [
    state.follow(withoutRemaining, weight),
    state.follow({ ...observation, outcome: 'unknown', others }, 0),
  ];
}

/** If an observation took nothing and tells nothing, following it would only multiply the possible states. */
function tellsNothing({ outcome, remaining, reset, others }: Observation): boolean {
  return outcome !== 'refused' && remaining === undefined && reset === undefined && others === 0;
}

/** The choice of an observation as the one that was counted next. */
interface CountingStep {
  observation: Observation;
  /** The node before it. */
  node: SearchNode;
  /** The nodes after it. */
  fitting: readonly SearchNode[];
  /** All observations that might have been counted next, this one included. */
  possible: readonly Observation[];
  /** All observations, in the order in which they were sent. */
  inTurn: readonly Observation[];
}

/**
 * Whether no other observation needs to be tried in its place: it fits the known weight of its kind, or takes nothing off, or no other
 * response has its Remaining.
 */
function isDecided(step: CountingStep): boolean {
  const { observation, node, fitting, possible, inTurn } = step;
  const { kind, remaining, others } = observation;
  // While it is unknown how much other clients have used, almost any order fits.
  if (fitting.length === 0 || mayHaveUsed(others) || node.isUntold || mayBeRefilled(step)) return false;
  // A request without Remaining may have taken off what this one shows.
  const isHidden = possible.some(
    (candidate) => candidate.remaining === undefined && node.weights.of[candidate.kind] !== 0,
  );
  const isRefilling = node.state.since !== undefined;
  if (isHidden && (others > 0 || isRefilling)) return false;
  if (fitting.every(({ weights }) => weights.of[kind] === 0)) return true;
  const hasSameRemaining = (candidate: Observation) => candidate.remaining === remaining;
  // While requests come back, either of two with the same Remaining may have been the first.
  if (isRefilling && possible.filter(hasSameRemaining).length > 1) return false;
  if (node.weights.of[kind] !== undefined) return true;
  // A request may only seem to cost several, because other requests were counted first.
  if (isHidden || fitting.some(({ weights }) => Number(weights.of[kind]) > 1)) return false;
  // The requests that may be in flight at the time, this one included.
  const near =
    possible.length === 1 ? possible : inTurn.slice(node.place.first, node.place.first + MAX_IN_FLIGHT);
  return near.filter(hasSameRemaining).length === 1;
}

/** Whether requests may have come back one by one before this one, so that other requests may have been counted meanwhile. */
function mayBeRefilled({ observation, node, fitting }: CountingStep): boolean {
  const { state, since } = node;
  if (state.since !== undefined && state.left.lo < 1) return true;
  return fitting.some((next) => next.since > Math.max(since, observation.at.lo));
}
