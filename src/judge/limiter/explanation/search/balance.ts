import { type Exchange, isSuccess } from '../../../../model/exchange.ts';
import type { Bounds, Figures, Model, Observation } from '../models/model.ts';
import { type Between, betweens, type Counted } from './between.ts';
import { oncePer } from './lazily.ts';
import { Weights } from './weights.ts';

/** Less than this of a request is lost in floating-point numbers. */
const NOTHING = 1e-3;

/** What the requests between two responses take off: at least `lo` in some order, and at most `hi` in every order. */
interface Fall {
  least: Counted;
  most: () => Counted | undefined;
  /** What was left may have been less than a request costs, and then it took only that. */
  isUsedUp: boolean;
  /** One of these is enough. */
  ways: readonly { lo: number; hi: number }[];
}

/**
 * Whether these weights may account for how Remaining differs from one response to a later one. If not, no order of the
 * requests between them makes up for it, and there is no need to try any.
 */
export function balanceOf(
  model: Model,
  figures: Figures,
  observations: readonly Observation[],
): (weights: Weights) => boolean {
  const { bounds, counting } = model;
  if (!bounds) return () => true;
  const falls = fallsOf(bounds, figures, observations);
  const dearest = dearestBy(observations, falls);
  const mostOf = oncePer((operation: string) => dearest(operation) ?? 0);
  const isImpossible = (each: Observation) => {
    const most = counting === 'every' ? 1 : mostOf(each.exchange.operation);
    return isTooMany(each, counting, bounds, figures) || isRefusedEarly(each, most, bounds, figures);
  };
  if (observations.some(isImpossible)) return () => false;
  return oncePer((weights: Weights) => {
    const taken = (counted: Counted, unknown: number, dearest = Number.POSITIVE_INFINITY) =>
      counting === 'every' ? counted.withKey : takenBy(counted, weights, unknown, dearest);
    const isEnough = (lo: number, most: Counted | undefined) =>
      !most || taken(most, Number.POSITIVE_INFINITY) >= lo;
    return falls.every(({ least, most, isUsedUp, ways }) =>
      ways.some(
        ({ lo, hi }) => taken(least, 0, isUsedUp ? 1 : undefined) <= hi && (lo <= 0 || isEnough(lo, most())),
      ),
    );
  });
}

/** Whether some weights may account for how Remaining differs. If not, the model cannot explain all observations. */
export function mayBalance(model: Model, figures: Figures, observations: readonly Observation[]): boolean {
  return balanceOf(model, figures, observations)(Weights.unknown(observations));
}

/**
 * The most that a request of an operation may take off, by what Remaining shows of some of its kinds. The other kinds are
 * taken to take off no more. Infinite if it shows nothing of any kind.
 */
export function dearestOf(
  { bounds }: Pick<Model, 'bounds'>,
  figures: Figures,
  observations: readonly Observation[],
): (operation: string) => number {
  if (!bounds) return () => 0;
  const dearest = dearestBy(observations, fallsOf(bounds, figures, observations));
  // What fails may cost nothing.
  return oncePer(
    (operation) =>
      dearest(operation, isSuccess, 0) || (dearest(operation, isSuccess) ?? Number.POSITIVE_INFINITY),
  );
}

function fallsOf(bounds: Bounds, figures: Figures, observations: readonly Observation[]): Fall[] {
  return betweens(observations).map((each) => fallOf(each, bounds, figures));
}

function fallOf(
  { before, after, first, least, most, lowest }: Between,
  bounds: Bounds,
  figures: Figures,
): Fall {
  const from = bounds.leftIf(figures, before.remaining ?? 0, before.held);
  const to = bounds.leftIf(figures, after.remaining ?? 0, after.held);
  const ways = bounds.ways(figures, before, after, first).map(({ returned, isRenewed }) => ({
    hi: from.hi - to.lo + returned + NOTHING,
    lo: (isRenewed ? figures.limit + figures.burst : from.lo) - to.hi - NOTHING,
  }));
  return { least, most, isUsedUp: lowest <= 1, ways };
}

/** What requests take off together. @param dearest no request takes more */
function takenBy({ ofKind }: Counted, { of }: Weights, unknown: number, dearest: number): number {
  let sum = 0;
  for (const [kind, requests] of ofKind) sum += requests * Math.min(of[kind] ?? unknown, dearest);
  return sum;
}

/** Whether Remaining is more than a limiter can have left. */
function isTooMany(
  { remaining, outcome, exchange, held }: Observation,
  counting: Model['counting'],
  bounds: Bounds,
  figures: Figures,
): boolean {
  if (remaining === undefined) return false;
  const isCounted = counting === 'every' && outcome === 'let-through' && !exchange.variation;
  const most = figures.limit + figures.burst - Number(isCounted);
  return bounds.leftIf(figures, remaining, held).lo > most || (counting === 'every' && remaining > most);
}

/** Whether a request was refused although enough were left for it. */
function isRefusedEarly(
  { remaining, outcome, held }: Observation,
  most: number,
  bounds: Bounds,
  figures: Figures,
): boolean {
  return (
    outcome === 'refused' &&
    remaining !== undefined &&
    bounds.leftIf(figures, remaining, held).lo >= Math.max(1, most)
  );
}

/**
 * The most that a request of an operation can take off, by how Remaining falls; undefined if none was let through.
 * `unknown` is what a kind is taken to take off that no fall shows.
 */
function dearestBy(
  observations: readonly Observation[],
  falls: readonly Fall[],
): (operation: string, isCounted?: (exchange: Exchange) => boolean, unknown?: number) => number | undefined {
  const dearest = new Map<string, number>();
  for (const { least, ways } of falls.filter(({ isUsedUp }) => !isUsedUp))
    for (const [kind, requests] of least.ofKind) {
      const most = Math.floor(Math.max(0, ...ways.map(({ hi }) => hi)) / requests);
      dearest.set(kind, Math.min(most, dearest.get(kind) ?? Number.POSITIVE_INFINITY));
    }
  return (operation, isCounted = () => true, unknown = Number.POSITIVE_INFINITY) => {
    const alike = observations.filter(
      ({ exchange, outcome }) =>
        exchange.operation === operation &&
        exchange.key === 'valid' &&
        exchange.variation === undefined &&
        outcome === 'let-through' &&
        isCounted(exchange),
    );
    const most = alike.map(({ kind }) => dearest.get(kind) ?? unknown);
    return alike.length > 0 ? Math.max(...most) : undefined;
  };
}
