import { DAY_S } from '../../model/rate-plan.ts';
import { anyEnd } from './fixed-window.ts';
import { afterPart, possibleMeanings, type ResetMeaning } from './headers.ts';
import {
  anyOf,
  type Figures,
  isMisfit,
  type Misfit,
  type Model,
  type Observation,
  type State,
} from './model.ts';
import { common, keyOf, partOf, plus, type Span, without } from './span.ts';

/** In how many lots the tokens of a window may come. */
const COUNTS = [60, 30, 20, 15, 12, 10, 6, 5, 4, 3, 2];

/** Token buckets that are not refilled evenly: several tokens come together. */
const lots: readonly Model[] = COUNTS.map((count) => ({
  name: `token bucket, refilled in ${count} lots`,
  surprise: 5,
  counting: 'any',
  isGradual: true,
  start: (figures, first) => {
    const periodMs = partOf(figures.windowMs, count);
    const lot = { periodMs, size: (figures.limit * periodMs) / figures.windowMs };
    const all = { lo: 0, hi: figures.limit + figures.burst };
    const next = anyEnd(first, { ...figures, windowMs: periodMs });
    return [new RefilledInLots(figures, lot, all, next, ['next', 'full', 'window-from-now'])];
  },
}));

/** The buckets of a window that may be refilled in lots: those of the shorter one. */
export function lotsOf({ windowMs }: Figures): readonly Model[] {
  return windowMs < DAY_S * 1_000 ? lots : [];
}

/** When the next lot comes by Retry-After, which may be rounded, or a second longer than needed. */
function nextBy({ at, outcome, exchange: { rate } }: Observation): Span {
  if (outcome !== 'refused' || rate.retryAfter === undefined)
    return { lo: at.lo, hi: Number.POSITIVE_INFINITY };
  return { lo: at.lo + (rate.retryAfter - 2) * 1_000, hi: at.hi + (rate.retryAfter + 1) * 1_000 };
}

/** So many tokens come together every so many ms. */
interface Lot {
  periodMs: number;
  size: number;
}

class RefilledInLots implements State {
  readonly left: Span;
  readonly #figures: Figures;
  readonly #lot: Lot;
  /** When the next lot comes, in ms since the epoch. */
  readonly #next: Span;
  readonly #meanings: readonly ResetMeaning[];

  constructor(figures: Figures, lot: Lot, left: Span, next: Span, meanings: readonly ResetMeaning[]) {
    this.#figures = figures;
    this.#lot = lot;
    this.left = left;
    this.#next = next;
    this.#meanings = meanings;
  }

  get key(): string {
    return `${keyOf(this.left, this.#next)} ${this.#meanings}`;
  }

  follow(observation: Observation, weight: number): readonly State[] | Misfit {
    const { at } = observation;
    const { periodMs } = this.#lot;
    const fewest = Math.max(0, Math.ceil((at.lo - this.#next.hi) / periodMs));
    const most = Math.max(0, Math.floor((at.hi - this.#next.lo) / periodMs) + 1);
    const ways: (readonly State[] | Misfit)[] = [];
    for (let lots = fewest; lots <= most; lots += 1) {
      const next = common(plus(this.#next, lots * periodMs), { lo: at.lo, hi: at.hi + periodMs });
      const told = next && common(next, nextBy(observation));
      if (told) ways.push(this.#count(observation, weight, lots, told));
    }
    return anyOf(ways);
  }

  #count(observation: Observation, weight: number, lots: number, next: Span): readonly State[] | Misfit {
    const { limit, burst } = this.#figures;
    const { others, reset } = observation;
    const all = limit + burst;
    const refilled = plus(this.left, lots * this.#lot.size);
    const before = without({ lo: Math.min(all, refilled.lo), hi: Math.min(all, refilled.hi) }, others);
    const left = afterPart(observation, before, weight, this.#figures, 'down');
    if (isMisfit(left)) return left;
    const timeOf = (meaning: ResetMeaning) => this.#timeOf(meaning, left, next, observation);
    const meanings = left.lo >= all ? this.#meanings : possibleMeanings(this.#meanings, reset, timeOf);
    const [meaning = 'next'] = this.#meanings;
    if (meanings.length === 0) return { kind: 'reset', expected: timeOf(meaning) };
    const isTold = reset !== undefined && left.lo < all;
    const nexts = isTold
      ? meanings.map((each) => this.#nextIf(each, reset, left, next, observation))
      : [next];
    const known = { lo: Math.min(...nexts.map(({ lo }) => lo)), hi: Math.max(...nexts.map(({ hi }) => hi)) };
    return [new RefilledInLots(this.#figures, this.#lot, left, known, meanings)];
  }

  /** When the next lot comes if Reset has this meaning. */
  #nextIf(meaning: ResetMeaning, reset: Span, left: Span, next: Span, { at }: Observation): Span {
    if (meaning === 'window-from-now' || (meaning === 'next' && common(reset, at))) return next;
    const later = meaning === 'full' ? this.#fullAfter(left) : { lo: 0, hi: 0 };
    return common(next, { lo: reset.lo - later.hi, hi: reset.hi - later.lo }) ?? next;
  }

  /** How long (ms) after the next lot the bucket is full. */
  #fullAfter({ lo, hi }: Span): Span {
    const { limit, burst } = this.#figures;
    const laterBy = (missing: number) =>
      Math.max(0, Math.ceil(missing / this.#lot.size) - 1) * this.#lot.periodMs;
    return { lo: laterBy(limit + burst - hi), hi: laterBy(limit + burst - lo) };
  }

  #timeOf(meaning: ResetMeaning, left: Span, next: Span, { at, exchange }: Observation): Span {
    if (meaning === 'window-from-now')
      return plus({ lo: exchange.sentAt, hi: at.hi }, this.#figures.windowMs);
    // As long as some are left, the next request may be let through now.
    if (meaning === 'next') return { lo: at.lo, hi: next.hi };
    const later = this.#fullAfter(left);
    return { lo: next.lo + later.lo, hi: next.hi + later.hi };
  }
}
