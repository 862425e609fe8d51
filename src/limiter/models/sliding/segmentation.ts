import { common, plus, type Span } from '../span.ts';

/** When the segments of a window begin, as far as it is known. Times in ms since the epoch. */
export class Segmentation {
  /** How long each lasts, in ms. */
  readonly periodMs: number;
  /** When one of them begins; the others do whole periods before and after it. */
  readonly begins: Span;

  constructor(periodMs: number, begins: Span) {
    this.periodMs = periodMs;
    this.begins = begins;
  }

  /** When the segment begins in which something happens. */
  begunBy(time: Span): Span {
    const [fewest, most] = this.#periodsTo(time);
    return {
      lo: Math.max(this.begins.lo + fewest * this.periodMs, time.lo - this.periodMs),
      hi: Math.min(this.begins.hi + most * this.periodMs, time.hi),
    };
  }

  /** The same possibilities in parts: in each, it is certain which segment something at these times belongs to, if its time is. */
  apart(times: readonly Span[]): Segmentation[] {
    const { periodMs, begins } = this;
    const cuts = times
      .flatMap(({ lo, hi }) => [lo, hi])
      .map((each) => each - Math.floor((each - begins.lo) / periodMs) * periodMs)
      .filter((each) => each < begins.hi);
    const ends = [...new Set([...cuts, begins.hi])].sort((one, other) => one - other);
    // What happens when a segment begins is part of it.
    return ends
      .map((hi, index) => ({ lo: index === 0 ? begins.lo : (ends[index - 1] ?? hi) + 1, hi }))
      .filter(({ lo, hi }) => lo <= hi)
      .map((each) => new Segmentation(periodMs, each));
  }

  /** The possibilities in which the segment of a time begins then. */
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

/** The same possibilities, with those that meet as one. All of them have the same period. */
export function joined(possible: readonly Segmentation[]): Segmentation[] {
  const all: Segmentation[] = [];
  for (const each of possible.toSorted((one, other) => one.begins.lo - other.begins.lo)) {
    const { periodMs, begins } = each;
    const before = all.at(-1)?.begins;
    if (before && begins.lo <= before.hi + 1)
      all.splice(-1, 1, new Segmentation(periodMs, { lo: before.lo, hi: Math.max(before.hi, begins.hi) }));
    else all.push(each);
  }
  return all;
}
