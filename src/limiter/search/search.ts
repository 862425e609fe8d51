import { max } from 'd3-array';
import type { Exchange } from '../../model/exchange.ts';
import type { Figures, Model, Observation, State } from '../models/model.ts';
import { Branches, type ObservedMisfit, type SearchNode } from './branches.ts';
import { fallsAlone, seemsCounted } from './falls.ts';
import { following } from './following.ts';
import { MAX_CHOICES, orderOf, type SearchPosition } from './order.ts';
import { type Costs, Weights } from './weights.ts';

/** Whether a model explains all observations, else the first that it does not explain and why. */
export interface Attempt {
  model: Model;
  /** How many observations it explains, in an order in which the limiter may have counted them. */
  explained: number;
  /** Absent if it explains all. */
  misfit?: ObservedMisfit;
  /** The search took too long, so that the model is only presumed to explain them. */
  isPresumed?: true;
  /** What a request of each kind takes off, as far as it is known. */
  weights: Readonly<Record<string, number>>;
  /** What was left after each observation in that order. */
  course: ModelCourse;
}

type ModelCourse = readonly { observation: Observation; state: State }[];

/** So many steps that get no further are taken for each observation, and some more. Honest limiters of the catalog need five at most. */
const MOST_IN_VAIN = { all: 300, each: 8 };

/** So many steps are taken for each observation, and some more. */
const MOST = { all: 1_000, each: 20 };

/** Steps that several searches may still take together. */
export interface SearchBudget {
  steps: number;
}

/** Several ways to count may be tried with the same observations. */
const attempts = new WeakMap<readonly Observation[], Map<Model, Attempt>>();

/**
 * Looks for what each kind of request takes off, and for an order of simultaneous requests, with which the model explains every
 * observation.
 */
export function attempt(
  model: Model,
  figures: Figures,
  observations: readonly Observation[],
  budget: SearchBudget = { steps: Number.POSITIVE_INFINITY },
): Attempt {
  const tried = attempts.get(observations) ?? new Map<Model, Attempt>();
  const known = tried.get(model);
  if (known) return known;
  const made = search(model, figures, observations, budget);
  if (budget.steps > 0) attempts.set(observations, tried.set(model, made));
  return made;
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
  const most = MOST.all + MOST.each * inTurn.length;
  const mostInVain = MOST_IN_VAIN.all + MOST_IN_VAIN.each * inTurn.length;
  const branches = new Branches(starts, unlessTried(), inTurn.length);
  for (let step = 0; ; step += 1) {
    const node = branches.next();
    const { furthest } = branches;
    if (!node) return refuted(model, furthest, inTurn, false);
    if (step === most || branches.inVain > mostInVain) return refuted(model, furthest, inTurn, true);
    if (node.place.first >= inTurn.length) return attemptOf(model, node);
    if (budget.steps <= 0) return { ...attemptOf(model, node), isPresumed: true };
    budget.steps -= 1;
    branches.add(node, following(node, order, costs));
  }
}

/**
 * What a search says that found no explanation. An honest limiter explains requests that were sent one after the other, and the bursts of a
 * run, without many steps back. Where others overlap, a search that was given up has left out orders, and so has any search
 * where many do: then the model is presumed to explain them.
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

/** What may be known before the first observation, the likeliest first: a window that begins with the run ends last. */
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
  for (let each: SearchNode | undefined = node; each?.by; each = each.before)
    course.push({ observation: each.by, state: each.state });
  return course.reverse();
}

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
