import { UsageError } from '../run/options.ts';

type Vitest = typeof import('vitest');

/**
 * The vitest that runs this file: what `import.meta.vitest` hands over to in-source tests. An import would find
 * petspec's own copy wherever the vendor has another version, and a copy knows nothing of the run.
 */
export function runningVitest(): Vitest | undefined {
  return (globalThis as { __vitest_index__?: Vitest }).__vitest_index__;
}

/** @throws UsageError outside a vitest run */
export function requireVitest(): Vitest {
  const vitest = runningVitest();
  if (!vitest) throw new UsageError('petspec/vitest registers tests: use it in a test file that vitest runs');
  return vitest;
}
