import { common, plus, type Span } from '../span.ts';

/** The possible times at which the segments of a window begin. Times in ms since the epoch. */
export class Segmentation {
  /** The length of a segment, in ms. */
  readonly periodMs: number;
  /** When one segment begins; the others begin whole periods before and after it. */
  readonly begins: Span;

  constructor(periodMs: number, begins: Span) {
    this.periodMs = periodMs;
    this.begins = begins;
  }

  /** When the segment of a time begins. */
  begunBy(time: Span): Span {
    const [fewest, most] = this.#periodsTo(time);
    return {
      lo: Math.max(this.begins.lo + fewest * this.periodMs, time.lo - this.periodMs),
      hi: Math.min(this.begins.hi + most * this.periodMs, time.hi),
    };
  }

  /** The same possibilities in parts. In each part, it is certain which segment a moment within these times belongs to. */
  apart(times: readonly Span[]): Segmentation[] {
    const { periodMs, begins } = this;
    const cuts = times
      .flatMap(({ lo, hi }) => [lo, hi])
      .map((time) => time - Math.floor((time - begins.lo) / periodMs) * periodMs)
      .filter((time) => time < begins.hi);
    const ends = [...new Set([...cuts, begins.hi])].sort((a, b) => a - b);
    // A segment includes the moment of its beginning.
    return ends
      .map((hi, index) => ({ lo: index === 0 ? begins.lo : (ends[index - 1] ?? hi) + 1, hi }))
      .filter(({ lo, hi }) => lo <= hi)
      .map((part) => new Segmentation(periodMs, part));
  }

  /** The possibilities in which the segment of a time begins at `begun`. */
  where(time: Span, begun: Span): Segmentation[] {
    const [fewest, most] = this.#periodsTo(time);
    const within = common(begun, { lo: time.lo - this.periodMs, hi: time.hi });
    const possible: Segmentation[] = [];
    for (let periods = fewest; within && periods <= most; periods += 1) {
      const begins = common(this.begins, plus(within, -periods * this.periodMs));
      if (begins) possible.push(new Segmentation(this.periodMs, begins));
    }
    return possible;
  }

  /** How many periods later the segment of a time begins, at least and at most. */
  #periodsTo({ lo, hi }: Span): [fewest: number, most: number] {
    const { begins, periodMs } = this;
    return [Math.floor((lo - begins.hi) / periodMs), Math.floor((hi - begins.lo) / periodMs)];
  }
}

/** The same possibilities, with adjoining ones merged. All of them have the same period. */
export function joined(possible: readonly Segmentation[]): Segmentation[] {
  const merged: Segmentation[] = [];
  for (const segmentation of possible.toSorted((a, b) => a.begins.lo - b.begins.lo)) {
    const { periodMs, begins } = segmentation;
    const before = merged.at(-1)?.begins;
    if (before && begins.lo <= before.hi + 1)
      merged.splice(-1, 1, new Segmentation(periodMs, { lo: before.lo, hi: Math.max(before.hi, begins.hi) }));
    else merged.push(segmentation);
  }
  return merged;
}
