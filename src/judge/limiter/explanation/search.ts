import {
  type Figures,
  isMisfit,
  type Misfit,
  type Model,
  type Observation,
  type State,
} from './models/model.ts';
import { choices, countedBy, MAX_IN_FLIGHT, orderOf, type Place, within } from './order.ts';
import { type Weights, weightsOf } from './weights.ts';

/** Whether a model explains all observations, else the first that it does not explain and why. */
export interface Attempt {
  model: Model;
  /** How many observations it explains, in an order in which the limiter may have counted them. */
  explained: number;
  /** Absent if it explains all. */
  misfit?: Misfit & { observation: Observation };
  /** The search took too long, so that the model is only presumed to explain them. */
  isPresumed?: true;
  /** What was left after each observation in that order. */
  course: readonly { observation: Observation; state: State }[];
}

/** Steps that a search takes at most, and for each observation: then the model is presumed to explain them. */
const MAX_STEPS = { all: 2_000, each: 40 };

/** A part of the way: what was counted so far, and what that leaves possible. */
interface Node extends Place {
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

/**
 * Looks for an order of simultaneous requests, and for what each kind of request takes off, with which the model
 * explains every observation.
 */
export function attempt(model: Model, figures: Figures, observations: readonly Observation[]): Attempt {
  const { inTurn, isBefore } = orderOf(observations);
  const [initial] = inTurn;
  if (!initial) return { model, explained: 0, course: [] };
  const open = model
    .start(figures, initial)
    .map((state): Node => ({ state, weights: {}, first: 0, ahead: [], count: 0, since: 0, isUntold: false }));
  const [start] = open as [Node];
  const tried = new Set<string>();
  let furthest: { node: Node; misfit?: Attempt['misfit'] } = { node: start };
  for (let step = 0; step < MAX_STEPS.all + MAX_STEPS.each * inTurn.length; step += 1) {
    const node = open.pop();
    if (!node) return attemptOf(model, furthest.node, furthest.misfit);
    if (node.first >= inTurn.length) return attemptOf(model, node);
    const next: Node[] = [];
    const possible = choices(inTurn, node, isBefore);
    const until = possible.length > 1 ? countedBy(inTurn, node) : Number.POSITIVE_INFINITY;
    for (const index of possible) {
      const observation = inTurn[index] as Observation;
      const inOrder = within(observation, node.since, until);
      const fitting: Node[] = [];
      for (const weight of weightsOf(observation, node, model.counting)) {
        const states = node.state.follow(inOrder, weight);
        if (!isMisfit(states))
          fitting.push(...states.map((state) => advance(inTurn, node, index, weight, state)));
        else if (node.count > furthest.node.count || !furthest.misfit)
          furthest = { node, misfit: { ...states, observation } };
      }
      next.push(...fitting);
      if (isDecided(observation, node, fitting, inTurn, possible)) break;
    }
    for (const each of next.reverse()) {
      const ahead = each.ahead.length > 1 ? [...each.ahead].sort() : each.ahead;
      const key = `${each.first},${ahead} ${each.state.key} ${weightsKey(each.weights)}`;
      if (tried.has(key)) continue;
      tried.add(key);
      open.push(each);
    }
  }
  return { ...attemptOf(model, furthest.node), isPresumed: true };
}

/**
 * Whether other orders need no try: what is known of its kind fits, or it takes nothing off, or no other response says
 * the same, so that no other request can have been in its place. If requests may have come back one by one before it,
 * others may have been counted meanwhile.
 */
function isDecided(
  { kind, remaining, others, at }: Observation,
  { weights, first, state, since, isUntold }: Node,
  fitting: readonly Node[],
  inTurn: readonly Observation[],
  possible: readonly number[],
): boolean {
  const isWaitedFor = state.since !== undefined && state.left.lo < 1;
  const isRefilled = isWaitedFor || fitting.some((each) => each.since > Math.max(since, at.lo));
  // While it is unknown how much others have used, almost any order fits.
  const isUnsure = mayHaveUsed(others) || isUntold;
  if (fitting.length === 0 || isRefilled || isUnsure) return false;
  // One that tells nothing may have taken off what this one shows.
  const mayCount = (each: Observation | undefined) =>
    each?.remaining === undefined && weights[each?.kind ?? ''] !== 0;
  const isOtherPossible = possible.some((index) => mayCount(inTurn[index]));
  if (others > 0 && isOtherPossible) return false;
  if (fitting.every((each) => each.weights[kind] === 0)) return true;
  // While requests come back, each of two with the same Remaining may have been the first.
  const isAlike = (index: number) => inTurn[index]?.remaining === remaining;
  if (state.since !== undefined && possible.filter(isAlike).length > 1) return false;
  if (weights[kind] !== undefined) return true;
  // That one request takes off several may only seem so, because others were counted first.
  if (isOtherPossible || fitting.some((each) => Number(each.weights[kind]) > 1)) return false;
  const near = inTurn.slice(first, first + MAX_IN_FLIGHT);
  return remaining !== undefined && near.filter((each) => each.remaining === remaining).length === 1;
}

function attemptOf(model: Model, node: Node, misfit?: Attempt['misfit']): Attempt {
  const course: { observation: Observation; state: State }[] = [];
  for (let each: Node | undefined = node; each?.by; each = each.before)
    course.push({ observation: each.by, state: each.state });
  return { model, explained: node.count, ...(misfit ? { misfit } : {}), course: course.reverse() };
}

function advance(
  inTurn: readonly Observation[],
  before: Node,
  index: number,
  weight: number,
  state: State,
): Node {
  const by = inTurn[index] as Observation;
  const { first, ahead } = counted(before, index);
  // If others use as much as they like, what is left says nothing about what one request takes off.
  const isTelling =
    by.outcome === 'let-through' && !by.exchange.variation && by.others !== Number.POSITIVE_INFINITY;
  const isNew = isTelling && before.weights[by.kind] !== weight;
  const weights = isNew ? { ...before.weights, [by.kind]: weight } : before.weights;
  const since = Math.max(before.since, by.at.lo, state.since ?? 0);
  const isUntold = by.remaining === undefined && (before.isUntold || mayHaveUsed(by.others));
  return { state, weights, first, ahead, count: before.count + 1, since, isUntold, before, by };
}

/** Whether others may have used some before a request, though not as much as they like. */
function mayHaveUsed(others: number): boolean {
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

/** The weights as text. Most steps of a search leave them as they are. */
function weightsKey(weights: Weights): string {
  const known = weightsKeys.get(weights);
  if (known !== undefined) return known;
  const key = String(Object.entries(weights).sort());
  weightsKeys.set(weights, key);
  return key;
}

const weightsKeys = new WeakMap<Weights, string>();
