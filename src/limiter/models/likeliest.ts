import { fixedWindow } from './fixed-window.ts';
import type { Model } from './model.ts';
import { slidingCounters } from './sliding/sliding-counter.ts';
import { slidingLog } from './sliding/sliding-log.ts';
import { tokenBuckets } from './token-bucket.ts';

/** One model per algorithm: buckets and counters round Remaining down. */
const likeliest: readonly Model[] = [
  fixedWindow,
  slidingLog,
  ...[...tokenBuckets, ...slidingCounters].filter(({ isRoundedDown }) => isRoundedDown),
];

/** These models, each with one more liberty. */
export function eachWith(liberty: (model: Model) => Model): readonly Model[] {
  return likeliest.map(liberty);
}
