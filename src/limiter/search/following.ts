import {
  anyOf,
  isMisfit,
  isRefusedWithNone,
  type Misfit,
  type Observation,
  type State,
} from '../models/model.ts';
import { isNode, type ObservedMisfit } from './branches.ts';
import { isDecided } from './decided.ts';
import { advance, type SearchNode } from './node.ts';
import { type Order, within } from './order.ts';
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
