import type { Variant } from '../variant.ts';
import { algorithmVariants } from './algorithms.ts';
import { combinedVariants } from './combinations.ts';
import { countVariants } from './counts.ts';
import { coverageVariants } from './coverage.ts';
import { limiterFigureVariants } from './figures.ts';
import { frontVariants } from './fronts.ts';
import { limiterHeaderVariants } from './headers.ts';
import { lateVariants } from './read-late.ts';
import { usageVariants } from './usage.ts';

/** Limiters that differ from the reference's and conform. */
export const limiterVariants: readonly Variant[] = [
  ...algorithmVariants,
  ...limiterHeaderVariants,
  ...coverageVariants,
  ...usageVariants,
  ...combinedVariants,
  ...countVariants,
  ...limiterFigureVariants,
  ...lateVariants,
  ...frontVariants,
];
