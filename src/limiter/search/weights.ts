import { min } from 'd3-array';
import { isSuccess } from '../../model/exchange.ts';
import { rememberingEach } from '../../model/remembering.ts';
import { type FallsAlone, usualFall } from '../falls.ts';
import { type Figures, isMisfit, type Model, type Observation, type State } from '../models/model.ts';
import type { Span } from '../models/span.ts';
import { AGAIN, REJECTED, rejectedKind } from '../observations.ts';

/** What requests of each kind take off. A search learns the same weights again and again, so equal weights are one object. */
export class Weights {
  /** By kind. */
  readonly of: Readonly<Record<string, number>>;
  readonly #instances: Map<string, Weights>;
  readonly #next = new Map<string, Map<number, Weights>>();

  private constructor(of: Readonly<Record<string, number>>, instances: Map<string, Weights>) {
    this.of = of;
    this.#instances = instances;
  }

  /** Without any weight. The same object for all searches with the same observations. */
  static readonly unknown = rememberingEach((_observations: readonly Observation[]): Weights => {
    const instances = new Map<string, Weights>();
    const none = new Weights({}, instances);
    instances.set('', none);
    return none;
  });

  /** These weights, and the weight of one more kind. */
  with(kind: string, weight: number): Weights {
    const ofKind = this.#next.get(kind) ?? new Map<number, Weights>();
    const earlier = ofKind.get(weight);
    if (earlier) return earlier;
    const of = { ...this.of, [kind]: weight };
    const key = String(Object.entries(of).sort());
    const weights = this.#instances.get(key) ?? new Weights(of, this.#instances);
    this.#instances.set(key, weights);
    this.#next.set(kind, ofKind.set(weight, weights));
    return weights;
  }
}

/** What bounds the weights that a search tries. */
export interface Costs {
  model: Pick<Model, 'counting'>;
  figures: Figures;
  falls: FallsAlone;
  /** Whether requests with a wrong key seem to take one off. */
  seemsCounted: () => boolean;
}

/** The weights that a request may have, the likeliest first. */
export interface Possible {
  likely: readonly number[];
  /** Those that take longer to compute. */
  others?: () => readonly number[];
}

/** The weights that a request may have: that of its kind, if known; else one, none, or what Remaining shows. */
export function weightsOf(
  observation: Observation,
  { weights, state }: { weights: Weights; state: State },
  costs: Costs,
): Possible {
  const { model, figures, falls } = costs;
  const { counting } = model;
  const { kind, outcome, others, remaining, exchange } = observation;
  if (exchange.variation && outcome !== 'refused') return { likely: variedWeights(observation, weights) };
  if (outcome === 'refused') return { likely: refusedWeights(observation, weights, falls) };
  if (counting !== 'any' && exchange.key !== 'valid') return { likely: wrongKeyWeights(counting, kind) };
  // A request without a response may have been counted or not, and one that was sent twice may have been counted twice.
  if (outcome === 'unknown') return { likely: exchange.isRepeated ? [0, 1, 2] : [0, 1] };
  if (counting !== 'any') return { likely: exchange.isRepeated ? [1, 2] : [1] };
  const weight = weights.of[kind];
  // Of a request that was sent twice, the first attempt may have been counted long before, and a cache may answer the second.
  if (weight !== undefined)
    return { likely: exchange.isRepeated ? [...new Set([weight, 2 * weight, 0])] : [weight] };
  if (exchange.key !== 'valid')
    return kind.startsWith(REJECTED)
      ? rejectedWeights(observation, weights, costs)
      : { likely: unknownWeights(costs) };
  const most = mostOf(kind, weights);
  // Other clients may hide that a request is free. The request that uses up the limit is taken to count, unless Remaining stays the
  // same.
  const isStill = remaining !== undefined && remaining > 0 && remaining >= Math.floor(state.left.hi);
  const least = others > 0 && exchange.stage === 'exhaust' && !isStill ? 1 : 0;
  const rejected = weights.of[rejectedKind(exchange.operation)] ?? 0;
  // A rejected request costs as much as its operation, unless a cache answers or the request fails.
  const mayBeFree = !isSuccess(exchange) || kind.endsWith(AGAIN);
  const isAlike = (weight: number) => rejected <= 1 || weight === rejected || (mayBeFree && weight === 0);
  const isPossible = (weight: number) => weight <= most && weight >= least && isAlike(weight);
  const several = () => {
    // The cost is unknown if the request takes the rest.
    if (remaining !== undefined && remaining <= 1) return SEVERAL;
    // Without Remaining, as when the headers tell the other window's, the requests before and after bound the cost.
    if (remaining === undefined) return severalUpTo(dearest(falls, exchange.operation));
    // Remaining may be rounded, exclude a burst, and include requests that are given back later.
    const most = remaining + 1 + figures.burst + observation.held;
    return severalBefore({ lo: remaining - 1, hi: most }, observation, state);
  };
  const usual = usualFall(falls, kind, exchange.operation) ?? 1;
  const likely = [...new Set([usual, 1, 0])].filter(isPossible);
  const isFurther = (weight: number) => isPossible(weight) && !likely.includes(weight);
  return { likely, others: () => several().filter(isFurther) };
}

/** The weights of a request with a wrong key if all other requests weigh one. To another spelling of an address, it may count or not. */
function wrongKeyWeights(counting: Model['counting'], kind: string): readonly number[] {
  if (counting !== 'rejected-too') return [0];
  return kind.startsWith(REJECTED) ? [1] : [0, 1];
}

/** The weights of a request with a wrong key as long as they are unknown. */
function unknownWeights({ seemsCounted }: Costs): readonly number[] {
  return seemsCounted() ? [1, 0] : [0, 1];
}

/** The kinds of first reads and writes that succeeded, which no cache answered. */
const SUCCEEDED = /, 2\d\d$/;

/**
 * The weights of a request that is rejected for its key: all of them weigh nothing, or one, or as much as their operation. If the
 * weight of the operation is unknown, up to its largest fall.
 */
function rejectedWeights({ exchange: { operation } }: Observation, { of }: Weights, costs: Costs): Possible {
  const rejected = Object.entries(of).filter(([kind]) => kind.startsWith(REJECTED));
  if (rejected.some(([, weight]) => weight === 0)) return { likely: [0] };
  const several = () => {
    const ofOperation = Object.entries(of).filter(([kind]) => kind.startsWith(`${operation}, `));
    const weights = ofOperation.flatMap(([kind, weight]) =>
      weight > 0 || SUCCEEDED.test(kind) ? weight : [],
    );
    return weights.length > 0
      ? [...new Set(weights.filter((weight) => weight > 1))]
      : SEVERAL.filter((weight) => weight <= dearest(costs.falls, operation));
  };
  return { likely: rejected.length > 0 ? [1] : unknownWeights(costs), others: several };
}

/** The largest weight that is tried while it is unknown how many requests were left. */
const DEAREST = 10;

const SEVERAL = Array.from({ length: DEAREST - 1 }, (_, index) => index + 2);

/** The largest fall for a single request of an operation; Infinity if none was sent alone. */
function dearest({ ofOperation }: FallsAlone, operation: string): number {
  return Math.max(...(ofOperation.get(operation) ?? [Number.POSITIVE_INFINITY]));
}

function severalUpTo(dearest: number): number[] {
  return Number.isFinite(dearest) ? SEVERAL.filter((weight) => weight <= dearest) : [];
}

/** The weights of two and more that leave so many requests. */
function severalBefore(leftAfter: Span, observation: Observation, state: State): number[] {
  const before = state.follow(silentVersionOf(observation), 0);
  if (isMisfit(before)) return [];
  const weights = before.flatMap(({ left }) => {
    // Requests may come back while this one is in flight, so fewer may have been left when it was counted.
    const least = Math.max(2, Math.ceil(Math.min(left.lo, state.left.lo) - leftAfter.hi));
    const most = Math.floor(left.hi - leftAfter.lo);
    const count = most - least < DEAREST ? most - least + 1 : DEAREST + 1 - least;
    return Array.from({ length: Math.max(0, count) }, (_, more) => least + more);
  });
  return [...new Set(weights)];
}

/** The same request as if its response told nothing. */
const silentVersionOf = rememberingEach(
  ({ remaining: _, reset: __, ...request }: Observation): Observation => ({ ...request, outcome: 'unknown' }),
);

/** The largest weight of a repeated read: that of the first read. A cache may make it cheaper. */
function mostOf(kind: string, weights: Weights): number {
  return (
    (kind.endsWith(AGAIN) ? weights.of[kind.slice(0, -AGAIN.length)] : undefined) ?? Number.POSITIVE_INFINITY
  );
}

/** The weights of a varied request: that of the plain one, or of a read that no cache has answered before. */
function variedWeights({ kind, outcome, exchange }: Observation, weights: Weights): number[] {
  if (outcome === 'unknown') return [0, 1];
  const ofKind = Object.entries(weights.of).flatMap(([name, weight]) =>
    name.startsWith(kind) ? weight : [],
  );
  const once = ofKind.length > 0 ? [...new Set(ofKind)] : [1];
  return exchange.isRepeated ? [...once, ...once.map((weight) => 2 * weight)] : once;
}

/**
 * The weight that a refused request would have had: that of requests of its operation that were let through, repeated or not. If
 * other clients use the key without a bound, it is one or at most the smallest fall of Remaining.
 */
function refusedWeights(
  { kind, exchange, others }: Observation,
  weights: Weights,
  falls: FallsAlone,
): number[] {
  if (others === Number.POSITIVE_INFINITY)
    return [...new Set([1, Math.max(1, min(falls.ofOperation.get(exchange.operation) ?? []) ?? 1)])];
  const ofOperation = Object.entries(weights.of).filter(([name]) =>
    name.startsWith(`${exchange.operation}, `),
  );
  const alike = ofOperation.filter(([name]) => name.endsWith(AGAIN) === kind.endsWith(AGAIN));
  return [Math.max(1, ...(alike.length > 0 ? alike : ofOperation).map(([, weight]) => weight))];
}
