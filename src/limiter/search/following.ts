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

/** The nodes that the next observation leaves possible and the misfits on the way, in parts: the likeliest first. */
export function* following(
  node: SearchNode,
  { inTurn, nextAt }: Order,
  costs: Costs,
): Generator<readonly (SearchNode | ObservedMisfit)[], undefined> {
  const { indices, observations: possible, until } = nextAt(node.place);
  // That Remaining fell by several shows rather that such a request was counted before than that one request takes several.
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

/** An observation that may be counted next after a node. */
interface NextObservation {
  node: SearchNode;
  index: number;
  observation: Observation;
  /** The same, with the time that the order of the others leaves for it. */
  inOrder: Observation;
}

/** The nodes after an observation, for each number of requests that it may have taken off, and the first misfit: a search keeps no other. */
function afterEach(
  weights: readonly number[],
  { node, index, observation, inOrder }: NextObservation,
): (SearchNode | ObservedMisfit)[] {
  const all: (SearchNode | ObservedMisfit)[] = [];
  let isFirst = true;
  for (const weight of weights) {
    // A request without a response that took something off was let through.
    const isCounted = observation.exchange.response === undefined && weight > 0;
    const counted = isCounted ? { ...inOrder, outcome: 'let-through' as const } : inOrder;
    const states = followed(node.state, counted, weight);
    if (!isMisfit(states)) {
      for (const state of states) all.push(advance(node, index, observation, weight, state));
    } else if (isFirst) {
      all.push({ kind: states.kind, expected: states.expected, observation });
      isFirst = false;
    }
  }
  return all;
}

/** The states after an observation: a request that costs more than is left may take all of it. */
function followed(state: State, observation: Observation, weight: number): readonly State[] | Misfit {
  if (weight === 0 && tellsNothing(observation)) return [state];
  const states = state.follow(observation, weight);
  const { outcome, remaining } = observation;
  if (weight > 1 && isRefusedWithNone(observation))
    return anyOf([states, ...refusedWithNone(state, observation, weight)]);
  const mayBeLast = outcome === 'let-through' && (remaining ?? 0) <= 1;
  if (weight <= 1 || !mayBeLast) return states;
  // What was left is not known exactly, so it may have been any of these.
  const all = Array.from({ length: weight - 1 }, (_, index) => {
    const fewer = state.follow(observation, weight - 1 - index);
    return isMisfit(fewer) ? fewer : fewer.filter(({ left }) => left.lo < 1);
  });
  return anyOf([states, ...all]);
}

/** A refusal that costs several may say that none are left for it: fewer are, or it has taken them. */
function refusedWithNone(
  state: State,
  observation: Observation,
  weight: number,
): (readonly State[] | Misfit)[] {
  const { remaining: _, ...untold } = observation;
  const others = observation.others + weight - 1;
  return [state.follow(untold, weight), state.follow({ ...observation, outcome: 'unknown', others }, 0)];
}

/** What took nothing and tells nothing leaves open as much as before: to ask what came back by then only multiplies what is possible. */
function tellsNothing({ outcome, remaining, reset, others }: Observation): boolean {
  return outcome !== 'refused' && remaining === undefined && reset === undefined && others === 0;
}

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
