import { min } from 'd3-array';
import { isSuccess } from '../../model/exchange.ts';
import { type Figures, isMisfit, type Model, type Observation, type State } from '../models/model.ts';
import type { Span } from '../models/span.ts';
import { AGAIN, REJECTED, rejectedKind } from '../observations.ts';
import { type FallsAlone, usualFall } from './falls.ts';

/** What requests of each kind take off. A search learns the same again and again, so each is made only once. */
export class Weights {
  /** By kind. */
  readonly of: Readonly<Record<string, number>>;
  readonly #all: Map<string, Weights>;
  readonly #learned = new Map<string, Map<number, Weights>>();

  private constructor(of: Readonly<Record<string, number>>, all: Map<string, Weights>) {
    this.of = of;
    this.#all = all;
  }

  /** The same for all searches with the same observations. */
  static unknown(observations: readonly Observation[]): Weights {
    const known = unknown.get(observations);
    if (known) return known;
    const all = new Map<string, Weights>();
    const none = new Weights({}, all);
    all.set('', none);
    unknown.set(observations, none);
    return none;
  }

  /** These, and what one kind takes. */
  with(kind: string, weight: number): Weights {
    const learned = this.#learned.get(kind) ?? new Map<number, Weights>();
    const known = learned.get(weight);
    if (known) return known;
    const of = { ...this.of, [kind]: weight };
    const key = String(Object.entries(of).sort());
    const weights = this.#all.get(key) ?? new Weights(of, this.#all);
    this.#all.set(key, weights);
    this.#learned.set(kind, learned.set(weight, weights));
    return weights;
  }
}

const unknown = new WeakMap<readonly Observation[], Weights>();

/** What bounds the weights that a search tries. */
export interface Costs {
  model: Pick<Model, 'counting'>;
  figures: Figures;
  /** By how much Remaining fell for requests that were sent alone. */
  falls: FallsAlone;
  /** Whether requests with a wrong key seem to take one off. */
  seemsCounted: () => boolean;
}

/** What a request may take off, the likeliest first. */
export interface Possible {
  likely: readonly number[];
  /** What takes longer to find out. */
  others?: () => readonly number[];
}

/** What a request may take off: what others of its kind did; else one request, none, or what Remaining shows. */
export function weightsOf(
  observation: Observation,
  { weights, state }: { weights: Weights; state: State },
  costs: Costs,
): Possible {
  const { model, figures, falls } = costs;
  const { counting } = model;
  const { kind, outcome, others, remaining, exchange } = observation;
  const known = weights.of[kind];
  if (exchange.variation && outcome !== 'refused') return { likely: variedWeights(observation, weights) };
  if (outcome === 'refused') return { likely: refusedWeights(observation, weights, falls) };
  if (counting !== 'any' && exchange.key !== 'valid') return { likely: wrongKeyWeights(counting, kind) };
  if (counting !== 'any') return { likely: exchange.isRepeated ? [1, 2] : [1] };
  // Without a response it may have been counted or not; one that was sent twice may have been counted twice.
  if (outcome === 'unknown') return { likely: exchange.isRepeated ? [0, 1, 2] : [0, 1] };
  // The first of two may have been counted before those beside it, and then a cache may answer the second one.
  if (known !== undefined)
    return { likely: exchange.isRepeated ? [...new Set([known, 2 * known, 0])] : [known] };
  if (exchange.key !== 'valid')
    return kind.startsWith(REJECTED)
      ? rejectedWeights(observation, weights, costs)
      : { likely: unknownWeights(costs) };
  const most = mostOf(kind, weights);
  // Others may hide that a request counts for nothing. The one that uses up the limit is taken to count, unless Remaining
  // stays as it was.
  const isStill = remaining !== undefined && remaining > 0 && remaining >= Math.floor(state.left.hi);
  const least = others > 0 && exchange.stage === 'exhaust' && !isStill ? 1 : 0;
  const rejected = weights.of[rejectedKind(exchange.operation)] ?? 0;
  // What succeeds costs as much, unless a cache has it. What fails may cost nothing.
  const mayBeFree = !isSuccess(exchange) || kind.endsWith(AGAIN);
  const isAlike = (weight: number) => rejected <= 1 || weight === rejected || (mayBeFree && weight === 0);
  const isPossible = (weight: number) => weight <= most && weight >= least && isAlike(weight);
  const several = () => {
    // What a request costs is unknown if it takes all that is left.
    if (remaining !== undefined && remaining <= 1) return SEVERAL;
    // What a response does not tell of this window, as it tells the other's, those before and after may.
    if (remaining === undefined) return severalUpTo(dearest(falls, exchange.operation));
    // Remaining may be rounded, leave out a burst, and count requests that are given back.
    const most = remaining + 1 + figures.burst + observation.held;
    return severalBefore({ lo: remaining - 1, hi: most }, observation, state);
  };
  const usual = usualFall(falls, kind, exchange.operation) ?? 1;
  const likely = [...new Set([usual, 1, 0])].filter(isPossible);
  return { likely, others: () => several().filter((each) => isPossible(each) && !likely.includes(each)) };
}

/** What a request with a wrong key takes if all others take one. At another spelling of an address, nothing says whether it counts. */
function wrongKeyWeights(counting: Model['counting'], kind: string): readonly number[] {
  if (counting !== 'rejected-too') return [0];
  return kind.startsWith(REJECTED) ? [1] : [0, 1];
}

/** What a request with a wrong key takes, if nothing is known of it. */
function unknownWeights({ seemsCounted }: Costs): readonly number[] {
  return seemsCounted() ? [1, 0] : [0, 1];
}

/** The kinds of requests that no cache may have answered. */
const SUCCEEDED = /, 2\d\d$/;

/**
 * What a request takes that is rejected for its key: all of them nothing, or one, or as much as their operation. If that is
 * not known yet, it is assumed.
 */
function rejectedWeights({ exchange: { operation } }: Observation, { of }: Weights, costs: Costs): Possible {
  const others = Object.entries(of).filter(([kind]) => kind.startsWith(REJECTED));
  if (others.some(([, weight]) => weight === 0)) return { likely: [0] };
  const several = () => {
    const alike = Object.entries(of).filter(([kind]) => kind.startsWith(`${operation}, `));
    const known = alike.flatMap(([kind, weight]) => (weight > 0 || SUCCEEDED.test(kind) ? weight : []));
    return known.length > 0
      ? [...new Set(known.filter((weight) => weight > 1))]
      : SEVERAL.filter((weight) => weight <= dearest(costs.falls, operation));
  };
  return { likely: others.length > 0 ? [1] : unknownWeights(costs), others: several };
}

/** If much is unknown of what was left before, a request is taken to take off no more than this. */
const DEAREST = 10;

const SEVERAL = Array.from({ length: DEAREST - 1 }, (_, index) => index + 2);

/** The most that a request of an operation takes off. */
function dearest({ ofOperation }: FallsAlone, operation: string): number {
  return Math.max(...(ofOperation.get(operation) ?? [Number.POSITIVE_INFINITY]));
}

/** Weights of two and more up to the dearest, if it is known. */
function severalUpTo(dearest: number): number[] {
  return Number.isFinite(dearest) ? SEVERAL.filter((weight) => weight <= dearest) : [];
}

/** Which weights of two and more leave so much. */
function severalBefore(told: Span, observation: Observation, state: State): number[] {
  const before = state.follow(untoldOf(observation), 0);
  if (isMisfit(before)) return [];
  const weights = before.flatMap(({ left }) => {
    // Some may come back while the request is under way, so that less was left when it was counted.
    const least = Math.max(2, Math.ceil(Math.min(left.lo, state.left.lo) - told.hi));
    const most = Math.floor(left.hi - told.lo);
    const count = most - least < DEAREST ? most - least + 1 : DEAREST + 1 - least;
    return Array.from({ length: Math.max(0, count) }, (_, more) => least + more);
  });
  return [...new Set(weights)];
}

const untolds = new WeakMap<Observation, Observation>();

/** The same request, as if its response had told nothing. */
function untoldOf(observation: Observation): Observation {
  const known = untolds.get(observation);
  if (known) return known;
  const { remaining: _, reset: __, ...others } = observation;
  const untold: Observation = { ...others, outcome: 'unknown' };
  untolds.set(observation, untold);
  return untold;
}

/** The most that a repeated read takes off: what the first took. A cache may make it cheaper, nothing makes it dearer. */
function mostOf(kind: string, weights: Weights): number {
  return (
    (kind.endsWith(AGAIN) ? weights.of[kind.slice(0, -AGAIN.length)] : undefined) ?? Number.POSITIVE_INFINITY
  );
}

/** What a varied request takes: as much as the plain one, or as one that no cache has answered before. */
function variedWeights({ kind, outcome, exchange }: Observation, weights: Weights): number[] {
  if (outcome === 'unknown') return [0, 1];
  const known = Object.entries(weights.of).flatMap(([each, weight]) => (each.startsWith(kind) ? weight : []));
  const once = known.length > 0 ? [...new Set(known)] : [1];
  return exchange.isRepeated ? [...once, ...once.map((weight) => 2 * weight)] : once;
}

/**
 * What a refused request would have taken: as much as those of its operation that were let through, repeated or not. If others
 * use as much as they like, these do not show it, and it is at most the least that Remaining fell by.
 */
function refusedWeights(
  { kind, exchange, others }: Observation,
  weights: Weights,
  falls: FallsAlone,
): number[] {
  if (others === Number.POSITIVE_INFINITY)
    return [...new Set([1, Math.max(1, min(falls.ofOperation.get(exchange.operation) ?? []) ?? 1)])];
  const known = Object.entries(weights.of).filter(([each]) => each.startsWith(`${exchange.operation}, `));
  const alike = known.filter(([each]) => each.endsWith(AGAIN) === kind.endsWith(AGAIN));
  return [Math.max(1, ...(alike.length > 0 ? alike : known).map(([, weight]) => weight))];
}
