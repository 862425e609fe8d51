import { MINUTE_S } from '../../../model/rate-plan.ts';
import {
  type Figures,
  isMisfit,
  type Misfit,
  type Model,
  type Observation,
  type State,
} from './models/model.ts';
import { AGAIN } from './observations.ts';

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

/** No more requests than this are in flight at a time, for the order in which they may have been counted. */
const MAX_IN_FLIGHT = 64;

/** The Resets of fixed windows are a minute apart at least; that of a sliding counter may change by half of one (s). */
const NEXT_RESET_S = (3 / 4) * MINUTE_S;

/** In how many orders simultaneous requests are tried at each step. */
const MAX_CHOICES = 3;

/** A part of the way: what was counted so far, and what that leaves possible. */
interface Node {
  state: State;
  weights: Readonly<Record<string, number>>;
  /** Index of the first observation that was not counted yet, and the later ones that were. */
  first: number;
  ahead: readonly number[];
  count: number;
  /** The last one was counted then at the earliest, in ms since the epoch. */
  since: number;
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
    .map((state): Node => ({ state, weights: {}, first: 0, ahead: [], count: 0, since: 0 }));
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
      for (const weight of weightsOf(observation, node, model.counting)) {
        const states = node.state.follow(inOrder, weight);
        if (!isMisfit(states))
          next.push(...states.map((state) => advance(inTurn, node, index, weight, state)));
        else if (node.count > furthest.node.count || !furthest.misfit)
          furthest = { node, misfit: { ...states, observation } };
      }
      if (isDecided(observation, node, next, inTurn)) break;
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
 * the same, so that no other request can have been in its place. If requests have come back one by one since, others may
 * have been counted first.
 */
function isDecided(
  { kind, remaining }: Observation,
  { weights, first, state }: Node,
  next: readonly Node[],
  inTurn: readonly Observation[],
): boolean {
  const isRefilled = state.since !== undefined && remaining !== undefined && remaining > state.left.hi;
  if (next.length === 0 || isRefilled) return false;
  if (weights[kind] !== undefined || next.every((each) => each.weights[kind] === 0)) return true;
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
  return { state, weights, first, ahead, count: before.count + 1, since, before, by };
}

/** When the next one was counted at the latest: each of those that wait was counted before its response came. */
function countedBy(inTurn: readonly Observation[], { first, ahead }: Node): number {
  const waiting = inTurn
    .slice(first, first + MAX_IN_FLIGHT)
    .filter((_, index) => !ahead.includes(first + index));
  return Math.min(...waiting.map(({ at }) => at.hi));
}

/** An observation, counted after those before it and before those that wait. */
function within(observation: Observation, since: number, until: number): Observation {
  const { at } = observation;
  if (since <= at.lo && until >= at.hi) return observation;
  const lo = Math.max(at.lo, since);
  return { ...observation, at: { lo, hi: Math.max(lo, Math.min(at.hi, until)) } };
}

/** What is still to be counted after an observation. */
function counted({ first, ahead }: Node, index: number): Pick<Node, 'first' | 'ahead'> {
  if (index === first && ahead.length === 0) return { first: first + 1, ahead };
  const done = new Set(ahead).add(index);
  let next = first;
  while (done.delete(next)) next += 1;
  return { first: next, ahead: [...done] };
}

/** The weights as text. Most steps of a search leave them as they are. */
function weightsKey(weights: Node['weights']): string {
  const known = weightsKeys.get(weights);
  if (known !== undefined) return known;
  const key = String(Object.values(weights));
  weightsKeys.set(weights, key);
  return key;
}

const weightsKeys = new WeakMap<Node['weights'], string>();

interface Order {
  inTurn: readonly Observation[];
  isBefore: (one: number, other: number) => boolean;
}

/** Every model is tried with the same observations. */
const orders = new WeakMap<readonly Observation[], Order>();

/**
 * The observations in the order in which they were sent, and whether the limiter counted a request before another: its
 * response was there when the other was sent. Those in flight then may have been counted after it.
 */
function orderOf(observations: readonly Observation[]): Order {
  const known = orders.get(observations);
  if (known) return known;
  const inTurn = [...observations].sort((one, other) => one.exchange.id - other.exchange.id);
  let pending: number[] = [];
  const inFlight = inTurn.map(({ exchange }, index) => {
    const answeredAt = (each: number) => inTurn[each]?.exchange.receivedAt ?? 0;
    // Of those whose response came in the same millisecond, the number in flight tells which were answered before.
    const latestFirst = pending.sort((one, other) => answeredAt(other) - answeredAt(one));
    pending = latestFirst
      .filter((each) => answeredAt(each) >= exchange.sentAt)
      .slice(0, exchange.inFlight - 1);
    const others = new Set(pending);
    pending.push(index);
    return others;
  });
  const isBefore: Order['isBefore'] = (one, other) => one < other && !inFlight[other]?.has(one);
  orders.set(observations, { inTurn, isBefore });
  return { inTurn, isBefore };
}

/** The next observations to try: of the older window, and with the most remaining, first. */
function choices(
  inTurn: readonly Observation[],
  { first, ahead }: Node,
  isBefore: (one: number, other: number) => boolean,
): number[] {
  const possible: number[] = [first];
  const waiting: number[] = [first];
  for (let index = first + 1; index < inTurn.length && waiting.length < MAX_IN_FLIGHT; index += 1) {
    // Then it was also counted before all later ones.
    if (isBefore(first, index)) break;
    if (ahead.includes(index)) continue;
    if (waiting.every((each) => !isBefore(each, index))) possible.push(index);
    waiting.push(index);
  }
  if (possible.length === 1) return possible;
  const resets = possible.map((each) => inTurn[each]?.exchange.rate.reset ?? Number.POSITIVE_INFINITY);
  const nextWindow = Math.min(...resets) + NEXT_RESET_S;
  const rank = (index: number) => {
    const { exchange, remaining } = inTurn[index] as Observation;
    const isLater = (exchange.rate.reset ?? 0) >= nextWindow;
    return (isLater ? -1e9 : 0) + (remaining ?? -1);
  };
  const inOrder = possible.sort((one, other) => rank(other) - rank(one) || one - other);
  const isTold = (index: number) => inTurn[index]?.remaining !== undefined;
  const untold = inOrder.filter((index) => !isTold(index));
  return [...inOrder.filter(isTold).slice(0, MAX_CHOICES), ...untold.slice(0, 1)];
}

/** What a request may take off: what others of its kind did; else one request, none, or what Remaining shows. */
function weightsOf(
  observation: Observation,
  { weights, state }: Node,
  counting: Model['counting'],
): number[] {
  const { kind, outcome, others, remaining, exchange } = observation;
  if (exchange.variation && outcome !== 'refused') return variedWeights(observation, weights);
  if (outcome === 'refused') return [refusedWeight(exchange.operation, weights)];
  if (counting === 'every' && exchange.key !== 'valid') return [0];
  if (counting === 'every') return exchange.isRepeated ? [1, 2] : [1];
  // Without a response it may have been counted or not; one that was sent twice may have been counted twice.
  if (outcome === 'unknown') return exchange.isRepeated ? [0, 1, 2] : [0, 1];
  const known = weights[kind];
  if (known !== undefined) return exchange.isRepeated ? [known, 2 * known] : [known];
  if (exchange.key !== 'valid') return [0, 1];
  const most = mostOf(kind, weights);
  const shown = remaining === undefined ? 0 : Math.floor(state.left.hi) - remaining;
  const possible = shown > 1 && Number.isFinite(shown) ? [1, 0, shown] : [1, 0];
  // What falls because of others says nothing about whether a request counts: the one that uses up the limit does, unless
  // nothing falls.
  const isStill = remaining !== undefined && remaining > 0 && remaining >= Math.floor(state.left.hi);
  const least = others > 0 && exchange.stage === 'exhaust' && !isStill ? 1 : 0;
  return possible.filter((weight) => weight <= most && weight >= least);
}

/** The most that a repeated read takes off: what the first took. A cache may make it cheaper, nothing makes it dearer. */
function mostOf(kind: string, weights: Node['weights']): number {
  return (
    (kind.endsWith(AGAIN) ? weights[kind.slice(0, -AGAIN.length)] : undefined) ?? Number.POSITIVE_INFINITY
  );
}

/** What a varied request takes: as much as the plain one, or as one that no cache has answered before. */
function variedWeights({ kind, outcome, exchange }: Observation, weights: Node['weights']): number[] {
  if (outcome === 'unknown') return [0, 1];
  const known = Object.entries(weights).flatMap(([each, weight]) => (each.startsWith(kind) ? weight : []));
  const once = known.length > 0 ? [...new Set(known)] : [1];
  return exchange.isRepeated ? [...once, ...once.map((weight) => 2 * weight)] : once;
}

/** What a refused request would have taken: as much as those of its operation that were let through. */
function refusedWeight(operation: string, weights: Node['weights']): number {
  const known = Object.entries(weights).filter(([kind]) => kind.startsWith(`${operation}, `));
  return Math.max(1, ...known.map(([, weight]) => weight));
}
