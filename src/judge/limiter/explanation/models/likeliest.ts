import { fixedWindow } from './fixed-window.ts';
import { gradual } from './gradual.ts';
import type { Model } from './model.ts';
import { slidingCounters } from './sliding/sliding-counter.ts';
import { slidingLog } from './sliding/sliding-log.ts';
import { tokenBuckets } from './token-bucket.ts';

/** Limiters of each kind that count in a way of their own: of buckets and counters, those that round Remaining down. */
const likeliest: readonly Model[] = [
  fixedWindow,
  slidingLog,
  ...[...tokenBuckets, ...slidingCounters].filter(({ wider }) => wider === gradual.down),
];

/** The same limiters, each with one more liberty. A wider one excludes the buckets and counters at once. */
export function eachWith(liberty: (model: Model) => Model): readonly Model[] {
  const wider = liberty(gradual.down);
  return likeliest.map((model) => ({ ...liberty(model), ...(model.wider ? { wider } : {}) }));
}
