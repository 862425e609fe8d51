import type { Parameters } from 'fast-check';

/** `npm test` tries few cases; `npm run nightly` tries many. */
const BY_DAY = 0.3;
const FACTOR = Number(process.env.PETSPEC_FUZZ_FACTOR ?? BY_DAY);

/** Without a seed `npm test` tries the same cases each time, and a longer search others each time. */
const SEED = Number(process.env.PETSPEC_FUZZ_SEED ?? (FACTOR === BY_DAY ? 1 : Date.now() % 2 ** 31));

/** Parameters of a property. A failure prints its seed and the smallest case. @param runs cases that are tried where the factor is 1 */
export function cases<T>(runs: number): Parameters<T> {
  return { numRuns: Math.ceil(runs * FACTOR), seed: SEED };
}

/** ms that a property may take: far more than it does. */
export const PATIENCE = 120_000 * Math.max(1, FACTOR);
