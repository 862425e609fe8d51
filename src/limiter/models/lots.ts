import { DAY_S } from '../../model/limits/rate-plan.ts';
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

/** The numbers of lots per window that are tried. */
const COUNTS = [60, 30, 20, 15, 12, 10, 6, 5, 4, 3, 2];

/** Token buckets that are refilled by several tokens at once. */
const lots: readonly Model[] = COUNTS.map((count) => ({
  name: `token bucket, refilled in ${count} lots`,
  surprise: 5,
  counting: 'any',
  isGradual: true,
  start: (figures, first) => {
    const periodMs = partOf(figures.windowMs, count);
    const lot = { periodMs, size: (figures.limit * periodMs) / figures.windowMs };
    const left = { lo: 0, hi: figures.limit + figures.burst };
    const next = anyEnd(first, { ...figures, windowMs: periodMs });
    return [new RefilledInLots(figures, lot, left, next, ['next', 'full', 'window-from-now'])];
  },
}));

/** None for the window of a day. */
export function lotsOf({ windowMs }: Figures): readonly Model[] {
  return windowMs < DAY_S * 1_000 ? lots : [];
}

/** How far floating-point numbers may be from the whole number that they stand for. */
const ROUNDING_ERROR = 1e-9;

/** What parts of requests, or of lots, come to: a whole number if it is one but for rounding errors. */
function exact(sum: number): number {
  const whole = Math.round(sum);
  return Math.abs(sum - whole) < ROUNDING_ERROR ? whole : sum;
}

/** `size` tokens come together every `periodMs`. */
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
      const before = this.#before(observation, lots);
      const possible = next && common(next, this.#nextBy(observation, before, weight));
      if (possible) ways.push(this.#count(observation, weight, before, possible));
    }
    return anyOf(ways);
  }

  /** What is left before a request, after so many lots. */
  #before({ others }: Observation, lots: number): Span {
    const capacity = this.#figures.limit + this.#figures.burst;
    const refilled = (left: number) => Math.min(capacity, exact(left + lots * this.#lot.size));
    return without({ lo: refilled(this.left.lo), hi: refilled(this.left.hi) }, others);
  }

  /**
   * When the next lot comes by Retry-After, which may be rounded, or a second longer than needed. A lot may be less than the request needs:
   * then Retry-After waits for several.
   */
  #nextBy({ at, outcome, exchange: { rate } }: Observation, { lo, hi }: Span, weight: number): Span {
    if (outcome !== 'refused' || rate.retryAfter === undefined)
      return { lo: at.lo, hi: Number.POSITIVE_INFINITY };
    const needed = Math.max(1, weight);
    return {
      lo: at.lo + (rate.retryAfter - 2) * 1_000 - this.#laterBy(needed - lo),
      hi: at.hi + (rate.retryAfter + 1) * 1_000 - this.#laterBy(needed - hi),
    };
  }

  #count(observation: Observation, weight: number, before: Span, next: Span): readonly State[] | Misfit {
    const { limit, burst } = this.#figures;
    const { reset } = observation;
    const capacity = limit + burst;
    const left = afterPart(observation, before, weight, this.#figures, 'down');
    if (isMisfit(left)) return left;
    const timeOf = (meaning: ResetMeaning) => this.#timeOf(meaning, left, next, observation);
    const meanings = left.lo >= capacity ? this.#meanings : possibleMeanings(this.#meanings, reset, timeOf);
    const [meaning = 'next'] = this.#meanings;
    if (meanings.length === 0) return { kind: 'reset', expected: timeOf(meaning) };
    if (reset === undefined || left.lo >= capacity)
      return [new RefilledInLots(this.#figures, this.#lot, left, next, meanings)];
    const times = meanings.map((possible) => this.#nextIf(possible, reset, left, next, observation));
    const hull = { lo: Math.min(...times.map(({ lo }) => lo)), hi: Math.max(...times.map(({ hi }) => hi)) };
    return [new RefilledInLots(this.#figures, this.#lot, left, hull, meanings)];
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
    return { lo: this.#laterBy(limit + burst - hi), hi: this.#laterBy(limit + burst - lo) };
  }

  /** How long (ms) after the next lot so much has come that was missing. */
  #laterBy(missing: number): number {
    const { periodMs, size } = this.#lot;
    return Math.max(0, Math.ceil(exact(missing / size)) - 1) * periodMs;
  }

  #timeOf(meaning: ResetMeaning, left: Span, next: Span, { at, exchange }: Observation): Span {
    if (meaning === 'window-from-now')
      return plus({ lo: exchange.sentAt, hi: at.hi }, this.#figures.windowMs);
    // While requests are left, the next one may be let through now.
    if (meaning === 'next') return { lo: at.lo, hi: next.hi };
    const later = this.#fullAfter(left);
    return { lo: next.lo + later.lo, hi: next.hi + later.hi };
  }
}
