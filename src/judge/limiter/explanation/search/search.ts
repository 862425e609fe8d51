import { fixedWindow } from '../models/fixed-window.ts';
import type { Figures, Misfit, Model, Observation, State } from '../models/model.ts';
import { balanceOf } from './balance.ts';
import { Branches, type ObservedMisfit } from './branches.ts';
import { following } from './following.ts';
import { lazily } from './lazily.ts';
import type { Node } from './node.ts';
import { MAX_IN_FLIGHT, orderOf } from './order.ts';
import type { Place } from './place.ts';
import { unlessCovered, unlessTried } from './tried.ts';
import { type Costs, Weights } from './weights.ts';
import { seemsCounted } from './wrong-keys.ts';

/** Whether a model explains all observations, else the first that it does not explain and why. */
export interface Attempt {
  model: Model;
  /** How many observations it explains, in an order in which the limiter may have counted them. */
  explained: number;
  /** Absent if it explains all. */
  misfit?: ObservedMisfit;
  /** The search took too long, so that the model is only presumed to explain them. */
  isPresumed?: true;
  /** What the search did not explain before it was given up. */
  doubt?: ObservedMisfit;
  /** What a request of each kind takes off, as far as it is known. */
  weights: Readonly<Record<string, number>>;
  /** What was left after each observation in that order. */
  course: readonly { observation: Observation; state: State }[];
}

/**
 * How much a search tries: `glance` follows a few of the likeliest orders of simultaneous requests, and `quick` more of them,
 * which finds most honest limiters; `thorough` leaves out no order, so that its misfit proves that no order explains all.
 */
export type Effort = 'glance' | 'quick' | 'thorough';

/**
 * Steps that a search takes at most, and for each observation; a glance also takes no more than so many in a row, for each
 * observation, that get no further. Then the model is presumed to explain them.
 */
const MAX_STEPS: Readonly<Record<Effort, { all: number; each: number; inVain?: number }>> = {
  glance: { all: 50, each: 5, inVain: 2 },
  quick: { all: 2_000, each: 40 },
  thorough: { all: 20_000, each: 400 },
};

/** Remaining of two responses does not differ by what was counted between them. */
const UNBALANCED: Misfit = { kind: 'remaining', expected: { lo: 0, hi: 0 } };

/** Steps that several searches may still take together. */
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
  if (!initial) return { model, explained: 0, weights: {}, course: [] };
  if (effort === 'thorough' && inTurn.some(({ exchange }) => exchange.inFlight > MAX_IN_FLIGHT))
    return { model, explained: 0, isPresumed: true, weights: {}, course: [] };
  const unknown = Weights.unknown(observations);
  const starts = startsOf(model, figures, initial, unknown, order.start);
  const balance = lazily(() => balanceOf(model, figures, observations));
  const isBalanced = effort === 'thorough' ? balance().isPossible : () => true;
  if (!isBalanced(unknown)) return attemptOf(model, starts[0], { ...UNBALANCED, observation: initial });
  const costs: Costs = {
    model,
    figures,
    dearest: (operation) => balance().dearest(operation),
    // Of a fixed window, nothing comes back between two responses.
    fallen: (operation) => balanceOf(fixedWindow, figures, observations).dearest(operation),
    seemsCounted: () => seemsCounted(inTurn),
  };
  const most = mostSteps(effort, inTurn.length);
  const { inVain: mostInVain = Number.POSITIVE_INFINITY } = MAX_STEPS[effort];
  // What is refuted already is only searched for how far it gets.
  const aGlance = mostSteps('glance', inTurn.length);
  const isNew = effort === 'thorough' ? unlessCovered() : unlessTried();
  const isWanted = (each: Node) => isBalanced(each.weights) && isNew(each);
  const branches = new Branches(starts, isWanted, inTurn.length);
  for (let step = 0; ; step += 1) {
    const node = branches.next();
    const { furthest } = branches;
    if (!node)
      return attemptOf(model, furthest.node, furthest.misfit ?? { ...UNBALANCED, observation: initial });
    if (node.place.first >= inTurn.length) return attemptOf(model, node);
    // A model that explains everything mostly does so without a step back, and then no bound has to be worked out.
    const isLong = step > inTurn.length;
    if (isLong && furthest.misfit && furthest.node.count >= balance().most())
      return attemptOf(model, furthest.node, furthest.misfit);
    const isOver = step === most || budget.steps <= 0 || branches.inVain > mostInVain * inTurn.length;
    if (isOver || (step === aGlance && !balance().isEver())) return givenUp(model, furthest);
    budget.steps -= 1;
    branches.add(node, following(node, order, costs, effort === 'thorough'));
  }
}

/** A model is presumed to explain everything if the search does not come to an end. */
function givenUp(model: Model, { node, misfit }: Branches['furthest']): Attempt {
  return { ...attemptOf(model, node), isPresumed: true, ...(misfit ? { doubt: misfit } : {}) };
}

/** What may be known before the first observation, the likeliest first: a window that begins with the run ends last. */
function startsOf(
  model: Model,
  figures: Figures,
  initial: Observation,
  weights: Weights,
  place: Place,
): readonly [Node, ...Node[]] {
  const starts = model
    .start(figures, initial)
    .map((state): Node => ({ place, state, weights, count: 0, since: 0, isUntold: false }));
  return starts.reverse() as [Node, ...Node[]];
}

/** How many steps a search takes at most. */
function mostSteps(effort: Effort, observations: number): number {
  const { all, each } = MAX_STEPS[effort];
  return all + each * observations;
}

function attemptOf(model: Model, node: Node, misfit?: ObservedMisfit): Attempt {
  const course: { observation: Observation; state: State }[] = [];
  for (let each: Node | undefined = node; each?.by; each = each.before)
    course.push({ observation: each.by, state: each.state });
  return {
    model,
    explained: node.count,
    ...(misfit ? { misfit } : {}),
    weights: node.weights.of,
    course: course.reverse(),
  };
}
