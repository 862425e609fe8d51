import { leftIf, lessThan, type ResetMeaning, ROUNDINGS, type Rounding, shownOf } from '../headers.ts';
import { anyOf, type Figures, type Misfit, type Model, type Observation, type State } from '../model.ts';
import { common, FLOAT_ERROR, keyOf, plus, type Span } from '../span.ts';

/** The end of the first window is unknown, and what is left depends on it: the window is tried in so many parts. */
const PIECES = 4;

const MEANINGS: readonly ResetMeaning[] = ['full', 'next', 'window-end', 'window-from-now'];

/** What differs between sliding counters. */
interface CounterKind {
  rounding: Rounding;
  meaning: ResetMeaning;
  /** The share of the window before is rounded down, so all figures are whole. */
  isWhole?: true;
}

/**
 * Two fixed windows: the one before counts in proportion to its overlap with the last minute, so that what is left is a fraction. Reset
 * may be the end of the window, or the time at which one request or all of them come back.
 */
const fractionalCounters: readonly Model[] = ROUNDINGS.flatMap((rounding) =>
  MEANINGS.map((meaning) => {
    const name = rounding === 'down' ? 'sliding counter' : `sliding counter, Remaining rounded ${rounding}`;
    return modelOf(name, rounding === 'down' ? 2 : 5, { rounding, meaning });
  }),
);

export const slidingCounters: readonly Model[] = [
  ...fractionalCounters,
  ...(['window-end', 'next', 'full'] as const).map((meaning) =>
    modelOf('sliding counter of whole requests', 3, { rounding: 'down', meaning, isWhole: true }),
  ),
];

function modelOf(name: string, surprise: number, kind: CounterKind): Model {
  return {
    name,
    surprise,
    counting: 'any',
    isGradual: true,
    ...(kind.rounding === 'down' ? { isRoundedDown: true } : {}),
    start: (figures, { at }) => {
      const unknown = { lo: 0, hi: figures.limit };
      const piece = figures.windowMs / PIECES;
      return Array.from({ length: PIECES }, (_, index) => {
        const end = { lo: at.lo + index * piece, hi: at.hi + (index + 1) * piece };
        return new SlidingCounter(figures, kind, unknown, unknown, end, at.lo);
      });
    },
  };
}

class SlidingCounter implements State {
  readonly left: Span;
  readonly #figures: Figures;
  readonly #kind: CounterKind;
  /** Requests of the window before, and of the current one. */
  readonly #before: Span;
  readonly #current: Span;
  readonly #end: Span;
  /** When the last observation was possible at the earliest, in ms since the epoch. */
  readonly #at: number;

  constructor(
    figures: Figures,
    kind: CounterKind,
    before: Span,
    current: Span,
    end: Span,
    at: number,
    left: Span = { lo: 0, hi: figures.limit },
  ) {
    this.#at = at;
    this.#figures = figures;
    this.#kind = kind;
    this.#before = before;
    this.#current = current;
    this.#end = end;
    this.left = left;
  }

  get key(): string {
    return keyOf(this.left, this.#before, this.#current, this.#end);
  }

  follow(observation: Observation, weight: number): readonly State[] | Misfit {
    const { at } = observation;
    const { windowMs } = this.#figures;
    const ways: (readonly State[] | Misfit)[] = [];
    const open = common(this.#end, { lo: at.lo, hi: at.hi + windowMs });
    if (open) ways.push(this.#count(observation, weight, this.#before, this.#current, open));
    const none = { lo: 0, hi: 0 };
    const ended = common(this.#end, { lo: 0, hi: at.hi });
    const next = ended && common(plus(ended, windowMs), { lo: at.lo, hi: at.hi + windowMs });
    if (next) ways.push(this.#count(observation, weight, this.#current, none, next));
    if (at.hi >= this.#end.lo + windowMs)
      ways.push(this.#count(observation, weight, none, none, { lo: at.lo, hi: at.hi + windowMs }));
    return anyOf(ways);
  }

  #count(
    observation: Observation,
    weight: number,
    before: Span,
    current: Span,
    end: Span,
  ): readonly State[] | Misfit {
    const { at, others, outcome, remaining } = observation;
    const { limit, windowMs } = this.#figures;
    const { rounding, isWhole } = this.#kind;
    const count = { lo: current.lo, hi: Math.min(limit, current.hi + others) };
    /** The share of the window before that still counts. */
    const share = {
      lo: Math.max(0, Math.min(1, (end.lo - at.hi) / windowMs)),
      hi: Math.max(0, Math.min(1, (end.hi - at.lo) / windowMs)),
    };
    const past = this.#counted({ lo: before.lo * share.lo, hi: before.hi * share.hi });
    const isRefused = outcome === 'refused';
    const needed = isRefused ? lessThan(weight) : { lo: weight, hi: limit };
    // No more requests come back than the window before had.
    const risen = (limit * (at.hi - this.#at)) / windowMs + (isWhole ? 1 : 0);
    const counts = { lo: Math.max(0, limit - count.hi - past.hi), hi: limit - count.lo - past.lo };
    const left = common(counts, { lo: this.left.lo - others, hi: this.left.hi + risen });
    if (!left) return { kind: 'remaining', expected: shownOf(counts, rounding) };
    const decided = outcome === 'unknown' ? left : common(left, needed);
    if (!decided) return { kind: isRefused ? 'refused' : 'let-through', expected: shownOf(left, 'down') };
    const counted = plus(count, outcome === 'let-through' ? weight : 0);
    const after = plus(decided, outcome === 'let-through' ? -weight : 0);
    const narrowed =
      remaining === undefined
        ? after
        : common(
            after,
            isWhole
              ? { lo: remaining, hi: remaining }
              : leftIf(remaining, observation, rounding, this.#figures),
          );
    if (!narrowed) return { kind: 'remaining', expected: shownOf(after, rounding) };
    const used = { lo: limit - narrowed.hi, hi: limit - narrowed.lo };
    const now = common(counted, { lo: used.lo - past.hi, hi: used.hi - past.lo }) ?? counted;
    // If the window before no longer counts, the quotients are infinite or NaN, and nothing more is known of it.
    const most = used.hi - counted.lo + (isWhole ? 1 : 0);
    const earlier = common(before, { lo: (used.lo - counted.hi) / share.hi, hi: most / share.lo }) ?? before;
    const endByReset = this.#endBy(observation, end, earlier, now);
    if (!endByReset) return { kind: 'reset', expected: this.#resetOf(observation, end, earlier, now) };
    return [new SlidingCounter(this.#figures, this.#kind, earlier, now, endByReset, at.lo, narrowed)];
  }

  /** How many requests the share of the window before counts as. */
  #counted({ lo, hi }: Span): Span {
    if (!this.#kind.isWhole) return { lo, hi };
    return { lo: Math.max(0, Math.floor(lo - FLOAT_ERROR)), hi: Math.floor(hi + FLOAT_ERROR) };
  }

  /** The ends of the window that a Reset leaves possible; undefined if it leaves none. */
  #endBy(observation: Observation, end: Span, before: Span, current: Span): Span | undefined {
    const { reset } = observation;
    if (reset === undefined) return end;
    const expected = this.#resetOf(observation, end, before, current);
    if (!common(reset, expected)) return undefined;
    const { windowMs } = this.#figures;
    if (this.#kind.meaning === 'window-end') return common(end, reset);
    if (this.#kind.meaning === 'full' && current.lo > 0) {
      const { lo, hi } = this.#fullAfter(current);
      return common(end, { lo: reset.lo - hi, hi: reset.hi - lo });
    }
    if (this.#kind.meaning === 'next' && before.hi <= FLOAT_ERROR && current.lo > 0)
      return common(end, { lo: reset.lo - windowMs / current.lo, hi: reset.hi });
    return end;
  }

  /**
   * How long (ms) after the end of the window all requests are back. With whole requests, they are when less than one counts; with
   * Remaining rounded up or to the nearest, they may seem to be.
   */
  #fullAfter({ lo, hi }: Span): Span {
    const { windowMs } = this.#figures;
    const { rounding, isWhole } = this.#kind;
    const lessThanOne = (count: number) => windowMs * (1 - 1 / count);
    if (isWhole) return { lo: lessThanOne(lo), hi: lessThanOne(hi) };
    return { lo: rounding === 'down' ? windowMs : lessThanOne(lo), hi: windowMs };
  }

  #resetOf({ at }: Observation, end: Span, before: Span, current: Span): Span {
    const { windowMs } = this.#figures;
    switch (this.#kind.meaning) {
      case 'window-end':
        return end;
      case 'window-from-now':
        return plus(at, windowMs);
      case 'full':
        if (current.lo > 0) {
          const { lo, hi } = this.#fullAfter(current);
          return { lo: end.lo + lo, hi: end.hi + hi };
        }
        return { lo: at.lo, hi: end.hi + (current.hi > 0 ? windowMs : 0) };
      case 'next': {
        // At the end of this window, the one before no longer counts, and the first request of this one comes back a little later.
        const latest = end.hi + windowMs / Math.max(1, current.lo);
        if (before.hi > FLOAT_ERROR || current.lo === 0) return { lo: at.lo, hi: latest };
        const { rounding, isWhole } = this.#kind;
        const share = rounding === 'down' && !isWhole ? windowMs / Math.max(1, current.hi) : 0;
        return { lo: end.lo + share, hi: latest };
      }
    }
  }
}
