import type { Parameters } from 'fast-check';

/** How many times as many cases are tried as by `npm test`; `npm run nightly` tries more. */
const FACTOR = Number(process.env.PETSPEC_FUZZ_FACTOR ?? 1);

/** Without a seed CI tries the same cases each time, and a longer search others each time. */
const SEED = Number(process.env.PETSPEC_FUZZ_SEED ?? (FACTOR === 1 ? 1 : Date.now() % 2 ** 31));

/** Parameters of a property. A failure prints its seed and the smallest case. @param runs cases that are tried in CI */
export function cases<T>(runs: number): Parameters<T> {
  return { numRuns: Math.ceil(runs * FACTOR), seed: SEED };
}

/** ms that a property may take: far more than it does. */
export const PATIENCE = 120_000 * Math.max(1, FACTOR);
