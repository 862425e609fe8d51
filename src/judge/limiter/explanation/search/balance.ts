import { type Exchange, isSuccess } from '../../../../model/exchange.ts';
import type { Bounds, Figures, Model, Observation } from '../models/model.ts';
import { FLOAT_ERROR, type Span } from '../models/span.ts';
import { type Between, betweens, type Counted } from './between.ts';
import { lazily, oncePer } from './lazily.ts';
import { MAX_IN_FLIGHT } from './order.ts';
import { type Fall, isAnyPossible, spanOf, type WeightSpans, weightSpansOf } from './weight-spans.ts';
import { Weights } from './weights.ts';

/** What Remaining by itself says of a model, in whichever order requests were counted. */
export interface Balance {
  /**
   * Whether these weights may account for how Remaining differs from one response to a later one. If not, no order of the
   * requests between them makes up for it, and there is no need to try any.
   */
  isPossible: (weights: Weights) => boolean;
  /** Whether some weights may. If not, the model cannot explain all observations. */
  isEver: () => boolean;
  /**
   * How many observations the model explains at most: those that may be counted before a response that differs from an
   * earlier one by more than any weights account for. Infinite if no response does.
   */
  most: () => number;
  /**
   * The most that a request of an operation may take off, by what Remaining shows of some of its kinds. The other kinds are
   * taken to take off no more. Infinite if it shows nothing of any kind.
   */
  dearest: (operation: string) => number;
}

const UNBOUNDED: Balance = {
  isPossible: () => true,
  isEver: () => true,
  most: () => Number.POSITIVE_INFINITY,
  dearest: () => 0,
};

/** Several models have the same bounds. Observations are those of one limit, so they have the same figures each time. */
const balances = new WeakMap<
  readonly Observation[],
  Map<Bounds, Partial<Record<Model['counting'], Balance>>>
>();

/** What Remaining by itself says of a model. @param observations in the order in which they were sent */
export function balanceOf(model: Model, figures: Figures, observations: readonly Observation[]): Balance {
  const { bounds, counting } = model;
  if (!bounds) return UNBOUNDED;
  const all = balances.get(observations) ?? new Map<Bounds, Partial<Record<Model['counting'], Balance>>>();
  const known = all.get(bounds);
  const balance = known?.[counting] ?? balanceBy(bounds, counting, figures, observations);
  balances.set(observations, all.set(bounds, { ...known, [counting]: balance }));
  return balance;
}

/** Of some pairs, the one whose fall was not accounted for last. */
const suspects = new WeakMap<readonly Between[], number>();

function balanceBy(
  bounds: Bounds,
  counting: Model['counting'],
  figures: Figures,
  observations: readonly Observation[],
): Balance {
  const pairs = betweens(observations, counting);
  const known: Fall[] = [];
  const fallAt = (index: number) => {
    known[index] ??= fallOf(pairs[index] as Between, bounds, figures);
    return known[index];
  };
  const falls = () => pairs.map((_, index) => fallAt(index));
  const spans = lazily(() => (counting === 'any' ? weightSpansOf(falls()) : UNKNOWN));
  const dearest = lazily(() => dearestBy(observations, spans()));
  const mostOf = oncePer((operation: string) => dearest()(operation) ?? 0);
  const isImpossible = lazily(() =>
    observations.some((each) => {
      const most = () => (counting !== 'any' ? 1 : mostOf(each.exchange.operation));
      return isTooMany(each, counting, bounds, figures) || isRefusedEarly(each, most, bounds, figures);
    }),
  );
  // A fall that some weights do not account for, or another model, others seldom do: it is looked at first.
  const isEachAccounted = (weights: Weights, bySpans: WeightSpans) => {
    const isWrong = (index: number) => !isAccountedBy(weights, fallAt(index), counting, bySpans);
    const suspect = suspects.get(pairs);
    if (suspect !== undefined && isWrong(suspect)) return false;
    const wrong = pairs.findIndex((_, index) => isWrong(index));
    if (wrong !== -1) suspects.set(pairs, wrong);
    return wrong === -1;
  };
  const unknown = Weights.unknown(observations);
  const isAccounted = oncePer((weights: Weights) => {
    // What requests of each kind can take is only worked out if each fall by itself is accounted for.
    if (weights === unknown) return isEachAccounted(weights, UNKNOWN) && isAnyPossible(spans());
    return isAnyPossible(spans()) && isEachAccounted(weights, spans());
  });
  const isPossible = (weights: Weights) => isAccounted(weights) && !isImpossible();
  return {
    isPossible,
    isEver: () => isPossible(unknown),
    most: lazily(() => {
      if (observations.some(({ exchange }) => exchange.inFlight > MAX_IN_FLIGHT))
        return Number.POSITIVE_INFINITY;
      const first = falls().find((each) => !isAccountedBy(unknown, each, counting, UNKNOWN));
      return first?.without ?? Number.POSITIVE_INFINITY;
    }),
    // What fails may cost nothing.
    dearest: oncePer(
      (operation) =>
        dearest()(operation, isSuccess, 0) || (dearest()(operation, isSuccess) ?? Number.POSITIVE_INFINITY),
    ),
  };
}

const UNKNOWN: WeightSpans = new Map();

/** Whether these weights may account for a fall of Remaining, if the other kinds take what their spans say. */
function isAccountedBy(
  weights: Weights,
  { least, most, isUsedUp, ways }: Fall,
  counting: Model['counting'],
  spans: WeightSpans,
): boolean {
  const taken = (counted: Counted, end: keyof Span, dearest = Number.POSITIVE_INFINITY) =>
    counted.byOthers +
    (counting !== 'any'
      ? counted.each
      : takenBy(counted, weights, (kind) => spanOf(spans, kind)[end], dearest));
  const isEnough = (lo: number, counted: Counted | undefined) => !counted || taken(counted, 'hi') >= lo;
  return ways.some(({ lo, hi }) => {
    if (taken(least, 'lo', isUsedUp ? 1 : undefined) > hi) return false;
    // What every order counts, some order counts.
    return lo <= 0 || isEnough(lo, least) || isEnough(lo, most());
  });
}

function fallOf(
  { before, after, first, least, most, lowest, without }: Between,
  bounds: Bounds,
  figures: Figures,
): Fall {
  const from = bounds.leftIf(figures, { ...before, remaining: before.remaining ?? 0 });
  const to = bounds.leftIf(figures, { ...after, remaining: after.remaining ?? 0 });
  const ways = bounds.ways(figures, before, after, first).map(({ returned, isRenewed }) => ({
    hi: from.hi - to.lo + returned + FLOAT_ERROR,
    lo: (isRenewed ? figures.limit + figures.burst : from.lo) - to.hi - FLOAT_ERROR,
  }));
  return { least, most, isUsedUp: lowest <= 1, ways, without };
}

/** What requests take off together. @param dearest no request takes more */
function takenBy(
  { ofKind }: Counted,
  { of }: Weights,
  unknown: (kind: string) => number,
  dearest: number,
): number {
  let sum = 0;
  for (const [kind, requests] of ofKind) sum += requests * Math.min(of[kind] ?? unknown(kind), dearest);
  return sum;
}

/** Whether Remaining is more than a limiter can have left. */
function isTooMany(
  observation: Observation,
  counting: Model['counting'],
  bounds: Bounds,
  figures: Figures,
): boolean {
  const { remaining, outcome, exchange } = observation;
  if (remaining === undefined) return false;
  const isCounted = counting !== 'any' && outcome === 'let-through' && !exchange.variation;
  const most = figures.limit + figures.burst - Number(isCounted);
  return bounds.leftIf(figures, { ...observation, remaining }).lo > most || remaining > most;
}

/** Whether a request was refused although enough were left for it. @param most that it may take off */
function isRefusedEarly(
  observation: Observation,
  most: () => number,
  bounds: Bounds,
  figures: Figures,
): boolean {
  const { remaining, outcome } = observation;
  if (outcome !== 'refused' || remaining === undefined) return false;
  const { lo } = bounds.leftIf(figures, { ...observation, remaining });
  return lo >= 1 && lo >= most();
}

/**
 * The most that a request of an operation can take off; undefined if none was let through. `unknown` is what a kind is taken to
 * take off that no fall shows.
 */
function dearestBy(
  observations: readonly Observation[],
  spans: WeightSpans,
): (operation: string, isCounted?: (exchange: Exchange) => boolean, unknown?: number) => number | undefined {
  const dearest = (kind: string, unknown: number) => {
    const { hi } = spanOf(spans, kind);
    return hi === Number.POSITIVE_INFINITY ? unknown : hi;
  };
  return (operation, isCounted = () => true, unknown = Number.POSITIVE_INFINITY) => {
    const alike = observations.filter(
      ({ exchange, outcome }) =>
        exchange.operation === operation &&
        exchange.key === 'valid' &&
        exchange.variation === undefined &&
        outcome === 'let-through' &&
        isCounted(exchange),
    );
    const most = alike.map(({ kind }) => dearest(kind, unknown));
    return alike.length > 0 ? Math.max(...most) : undefined;
  };
}
