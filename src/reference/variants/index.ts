import { limiterVariants } from './limiters.ts';
import type { Variant } from './variant.ts';

/** Every variant of the catalogue. */
export const variants: readonly Variant[] = [...limiterVariants];
