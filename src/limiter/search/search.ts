import { max } from 'd3-array';
import type { Exchange } from '../../model/exchange.ts';
import { fallsAlone, seemsCounted } from '../falls.ts';
import type { Figures, Model, Observation, State } from '../models/model.ts';
import { Branches, isNode, type ObservedMisfit, type SearchNode } from './branches.ts';
import { following } from './following.ts';
import { MAX_CHOICES, type Order, orderOf, type SearchPosition } from './order.ts';
import { type Costs, Weights } from './weights.ts';

/** Whether a model explains all observations, else the first one that it does not explain. */
export interface Attempt {
  model: Model;
  /** How many observations it explains, in an order in which the limiter may have counted them. */
  explained: number;
  /** Absent if it explains all. */
  misfit?: ObservedMisfit;
  /** The search took too long, so the model is only presumed to explain them. */
  isPresumed?: true;
  /** What a request of each kind takes off, as far as it is known. */
  weights: Readonly<Record<string, number>>;
  /** The state after each observation, in that order. */
  course: ModelCourse;
}

type ModelCourse = readonly { observation: Observation; state: State }[];

/** Limits the search steps: `base` and so many per observation. */
const MAX_STEPS = { base: 1_000, perObservation: 20 };

/** The same for successive steps without progress. Honest limiters of the catalog need five per observation at most. */
const MAX_STEPS_IN_VAIN = { base: 300, perObservation: 8 };

/** The steps that several searches may still take together. */
export interface SearchBudget {
  steps: number;
}

/** Remembered, as several ways to count may share observations. */
const attempts = new WeakMap<readonly Observation[], Map<Model, Attempt>>();

/**
 * Searches for a weight of each kind of request, and an order of simultaneous requests, with which the model explains every
 * observation.
 */
export function attempt(
  model: Model,
  figures: Figures,
  observations: readonly Observation[],
  budget: SearchBudget = { steps: Number.POSITIVE_INFINITY },
): Attempt {
  const byModel = attempts.get(observations) ?? new Map<Model, Attempt>();
  const earlier = byModel.get(model);
  if (earlier) return earlier;
  const result = search(model, figures, observations, budget);
  if (budget.steps > 0) attempts.set(observations, byModel.set(model, result));
  return result;
}

function search(
  model: Model,
  figures: Figures,
  observations: readonly Observation[],
  budget: SearchBudget,
): Attempt {
  const order = orderOf(observations);
  const { inTurn } = order;
  const [initial] = inTurn;
  if (!initial) return { model, explained: 0, weights: {}, course: [] };
  const unknown = Weights.unknown(observations);
  const starts = startsOf(model, figures, initial, unknown, order.start);
  const costs: Costs = {
    model,
    figures,
    falls: fallsAlone(inTurn),
    seemsCounted: () => seemsCounted(inTurn),
  };
  const maxSteps = MAX_STEPS.base + MAX_STEPS.perObservation * inTurn.length;
  const maxInVain = MAX_STEPS_IN_VAIN.base + MAX_STEPS_IN_VAIN.perObservation * inTurn.length;
  const branches = new Branches(starts, unlessTried(), inTurn.length);
  for (let step = 0; ; step += 1) {
    const node = branches.next();
    const { furthest } = branches;
    if (!node) return refuted(model, furthest, inTurn, false);
    if (step === maxSteps || branches.inVain > maxInVain) {
      const last = inLayers(starts, order, costs);
      return last ? attemptOf(model, last) : refuted(model, furthest, inTurn, true);
    }
    if (node.place.first >= inTurn.length) return attemptOf(model, node);
    if (budget.steps <= 0) return { ...attemptOf(model, node), isPresumed: true };
    budget.steps -= 1;
    branches.add(node, following(node, order, costs));
  }
}

/** So many states are followed side by side. */
const MOST_STATES = 1_000;

/**
 * Follows all states at once through the likeliest order. A search that follows one at a time may take very long to come back to a state
 * that it left out early, such as another end of the window: the requests of a burst say nothing in between.
 */
function inLayers(starts: readonly SearchNode[], order: Order, costs: Costs): SearchNode | undefined {
  const isNew = unlessTried();
  let layer = starts.toReversed();
  for (const _ of order.inTurn) {
    const next = layer.flatMap((node) => (following(node, order, costs).next().value ?? []).filter(isNode));
    layer = next.filter(isNew).slice(0, MOST_STATES);
  }
  return layer[0];
}

/**
 * The result of a search without an explanation. An honest limiter explains successive requests, and the bursts of a run, without many
 * steps back. If other requests overlap, a search that was given up has left out orders, and so has any search if many overlap: then
 * the model is presumed to explain them.
 */
function refuted(
  model: Model,
  { node, misfit }: Branches['furthest'],
  inTurn: readonly Observation[],
  isGivenUp: boolean,
): Attempt {
  const most = max(inTurn, ({ exchange }) => (isOfRun(exchange) ? 1 : exchange.inFlight)) ?? 1;
  if (misfit && most <= (isGivenUp ? 1 : MAX_CHOICES)) return attemptOf(model, node, misfit);
  return { ...attemptOf(model, node), isPresumed: true };
}

/** Whether a request overlaps others only in a burst of a run. */
function isOfRun({ burst, recorded }: Exchange): boolean {
  return burst !== undefined || recorded === 'run';
}

/** The nodes before the first observation, the likeliest first: a window that begins with the run ends last. */
function startsOf(
  model: Model,
  figures: Figures,
  initial: Observation,
  weights: Weights,
  place: SearchPosition,
): readonly [SearchNode, ...SearchNode[]] {
  const starts = model
    .start(figures, initial)
    .map((state): SearchNode => ({ place, state, weights, count: 0, since: 0, isUntold: false }));
  return starts.reverse() as [SearchNode, ...SearchNode[]];
}

function attemptOf(model: Model, node: SearchNode, misfit?: ObservedMisfit): Attempt {
  return {
    model,
    explained: node.count,
    ...(misfit ? { misfit } : {}),
    weights: node.weights.of,
    course: courseOf(node),
  };
}

function courseOf(node: SearchNode): ModelCourse {
  const course: { observation: Observation; state: State }[] = [];
  for (let step: SearchNode | undefined = node; step?.by; step = step.before)
    course.push({ observation: step.by, state: step.state });
  return course.reverse();
}

/** Tells whether a node is the first at its place with its state and weights: the same follows from the later ones. */
function unlessTried(): (node: SearchNode) => boolean {
  const tried = new Map<SearchPosition, Map<Weights, Set<string>>>();
  return ({ place, weights, state: { key } }) => {
    const byWeights = tried.get(place) ?? new Map<Weights, Set<string>>();
    const keys = byWeights.get(weights) ?? new Set();
    tried.set(place, byWeights.set(weights, keys));
    return !keys.has(key) && keys.add(key) !== undefined;
  };
}
