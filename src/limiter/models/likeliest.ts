import { fixedWindow } from './fixed-window.ts';
import type { Model } from './model.ts';
import { slidingCounters } from './sliding/sliding-counter.ts';
import { slidingLog } from './sliding/sliding-log.ts';
import { tokenBuckets } from './token-bucket.ts';

/** Limiters of each kind that count in a way of their own: of buckets and counters, those that round Remaining down. */
const likeliest: readonly Model[] = [
  fixedWindow,
  slidingLog,
  ...[...tokenBuckets, ...slidingCounters].filter(({ isRoundedDown }) => isRoundedDown),
];

/** The same limiters, each with one more liberty. */
export function eachWith(liberty: (model: Model) => Model): readonly Model[] {
  return likeliest.map(liberty);
}
