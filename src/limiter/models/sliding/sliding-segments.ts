import { afterCount, type ResetMeaning } from '../headers.ts';
import { type Figures, isMisfit, type Misfit, type Observation, type State } from '../model.ts';
import { common, keyOf, plus, type Span } from '../span.ts';
import { joined, type Segmentation } from './segmentation.ts';
import { type CountedRequest, Log } from './sliding-log.ts';

const MEANINGS: readonly ResetMeaning[] = ['next', 'full', 'window-end'];

/** When segments begin if Reset has this meaning. */
interface SegmentReading {
  meaning: ResetMeaning;
  segments: Segmentation;
}

/** What is counted, as far as it is known. */
interface CountedLog {
  log: Log;
  /** What was used before the run and still counts. */
  earlier: Span;
  left: Span;
}

/** One way to count an observation. From those with the same key, the same follows. */
interface Way {
  counted: CountedLog;
  key: string;
}

/** A sliding window that counts in segments. Where requests come back, it shows when the segments begin. */
export class SlidingSegments implements State {
  readonly #figures: Figures;
  /** Those that the observations leave possible. */
  readonly #readings: readonly SegmentReading[];
  readonly #counted: CountedLog;
  /** Until when what was used before the run may count, in ms since the epoch. */
  readonly #earlierUntil: number;
  /** When the last observation was possible at the earliest, in ms since the epoch. */
  readonly #at: number;

  constructor(
    figures: Figures,
    readings: readonly SegmentReading[],
    counted: CountedLog,
    earlierUntil: number,
    at: number,
  ) {
    this.#figures = figures;
    this.#readings = readings;
    this.#counted = counted;
    this.#earlierUntil = earlierUntil;
    this.#at = at;
  }

  /** Before the first observation. */
  static unknown(figures: Figures, segments: Segmentation, { at }: Observation): SlidingSegments {
    const left = { lo: 0, hi: figures.limit + figures.burst };
    const readings = MEANINGS.map((meaning) => ({ meaning, segments }));
    const counted = { log: new Log(), earlier: left, left };
    return new SlidingSegments(figures, readings, counted, at.hi + figures.windowMs, at.lo);
  }

  get left(): Span {
    return this.#counted.left;
  }

  get key(): string {
    const readings = this.#readings.map(({ meaning, segments }) => `${meaning} ${keyOf(segments.begins)}`);
    return `${keyOf(this.left, this.#counted.earlier)} ${this.#counted.log.used} ${readings}`;
  }

  follow(observation: Observation, weight: number): readonly State[] | Misfit {
    const { at, outcome } = observation;
    const mayTake = outcome === 'let-through' ? [weight] : outcome === 'refused' ? [0] : [weight, 0];
    const states = new Map<string, { counted: CountedLog; readings: SegmentReading[] }>();
    const misfits: Misfit[] = [];
    const waysIn = this.#waysToCount(observation, weight, mayTake);
    for (const { meaning, segments } of this.#readings.flatMap((each) => this.#parts(each, at)))
      for (const way of waysIn(segments)) {
        if ('kind' in way) {
          misfits.push(way);
          continue;
        }
        const { counted, key } = way;
        const readings = this.#told(meaning, segments, counted, observation);
        if (readings.length === 0)
          misfits.push({ kind: 'reset', expected: { lo: at.lo, hi: at.hi + this.#figures.windowMs } });
        const known = states.get(key);
        if (known) known.readings.push(...readings);
        else if (readings.length > 0) states.set(key, { counted, readings });
      }
    const [misfit] = misfits;
    if (states.size === 0 && misfit) return misfit;
    // What leaves the most times possible is the likeliest: a search tries that first.
    return [...states.values()]
      .map(({ counted, readings }) => ({ counted, readings: merged(readings) }))
      .sort((one, other) => widthOf(other.readings) - widthOf(one.readings))
      .map(
        ({ counted, readings }) =>
          new SlidingSegments(this.#figures, readings, counted, this.#earlierUntil, at.lo),
      );
  }

  /** What may be counted, or why nothing is, for when segments begin: the same whatever Reset means. */
  #waysToCount(
    observation: Observation,
    weight: number,
    mayTake: readonly number[],
  ): (segments: Segmentation) => readonly (Way | Misfit)[] {
    const known: { begins: Span; ways: readonly (Way | Misfit)[] }[] = [];
    return (segments) => {
      const { lo, hi } = segments.begins;
      const before = known.find(({ begins }) => begins.lo === lo && begins.hi === hi);
      if (before) return before.ways;
      const ways = mayTake.map((taken): Way | Misfit => {
        const counted = this.#count(observation, weight, taken, segments);
        if ('kind' in counted) return counted;
        return { counted, key: `${keyOf(counted.left, counted.earlier)} ${counted.log.used}` };
      });
      known.push({ begins: segments.begins, ways });
      return ways;
    };
  }

  /** Splits a reading so that it is certain in each part what still counts, as far as the times of requests are known. */
  #parts({ meaning, segments }: SegmentReading, at: Span): SegmentReading[] {
    const { log } = this.#counted;
    if (this.#areAllAlive(segments, at)) return [{ meaning, segments }];
    const unsure = log.filter(
      (each) => this.#mayHaveEnded(segments, each, at) && !this.#hasEnded(segments, each, at),
    );
    if (unsure.length === 0) return [{ meaning, segments }];
    return segments
      .apart([...unsure.map((each) => each.at), at])
      .map((part) => ({ meaning, segments: part }));
  }

  /** @param taken what the request takes */
  #count(
    observation: Observation,
    weight: number,
    taken: number,
    segments: Segmentation,
  ): CountedLog | Misfit {
    const { at, others } = observation;
    const all = this.#figures.limit + this.#figures.burst;
    const { log: own } = this.#counted;
    const areAll = this.#areAllAlive(segments, at);
    const alive = areAll ? own : own.only((each) => !this.#hasEnded(segments, each, at));
    const surely = areAll ? own.used : alive.only((each) => !this.#mayHaveEnded(segments, each, at)).used;
    const earlier = this.#earlierAt(observation, segments);
    const before = {
      // What is left falls only by what was used since: what had ended does not count again.
      lo: Math.max(0, this.left.lo - others, all - alive.used - earlier.hi),
      hi: Math.max(0, all - surely - earlier.lo),
    };
    const left = afterCount(observation, before, weight, this.#figures.burst);
    if (isMisfit(left)) return left;
    const log = taken > 0 ? alive.with([{ at, weight: taken }]) : alive;
    const rest = { lo: all - log.used - left.hi, hi: all - surely - taken - left.lo };
    const still = common(earlier, rest);
    return still ? { log, earlier: still, left } : { kind: 'remaining', expected: left };
  }

  /** What was used before the run: each segment that begins may end some of it, and all has ended when the first of the run has. */
  #earlierAt({ at, others }: Observation, segments: Segmentation): Span {
    const { earlier, log } = this.#counted;
    const all = this.#figures.limit + this.#figures.burst;
    const { first } = log;
    const isOver = at.lo > this.#earlierUntil || (first && this.#hasEnded(segments, first, at));
    if (isOver && others === 0) return { lo: 0, hi: 0 };
    const isNew = segments.begunBy(at).hi > this.#at;
    return { lo: isNew ? 0 : earlier.lo, hi: Math.min(all, earlier.hi + others) };
  }

  /** The readings that a Reset leaves possible. That of a window that nothing has used is only what it would be. */
  #told(
    meaning: ResetMeaning,
    segments: Segmentation,
    counted: CountedLog,
    observation: Observation,
  ): SegmentReading[] {
    const { reset } = observation;
    const isUnused = counted.left.lo >= this.#figures.limit + this.#figures.burst;
    const possible =
      reset === undefined || isUnused
        ? [segments]
        : this.#segmentsIf(meaning, reset, segments, counted, observation);
    return possible.map((each) => ({ meaning, segments: each }));
  }

  /** When segments may begin if Reset has this meaning. */
  #segmentsIf(
    meaning: ResetMeaning,
    reset: Span,
    segments: Segmentation,
    { log, earlier }: CountedLog,
    { at }: Observation,
  ): Segmentation[] {
    const { windowMs } = this.#figures;
    if (meaning === 'window-end') return segments.where(at, plus(reset, -segments.periodMs));
    const { first, last } = log;
    // What was used before the run ends first, also when a segment begins.
    if (earlier.hi > 0 && (meaning === 'next' || !last)) {
      const latest = first ? segments.begunBy(first.at).hi + windowMs : this.#earlierUntil;
      const time = common(reset, { lo: at.lo, hi: latest });
      return time ? segments.where(time, time) : [];
    }
    const ends = meaning === 'full' ? (last ? [last] : []) : this.#firstToEnd(segments, log, at);
    return ends.flatMap((each) => segments.where(each.at, plus(reset, -windowMs)));
  }

  /** Of those that may have ended by now, the next to end is one, or the first that surely has not. */
  #firstToEnd(segments: Segmentation, log: Log, at: Span): CountedRequest[] {
    const sure = log.find((each) => !this.#mayHaveEnded(segments, each, at));
    return [...log.filter((each) => this.#mayHaveEnded(segments, each, at)), ...(sure ? [sure] : [])];
  }

  /** They are in the order in which they were counted: if the first still counts, all do. */
  #areAllAlive(segments: Segmentation, at: Span): boolean {
    const { first } = this.#counted.log;
    return !first || !this.#mayHaveEnded(segments, first, at);
  }

  #hasEnded(segments: Segmentation, each: CountedRequest, at: Span): boolean {
    return segments.begunBy(each.at).hi + this.#figures.windowMs <= at.lo;
  }

  #mayHaveEnded(segments: Segmentation, each: CountedRequest, at: Span): boolean {
    return segments.begunBy(each.at).lo + this.#figures.windowMs <= at.hi;
  }
}

/** In how many ms, together, segments may begin. */
function widthOf(readings: readonly SegmentReading[]): number {
  let sum = 0;
  for (const { segments } of readings) sum += segments.begins.hi - segments.begins.lo;
  return sum;
}

/** The same readings, with those of one meaning that meet as one. */
function merged(readings: readonly SegmentReading[]): SegmentReading[] {
  return MEANINGS.flatMap((meaning) => {
    const own = readings.filter((each) => each.meaning === meaning).map(({ segments }) => segments);
    return joined(own).map((segments) => ({ meaning, segments }));
  });
}
