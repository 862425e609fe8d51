import { fixedWindow } from '../models/fixed-window.ts';
import {
  anyOf,
  type Figures,
  isMisfit,
  type Misfit,
  type Model,
  type Observation,
  type State,
} from '../models/model.ts';
import { balanceOf } from './balance.ts';
import { isDecided } from './decided.ts';
import { lazily } from './lazily.ts';
import { advance, type Node, pass } from './node.ts';
import { allChoices, choices, countedBy, MAX_IN_FLIGHT, type Order, orderOf, within } from './order.ts';
import { unlessCovered, unlessTried } from './tried.ts';
import { type Costs, Weights, weightsOf } from './weights.ts';

/** Whether a model explains all observations, else the first that it does not explain and why. */
export interface Attempt {
  model: Model;
  /** How many observations it explains, in an order in which the limiter may have counted them. */
  explained: number;
  /** Absent if it explains all. */
  misfit?: Misfit & { observation: Observation };
  /** The search took too long, so that the model is only presumed to explain them. */
  isPresumed?: true;
  /** What the search did not explain before it was given up. */
  doubt?: Misfit & { observation: Observation };
  /** What was left after each observation in that order. */
  course: readonly { observation: Observation; state: State }[];
}

/**
 * How much a search tries: `glance` follows a few of the likeliest orders of simultaneous requests, and `quick` more of them,
 * which finds most honest limiters; `thorough` leaves out no order, so that its misfit proves that no order explains all.
 */
export type Effort = 'glance' | 'quick' | 'thorough';

/** Steps that a search takes at most, and for each observation: then the model is presumed to explain them. */
const MAX_STEPS: Readonly<Record<Effort, { all: number; each: number }>> = {
  glance: { all: 50, each: 5 },
  quick: { all: 2_000, each: 40 },
  thorough: { all: 20_000, each: 400 },
};

/** Remaining of two responses does not differ by what was counted between them. */
const UNBALANCED: Misfit = { kind: 'remaining', expected: { lo: 0, hi: 0 } };

/** Steps that all thorough searches of one explanation may still take together. */
export interface Budget {
  steps: number;
}

/** Several ways to count may be tried with the same observations. */
const attempts: Readonly<Record<Effort, WeakMap<readonly Observation[], Map<Model, Attempt>>>> = {
  glance: new WeakMap(),
  quick: new WeakMap(),
  thorough: new WeakMap(),
};

/**
 * Looks for an order of simultaneous requests, and for what each kind of request takes off, with which the model
 * explains every observation.
 */
export function attempt(
  model: Model,
  figures: Figures,
  observations: readonly Observation[],
  effort: Effort = 'quick',
  budget: Budget = { steps: Number.POSITIVE_INFINITY },
): Attempt {
  const tried = attempts[effort].get(observations) ?? new Map<Model, Attempt>();
  // A quick search finds all that a glance does.
  const known = tried.get(model) ?? (effort === 'glance' && attempts.quick.get(observations)?.get(model));
  if (known) return known;
  const attempt = search(model, figures, observations, effort, budget);
  // With more steps left, it may have found more.
  if (budget.steps > 0) attempts[effort].set(observations, tried.set(model, attempt));
  return attempt;
}

function search(
  model: Model,
  figures: Figures,
  observations: readonly Observation[],
  effort: Effort,
  budget: Budget,
): Attempt {
  const order = orderOf(observations);
  const { inTurn } = order;
  const [initial] = inTurn;
  if (!initial) return { model, explained: 0, course: [] };
  if (effort === 'thorough' && inTurn.some(({ exchange }) => exchange.inFlight > MAX_IN_FLIGHT))
    return { model, explained: 0, isPresumed: true, course: [] };
  const unknown = Weights.unknown(observations);
  const balance = lazily(() => balanceOf(model, figures, observations));
  const isBalanced = effort === 'thorough' ? balance().isPossible : () => true;
  const open = model.start(figures, initial).map(
    (state): Node => ({
      state,
      weights: unknown,
      first: 0,
      ahead: [],
      count: 0,
      since: 0,
      isUntold: false,
    }),
  );
  const [start] = open as [Node];
  const costs: Costs = {
    model,
    figures,
    dearest: (operation) => balance().dearest(operation),
    // Of a fixed window, nothing comes back between two responses.
    fallen: (operation) => balanceOf(fixedWindow, figures, observations).dearest(operation),
  };
  const most = mostSteps(effort, inTurn.length);
  // What is refuted already is only searched for how far it gets.
  const aGlance = mostSteps('glance', inTurn.length);
  const isNew = effort === 'thorough' ? unlessCovered() : unlessTried();
  let furthest: { node: Node; misfit?: Attempt['misfit'] } = { node: start };
  if (!isBalanced(unknown)) return attemptOf(model, start, { ...UNBALANCED, observation: initial });
  for (let step = 0; step < most && budget.steps > 0; step += 1) {
    if (step === aGlance && !balance().isEver()) break;
    if (effort === 'thorough') budget.steps -= 1;
    const node = open.pop();
    if (!node)
      return attemptOf(model, furthest.node, furthest.misfit ?? { ...UNBALANCED, observation: initial });
    if (node.first >= inTurn.length) return attemptOf(model, node);
    const { nodes, misfit } = following(node, order, costs, effort);
    if (misfit && (node.count > furthest.node.count || !furthest.misfit)) furthest = { node, misfit };
    // A model that explains everything mostly does so without a step back, and then no bound has to be worked out.
    const isLong = step > inTurn.length;
    if (isLong && furthest.misfit && furthest.node.count >= balance().most())
      return attemptOf(model, furthest.node, furthest.misfit);
    for (const each of nodes.reverse()) if (isBalanced(each.weights) && isNew(each)) open.push(each);
  }
  const { node, misfit } = furthest;
  return { ...attemptOf(model, node), isPresumed: true, ...(misfit ? { doubt: misfit } : {}) };
}

/** How many steps a search takes at most. */
function mostSteps(effort: Effort, observations: number): number {
  const { all, each } = MAX_STEPS[effort];
  return all + each * observations;
}

/** The nodes that the next observation leaves possible, the likeliest first, and the first misfit on the way. */
function following(
  node: Node,
  { inTurn, isBefore }: Order,
  costs: Costs,
  effort: Effort,
): { nodes: Node[]; misfit?: Attempt['misfit'] } {
  const nodes: Node[] = [];
  let misfit: Attempt['misfit'];
  const indices = (effort === 'thorough' ? allChoices : choices)(inTurn, node, isBefore);
  const possible = indices.map((index) => inTurn[index] as Observation);
  if (effort === 'thorough') {
    const nodes = withoutEffect(node, indices, possible, costs);
    if (nodes) return { nodes };
  }
  const isAlone = possible.length === 1;
  const until = isAlone ? Number.POSITIVE_INFINITY : countedBy(inTurn, node);
  for (const [place, observation] of possible.entries()) {
    const inOrder = within(observation, node.since, until);
    const fitting: Node[] = [];
    for (const weight of weightsOf(observation, node, costs)) {
      // A request without a response that took something off was let through.
      const isCounted = effort === 'thorough' && observation.outcome === 'unknown' && weight > 0;
      const counted = isCounted ? { ...inOrder, outcome: 'let-through' as const } : inOrder;
      const states = followed(node.state, counted, weight);
      if (isMisfit(states)) misfit ??= { ...states, observation };
      else
        for (const state of states)
          fitting.push(advance(node, indices[place] ?? 0, observation, weight, state));
    }
    nodes.push(...fitting);
    if (effort !== 'thorough' && isDecided({ observation, node, fitting, possible, inTurn })) break;
  }
  return { nodes, ...(misfit ? { misfit } : {}) };
}

/** The states after an observation: a request that costs more than is left may take all of it. */
function followed(state: State, observation: Observation, weight: number): readonly State[] | Misfit {
  const states = state.follow(observation, weight);
  const { outcome, remaining } = observation;
  const mayBeLast = outcome === 'let-through' && (remaining ?? 0) <= 1;
  if (weight <= 1 || !mayBeLast) return states;
  // What was left is not known exactly, so it may have been any of these.
  const all = Array.from({ length: weight - 1 }, (_, index) => {
    const fewer = state.follow(observation, weight - 1 - index);
    return isMisfit(fewer) ? fewer : fewer.filter(({ left }) => left.lo < 1);
  });
  return anyOf([states, ...all]);
}

/**
 * The nodes after an observation that says nothing, if one may be next: what its kind takes off is assumed beforehand,
 * and if that is nothing, its place in the order makes no difference.
 */
function withoutEffect(
  node: Node,
  indices: readonly number[],
  possible: readonly Observation[],
  costs: Costs,
): Node[] | undefined {
  for (const [place, observation] of possible.entries()) {
    const { kind, exchange, others, outcome, remaining, reset } = observation;
    if (remaining !== undefined || reset !== undefined || others > 0) continue;
    const weights = weightsOf(observation, node, costs);
    if (weights.every((weight) => weight === 0)) return [pass(node, indices[place] ?? 0, observation)];
    if (exchange.key !== 'valid' && outcome === 'let-through' && node.weights.of[kind] === undefined)
      return weights.map((weight) => ({ ...node, weights: node.weights.with(kind, weight) }));
  }
  return undefined;
}

function attemptOf(model: Model, node: Node, misfit?: Attempt['misfit']): Attempt {
  const course: { observation: Observation; state: State }[] = [];
  for (let each: Node | undefined = node; each?.by; each = each.before)
    course.push({ observation: each.by, state: each.state });
  return {
    model,
    explained: node.count,
    ...(misfit ? { misfit } : {}),
    course: course.reverse(),
  };
}
