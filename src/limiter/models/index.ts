import { fixedWindow, frozenSecond, twoNodes } from './fixed-window.ts';
import { givenBack, readLate } from './liberties.ts';
import { lotsOf } from './lots.ts';
import type { Figures, Model } from './model.ts';
import { segmentsOf } from './sliding/segments.ts';
import { slidingCounters } from './sliding/sliding-counter.ts';
import { slidingLog } from './sliding/sliding-log.ts';
import { tokenBuckets } from './token-bucket.ts';

/** The honest limiters that are tried for every run, the plainest first: the first that explains a run is reported. */
export const MODELS: readonly Model[] = [
  fixedWindow,
  slidingLog,
  ...tokenBuckets,
  ...slidingCounters,
  frozenSecond,
  twoNodes,
  ...givenBack,
  ...readLate,
];

/** Limiters whose requests come back in lots. They are rare, and explain more than the others. */
export function inLotsOf(figures: Figures): readonly Model[] {
  return [...lotsOf(figures), ...segmentsOf(figures)];
}
