import { DAY_S } from '../../../model/limits/rate-plan.ts';
import { anyEnd } from '../fixed-window.ts';
import type { Figures, Model } from '../model.ts';
import { partOf } from '../span.ts';
import { Segmentation } from './segmentation.ts';
import { SlidingSegments } from './sliding-segments.ts';

/** The numbers of segments per window that are tried. */
const COUNTS = [30, 20, 15, 12, 10, 8, 6, 5, 4, 3, 2];

/** Sliding windows that count in segments: all requests of a segment end together, one window after the segment began. */
const segmented: readonly Model[] = COUNTS.map((count) => ({
  name: `sliding window in ${count} segments`,
  surprise: 5,
  counting: 'any',
  isGradual: true,
  start: (figures, first) => {
    const periodMs = partOf(figures.windowMs, count);
    const begins = anyEnd(first, { ...figures, windowMs: periodMs });
    return [SlidingSegments.unknown(figures, new Segmentation(periodMs, begins), first)];
  },
}));

/** None for the window of a day. */
export function segmentsOf({ windowMs }: Figures): readonly Model[] {
  return windowMs < DAY_S * 1_000 ? segmented : [];
}
