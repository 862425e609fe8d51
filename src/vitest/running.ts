import { UsageError } from '../model/usage-error.ts';

type Vitest = typeof import('vitest');

/**
 * The vitest that runs this file: the one that in-source tests get as `import.meta.vitest`. An import could find
 * petspec's own copy instead, and a copy does not know the current run.
 */
export function runningVitest(): Vitest | undefined {
  return (globalThis as { __vitest_index__?: Vitest }).__vitest_index__;
}

/** @throws UsageError if vitest does not run this file */
export function requireVitest(): Vitest {
  const vitest = runningVitest();
  if (!vitest)
    throw new UsageError('petspec/vitest works only inside vitest; call it in a test file that vitest runs');
  return vitest;
}
