import { sum } from 'd3-array';
import { afterCount, type ResetMeaning } from '../headers.ts';
import { type Figures, isMisfit, type Misfit, type Observation, type State } from '../model.ts';
import { common, keyOf, plus, type Span } from '../span.ts';
import { joined, type Segmentation } from './segmentation.ts';
import { type CountedRequest, Log } from './sliding-log.ts';

const MEANINGS: readonly ResetMeaning[] = ['next', 'full', 'window-end'];

/** A possible meaning of Reset, and the segments with it. */
interface SegmentReading {
  meaning: ResetMeaning;
  segments: Segmentation;
}

/** The requests that count, as far as they are known. */
interface CountedLog {
  log: Log;
  /** Requests from before the run, and of others during it, that still count. */
  earlier: Span;
  left: Span;
}

/** How long requests count that are not in the log. */
interface EarlierRequests {
  /** In ms since the epoch. */
  until: number;
  /** Whether others sent some during the run: these may end later than the first of the run does. */
  areDuringRun: boolean;
}

/** A way to count an observation. From those with the same key, the same follows. */
interface CountingWay {
  counted: CountedLog;
  key: string;
}

/** A sliding window that counts in segments. Requests that come back show when the segments begin. */
export class SlidingSegments implements State {
  readonly #figures: Figures;
  readonly #readings: readonly SegmentReading[];
  readonly #counted: CountedLog;
  readonly #earlier: EarlierRequests;
  /** When the last observation was possible at the earliest, in ms since the epoch. */
  readonly #at: number;

  constructor(
    figures: Figures,
    readings: readonly SegmentReading[],
    counted: CountedLog,
    earlier: EarlierRequests,
    at: number,
  ) {
    this.#figures = figures;
    this.#readings = readings;
    this.#counted = counted;
    this.#earlier = earlier;
    this.#at = at;
  }

  /** The state before the first observation. */
  static unknown(figures: Figures, segments: Segmentation, { at }: Observation): SlidingSegments {
    const left = { lo: 0, hi: figures.limit + figures.burst };
    const readings = MEANINGS.map((meaning) => ({ meaning, segments }));
    const counted = { log: new Log(), earlier: left, left };
    const until = { until: at.hi + figures.windowMs, areDuringRun: false };
    return new SlidingSegments(figures, readings, counted, until, at.lo);
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
    for (const { meaning, segments } of this.#readings.flatMap((reading) => this.#parts(reading, at)))
      for (const way of waysIn(segments)) {
        if ('kind' in way) {
          misfits.push(way);
          continue;
        }
        const { counted, key } = way;
        const readings = this.#readingsAfter(meaning, segments, counted, observation);
        if (readings.length === 0)
          misfits.push({ kind: 'reset', expected: { lo: at.lo, hi: at.hi + this.#figures.windowMs } });
        const same = states.get(key);
        if (same) same.readings.push(...readings);
        else if (readings.length > 0) states.set(key, { counted, readings });
      }
    const [misfit] = misfits;
    if (states.size === 0 && misfit) return misfit;
    // The state that leaves the most times possible is the likeliest: a search tries it first.
    return [...states.values()]
      .map(({ counted, readings }) => ({ counted, readings: merged(readings) }))
      .sort((a, b) => widthOf(b.readings) - widthOf(a.readings))
      .map(
        ({ counted, readings }) =>
          new SlidingSegments(this.#figures, readings, counted, this.#earlierAfter(observation), at.lo),
      );
  }

  /** Tells how an observation may be counted with given segments, or why not. Remembered, as this does not depend on what Reset means. */
  #waysToCount(
    observation: Observation,
    weight: number,
    mayTake: readonly number[],
  ): (segments: Segmentation) => readonly (CountingWay | Misfit)[] {
    const cache: { begins: Span; ways: readonly (CountingWay | Misfit)[] }[] = [];
    return (segments) => {
      const { lo, hi } = segments.begins;
      const before = cache.find(({ begins }) => begins.lo === lo && begins.hi === hi);
      if (before) return before.ways;
      const ways = mayTake.map((taken): CountingWay | Misfit => {
        const counted = this.#count(observation, weight, taken, segments);
        if ('kind' in counted) return counted;
        return { counted, key: `${keyOf(counted.left, counted.earlier)} ${counted.log.used}` };
      });
      cache.push({ begins: segments.begins, ways });
      return ways;
    };
  }

  /** Splits a reading so that it is certain in each part which requests still count, as far as their times are known. */
  #parts({ meaning, segments }: SegmentReading, at: Span): SegmentReading[] {
    const { log } = this.#counted;
    if (this.#areAllAlive(segments, at)) return [{ meaning, segments }];
    const unsure = log.filter(
      (request) => this.#mayHaveEnded(segments, request, at) && !this.#hasEnded(segments, request, at),
    );
    if (unsure.length === 0) return [{ meaning, segments }];
    return segments
      .apart([...unsure.map((request) => request.at), at])
      .map((part) => ({ meaning, segments: part }));
  }

  /** @param taken the weight if the request is counted, else 0 */
  #count(
    observation: Observation,
    weight: number,
    taken: number,
    segments: Segmentation,
  ): CountedLog | Misfit {
    const { at, others } = observation;
    const capacity = this.#capacity;
    const { log: counted } = this.#counted;
    const allCount = this.#areAllAlive(segments, at);
    const alive = allCount ? counted : counted.only((request) => !this.#hasEnded(segments, request, at));
    const surely = allCount
      ? counted.used
      : alive.only((request) => !this.#mayHaveEnded(segments, request, at)).used;
    const earlier = this.#earlierAt(observation, segments);
    const before = {
      // Only new requests lower what is left: requests that have ended do not count again.
      lo: Math.max(0, this.left.lo - others, capacity - alive.used - earlier.hi),
      hi: Math.max(0, capacity - surely - earlier.lo),
    };
    const left = afterCount(observation, before, weight, this.#figures.burst);
    if (isMisfit(left)) return left;
    const log = taken > 0 ? alive.with([{ at, weight: taken }]) : alive;
    const rest = { lo: capacity - log.used - left.hi, hi: capacity - surely - taken - left.lo };
    const still = common(earlier, rest);
    return still ? { log, earlier: still, left } : { kind: 'remaining', expected: left };
  }

  #earlierAfter({ at, others }: Observation): EarlierRequests {
    return others > 0 ? { until: at.hi + this.#figures.windowMs, areDuringRun: true } : this.#earlier;
  }

  /**
   * Requests that are not in the log and still count: some may end whenever a segment begins, and those from before the run have when its
   * first has.
   */
  #earlierAt({ at, others }: Observation, segments: Segmentation): Span {
    const { earlier, log } = this.#counted;
    const { first } = log;
    const { until, areDuringRun } = this.#earlier;
    const isOver = at.lo > until || (!areDuringRun && first && this.#hasEnded(segments, first, at));
    if (isOver && others === 0) return { lo: 0, hi: 0 };
    const isNew = segments.begunBy(at).hi > this.#at;
    return { lo: isNew ? 0 : earlier.lo, hi: Math.min(this.#capacity, earlier.hi + others) };
  }

  /** The readings that a Reset leaves possible. The Reset of a window without requests is only what it would be. */
  #readingsAfter(
    meaning: ResetMeaning,
    segments: Segmentation,
    counted: CountedLog,
    observation: Observation,
  ): SegmentReading[] {
    const { reset } = observation;
    const isUnused = counted.left.lo >= this.#capacity;
    const possible =
      reset === undefined || isUnused
        ? [segments]
        : this.#segmentsIf(meaning, reset, segments, counted, observation);
    return possible.map((narrowed) => ({ meaning, segments: narrowed }));
  }

  /** The possible segments if Reset has this meaning. */
  #segmentsIf(
    meaning: ResetMeaning,
    reset: Span,
    segments: Segmentation,
    { log, earlier }: CountedLog,
    observation: Observation,
  ): Segmentation[] {
    const { windowMs } = this.#figures;
    const { at } = observation;
    if (meaning === 'window-end') return segments.where(at, plus(reset, -segments.periodMs));
    const { first, last } = log;
    const { until, areDuringRun } = this.#earlierAfter(observation);
    const ends = meaning === 'full' ? (last ? [last] : []) : this.#firstToEnd(segments, log, at);
    const byLog = ends.flatMap((request) => segments.where(request.at, plus(reset, -windowMs)));
    if (earlier.hi === 0 || (meaning === 'full' && last && !areDuringRun)) return byLog;
    // Others' requests end when a segment begins, too: those from before the run first, those during it perhaps last.
    const latest = first && !areDuringRun ? segments.begunBy(first.at).hi + windowMs : until;
    const time = common(reset, { lo: at.lo, hi: latest });
    const byEarlier = time ? segments.where(time, time) : [];
    return meaning === 'full' || earlier.lo === 0 ? [...byLog, ...byEarlier] : byEarlier;
  }

  /** The requests that may be the next to end: those that may have ended by now, and the first one that surely has not. */
  #firstToEnd(segments: Segmentation, log: Log, at: Span): CountedRequest[] {
    const sure = log.find((request) => !this.#mayHaveEnded(segments, request, at));
    return [...log.filter((request) => this.#mayHaveEnded(segments, request, at)), ...(sure ? [sure] : [])];
  }

  /** Requests are in the order in which they were counted: if the first still counts, all do. */
  #areAllAlive(segments: Segmentation, at: Span): boolean {
    const { first } = this.#counted.log;
    return !first || !this.#mayHaveEnded(segments, first, at);
  }

  #hasEnded(segments: Segmentation, request: CountedRequest, at: Span): boolean {
    return segments.begunBy(request.at).hi + this.#figures.windowMs <= at.lo;
  }

  #mayHaveEnded(segments: Segmentation, request: CountedRequest, at: Span): boolean {
    return segments.begunBy(request.at).lo + this.#figures.windowMs <= at.hi;
  }

  get #capacity(): number {
    return this.#figures.limit + this.#figures.burst;
  }
}

/** The total length (ms) of the times at which segments may begin. */
function widthOf(readings: readonly SegmentReading[]): number {
  return sum(readings, ({ segments: { begins } }) => begins.hi - begins.lo);
}

/** The same readings, with adjoining ones of the same meaning merged. */
function merged(readings: readonly SegmentReading[]): SegmentReading[] {
  return MEANINGS.flatMap((meaning) => {
    const ofMeaning = readings.filter((reading) => reading.meaning === meaning);
    return joined(ofMeaning.map(({ segments }) => segments)).map((segments) => ({ meaning, segments }));
  });
}
