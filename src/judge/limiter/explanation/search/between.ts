import { isRefusedWithNone, type Model, type Observation } from '../models/model.ts';
import { REJECTED } from '../observations.ts';
import { lazily } from './lazily.ts';
import { MAX_IN_FLIGHT, type Order, orderOf } from './order.ts';

/** Requests that were counted: how many of each kind, and how many if each of them takes one. */
export interface Counted {
  ofKind: readonly (readonly [kind: string, requests: number])[];
  each: number;
  /** How much others may have used meanwhile, at most. */
  byOthers: number;
}

/** Two responses with Remaining, and what was counted between them in every order, or in some. */
export interface Between {
  before: Observation;
  after: Observation;
  /** The first response with Remaining, if it was counted before both in every order; else the one before. */
  first: Observation;
  /** At least, in every order; the one after included. */
  least: Counted;
  /** The lowest Remaining from one to the other. */
  lowest: number;
  /** At most, in any order; undefined if requests that are unlike may have taken some as well. */
  most: () => Counted | undefined;
  /** So many observations at most are counted in an order that does not count the one after. */
  without: number;
}

/** The second one of a pair is so many responses further: one of the next few, or of some that are further away. */
const DISTANCES = [1, 2, 3, 5, 8, 13, 21, 34];
const MOST_DISTANT = Math.max(...DISTANCES);

/** Every model is tried with the same observations. */
const known = new WeakMap<readonly Observation[], Partial<Record<Model['counting'], readonly Between[]>>>();

/** Pairs of responses with Remaining where every order counts the same one first. Those that come first in a run first. */
export function betweens(
  observations: readonly Observation[],
  counting: Model['counting'],
): readonly Between[] {
  const all = known.get(observations) ?? {};
  const made =
    all[counting] ?? pairsOf(observations, counting).sort((one, other) => one.without - other.without);
  known.set(observations, { ...all, [counting]: made });
  return made;
}

/** The order of some observations, and which of them count. */
interface CountedOrder extends Order {
  counting: Model['counting'];
}

function pairsOf(observations: readonly Observation[], counting: Model['counting']): Between[] {
  const order: CountedOrder = { ...orderOf(observations), counting };
  // If each request takes one, a refusal that says that none are left means it.
  const isMeant = (each: Observation) => counting !== 'any' || !isRefusedWithNone(each);
  const isTold = (each: Observation) => each.remaining !== undefined && isMeant(each);
  const told = order.inTurn.flatMap((each, index) => (isTold(each) ? index : []));
  return told.flatMap((from, place) => {
    const later = laterOnes(told.slice(place + 1, place + 1 + 2 * MAX_IN_FLIGHT), from, order);
    const tos = DISTANCES.flatMap((distance) => later[distance - 1] ?? []);
    const all = place === 0 ? withLast(tos, told, from, order) : tos;
    return pairsFrom(order, told[0] ?? from, from, all);
  });
}

/** With the last one until the first refusal: only that and the first one show what a whole window lets through. */
function withLast(
  tos: readonly number[],
  told: readonly number[],
  from: number,
  { inTurn, isBefore }: Order,
): readonly number[] {
  const refused = inTurn.findIndex(({ outcome }) => outcome === 'refused');
  const until = refused === -1 ? inTurn.length : refused;
  const last = told.findLast((each) => each <= until && isBefore(from, each));
  return last === undefined || last <= (tos.at(-1) ?? from) ? tos : [...tos, last];
}

/** The first of some responses that every order counts after one, as many as are needed. */
function laterOnes(told: readonly number[], from: number, { isBefore }: Order): number[] {
  const later: number[] = [];
  for (const each of told) {
    if (later.length === MOST_DISTANT) break;
    if (isBefore(from, each)) later.push(each);
  }
  return later;
}

/** The pairs of one response with later ones in turn: what is counted until one of them is counted until the next. */
function pairsFrom(order: CountedOrder, first: number, from: number, tos: readonly number[]): Between[] {
  const { inTurn, isBefore, beside, counting } = order;
  const at = (index: number) => inTurn[index] as Observation;
  const remainingAt = (index: number) => at(index).remaining ?? Number.POSITIVE_INFINITY;
  const tally = new Tally(counting, false);
  const add = (index: number, times: number) => {
    const { outcome, exchange } = at(index);
    const isAlike = counting !== 'any' || !(exchange.variation || exchange.isRepeated);
    if (isAlike && isBefore(from, index) && outcome === 'let-through') tally.add(at(index), times);
  };
  let lowest = Math.min(remainingAt(from), ...[...beside(from).earlier].map(remainingAt));
  let until = from;
  return tos.map((to) => {
    for (; until < to; until += 1) {
      add(until + 1, 1);
      lowest = Math.min(lowest, remainingAt(until + 1));
    }
    // Some orders count these after the later response.
    const together = [...beside(to).earlier];
    for (const each of together) add(each, -1);
    const least = tally.counted();
    for (const each of together) add(each, 1);
    return {
      before: at(from),
      after: at(to),
      first: at(isBefore(first, from) ? first : from),
      least,
      lowest: Math.min(lowest, ...beside(to).later.map(remainingAt)),
      most: lazily(() => mostBetween(order, from, to)),
      without: to + beside(to).later.length,
    };
  });
}

/** What some order counts after one response and until another, with the requests beside the two. */
function mostBetween(
  { inTurn, beside, counting }: CountedOrder,
  from: number,
  to: number,
): Counted | undefined {
  const besides = [...beside(from).earlier, ...beside(to).later].map((index) => inTurn[index] as Observation);
  const possibly = [...besides, ...inTurn.slice(from + 1, to + 1)];
  // A refusal that says that none are left may have taken them.
  const isUnlike = (each: Observation) =>
    each.outcome === 'unknown' || each.exchange.variation !== undefined || isRefusedWithNone(each);
  if (counting === 'any' && possibly.some(isUnlike)) return undefined;
  const tally = new Tally(counting, true);
  for (const each of possibly)
    if (each.outcome !== 'refused') tally.add(each, each.exchange.isRepeated ? 2 : 1);
  return { ...tally.counted(), byOthers: possibly.reduce((sum, { others }) => sum + others, 0) };
}

/** Counts requests one after another. */
class Tally {
  readonly #ofKind = new Map<string, number>();
  readonly #isCounted: (observation: Pick<Observation, 'kind' | 'exchange'>) => boolean;
  #each = 0;

  /** @param isMost whether those also count that may be left out */
  constructor(counting: Model['counting'], isMost: boolean) {
    const isRejected = (kind: string) => counting === 'rejected-too' && (isMost || kind.startsWith(REJECTED));
    this.#isCounted = ({ kind, exchange }) => exchange.key === 'valid' || isRejected(kind);
  }

  /** @param times how often the request counts; negative to take it back */
  add(observation: Observation, times: number): void {
    const { kind } = observation;
    this.#ofKind.set(kind, (this.#ofKind.get(kind) ?? 0) + times);
    if (this.#isCounted(observation)) this.#each += times;
  }

  counted(): Counted {
    const ofKind = [...this.#ofKind].filter(([, requests]) => requests > 0);
    return { ofKind, each: this.#each, byOthers: 0 };
  }
}
