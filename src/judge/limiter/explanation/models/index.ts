import { fixedWindow } from './fixed-window.ts';
import { frozenSecond } from './frozen.ts';
import { givenBack } from './given-back.ts';
import type { Model } from './model.ts';
import { twoNodes } from './nodes.ts';
import { slidingCounters } from './sliding-counter.ts';
import { slidingLog } from './sliding-log.ts';
import { tokenBuckets } from './token-bucket.ts';

/** Every honest limiter that petspec knows: the plainest first, as the first that explains a run names it. */
export const MODELS: readonly Model[] = [
  fixedWindow,
  slidingLog,
  ...tokenBuckets,
  ...slidingCounters,
  frozenSecond,
  twoNodes,
  ...givenBack,
];
