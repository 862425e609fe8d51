import { fixedWindow } from './fixed-window.ts';
import type { Model } from './model.ts';
import { slidingCounters } from './sliding/sliding-counter.ts';
import { slidingLog } from './sliding/sliding-log.ts';
import { tokenBuckets } from './token-bucket.ts';

/** One limiter of each kind that counts in a way of its own: of buckets and counters, the likeliest. */
export const likeliest: readonly Model[] = [
  fixedWindow,
  slidingLog,
  ...tokenBuckets.slice(0, 1),
  ...slidingCounters.slice(0, 1),
];
