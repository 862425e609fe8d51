import { defineConfig } from 'vitest/config';

/** What stands against mutants of the suites and the probes. */
export default defineConfig({ test: { include: ['test/mutation/suites.mutation.test.ts'] } });
