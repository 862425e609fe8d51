import { afterCount, possibleMeanings, type ResetMeaning } from '../headers.ts';
import type { Figures, Misfit, Model, Observation, State } from '../model.ts';
import { keyOf, plus, type Span } from '../span.ts';

/** A request that counts: when it was let through, and its weight. */
export interface CountedRequest {
  at: Span;
  weight: number;
}

/** The requests that count, in the order in which they were counted. Logs with the same earlier requests share them. */
export class Log {
  /** May have more entries than `length`: those of a log that continues this one. */
  readonly #shared: CountedRequest[];
  readonly length: number;
  /** The sum of the weights. */
  readonly used: number;

  constructor(shared: CountedRequest[] = [], length = 0, used = 0) {
    this.#shared = shared;
    this.length = length;
    this.used = used;
  }

  get first(): CountedRequest | undefined {
    return this.length > 0 ? this.#shared[0] : undefined;
  }

  get last(): CountedRequest | undefined {
    return this.#shared[this.length - 1];
  }

  with(later: readonly CountedRequest[]): Log {
    if (later.length === 0) return this;
    const isLatest = this.#shared.length === this.length;
    const shared = isLatest ? this.#shared : this.#shared.slice(0, this.length);
    shared.push(...later);
    return new Log(shared, shared.length, this.used + weightOf(later));
  }

  only(isWanted: (entry: CountedRequest) => boolean): Log {
    const entries = this.filter(isWanted);
    if (entries.length === this.length) return this;
    return new Log(entries, entries.length, weightOf(entries));
  }

  filter(isWanted: (entry: CountedRequest) => boolean): CountedRequest[] {
    return this.#shared.slice(0, this.length).filter(isWanted);
  }

  find(isWanted: (entry: CountedRequest) => boolean): CountedRequest | undefined {
    const index = this.#shared.findIndex((entry, at) => at >= this.length || isWanted(entry));
    return index < this.length ? this.#shared[index] : undefined;
  }
}

function weightOf(entries: readonly CountedRequest[]): number {
  let sum = 0;
  for (const { weight } of entries) sum += weight;
  return sum;
}

/** Each request counts for the length of one window. */
export const slidingLog: Model = {
  name: 'sliding log',
  surprise: 1,
  counting: 'any',
  isGradual: true,
  start: (figures, first) => [
    new SlidingLog(
      figures,
      new Log(),
      figures.limit + figures.burst,
      first.at.hi + figures.windowMs,
      ['next', 'full', 'window-from-now'],
      first.at.lo,
    ),
  ],
};

class SlidingLog implements State {
  readonly left: Span;
  readonly #figures: Figures;
  readonly #log: Log;
  /** How many requests from before the run may still count, and until when (ms since the epoch). */
  readonly #earlier: number;
  readonly #earlierUntil: number;
  readonly #meanings: readonly ResetMeaning[];
  /** When the last observation was possible at the earliest, in ms since the epoch. */
  readonly #at: number;

  constructor(
    figures: Figures,
    log: Log,
    earlier: number,
    earlierUntil: number,
    meanings: readonly ResetMeaning[],
    at: number,
    left: Span = { lo: 0, hi: figures.limit + figures.burst },
  ) {
    this.#figures = figures;
    this.#log = log;
    this.#earlier = earlier;
    this.#earlierUntil = earlierUntil;
    this.#meanings = meanings;
    this.#at = at;
    this.left = left;
  }

  get since(): number {
    return this.#at;
  }

  get key(): string {
    return `${keyOf(this.left, this.#log.last?.at ?? this.left)} ${this.#earlier} ${this.#log.used} ${this.#meanings}`;
  }

  follow(observation: Observation, weight: number): readonly State[] | Misfit {
    const { at, others, outcome } = observation;
    const { windowMs, limit, burst } = this.#figures;
    const capacity = limit + burst;
    // Requests are in the order in which they were counted: if the first still counts, all do.
    const surelyCounts = (request: CountedRequest) => request.at.lo + windowMs > at.hi;
    const { first } = this.#log;
    const allCount = !first || surelyCounts(first);
    const alive = allCount ? this.#log : this.#log.only((request) => request.at.hi + windowMs > at.lo);
    const possibly = alive.used;
    const surely = allCount ? possibly : alive.only(surelyCounts).used;
    const until = others > 0 ? at.hi + windowMs : this.#earlierUntil;
    const earlier = at.lo > until ? 0 : Math.min(capacity, this.#earlier + others);
    // Only new requests lower what is left: requests that have ended do not count again.
    const fallen = this.left.lo - others;
    const before = { lo: Math.max(0, fallen, capacity - possibly - earlier), hi: capacity - surely };
    const left = afterCount(observation, before, weight, burst);
    if ('kind' in left) return left;
    const taken = outcome === 'let-through' ? weight : 0;
    const request = taken > 0 ? [{ at, weight: taken }] : [];
    // Requests of other clients since the observation before count as long as those of petspec.
    const foreign = Math.max(0, capacity - possibly - taken - left.hi - this.#earlier);
    const ofOthers = foreign > 0 ? [{ at: { lo: this.#at, hi: at.hi }, weight: foreign }] : [];
    const log = alive.with([...ofOthers, ...request]);
    // What Remaining leaves for earlier requests, which only become fewer.
    const older = Math.max(0, Math.min(earlier, capacity - surely - taken - left.lo) - foreign);
    const isUnused = left.lo === capacity;
    const timeOf = (meaning: ResetMeaning) => this.#timeOf(meaning, log, older, until, observation);
    const meanings = isUnused ? this.#meanings : possibleMeanings(this.#meanings, observation.reset, timeOf);
    const [meaning = 'full'] = this.#meanings;
    if (meanings.length === 0) return { kind: 'reset', expected: timeOf(meaning) };
    return [new SlidingLog(this.#figures, log, older, until, meanings, at.lo, left)];
  }

  #timeOf(meaning: ResetMeaning, log: Log, earlier: number, until: number, { at }: Observation): Span {
    const { windowMs } = this.#figures;
    if (meaning === 'window-from-now') return plus(at, windowMs);
    const { first, last } = log;
    // The next request to end is among those that may have ended by now, or the first one that surely has not.
    const sure = log.find((request) => request.at.lo + windowMs > at.hi) ?? last;
    const [from, to] = meaning === 'next' ? [first, sure] : [last, last];
    const ofRun = from && to && plus({ lo: from.at.lo, hi: to.at.hi }, windowMs);
    if (earlier === 0) return ofRun ?? at;
    const ofEarlier = { lo: at.lo, hi: until };
    if (!ofRun) return ofEarlier;
    return { lo: Math.min(ofRun.lo, ofEarlier.lo), hi: Math.max(ofRun.hi, ofEarlier.hi) };
  }
}
