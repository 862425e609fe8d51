import { defineConfig } from 'vitest/config';

/** The unit tests that stand against mutants. */
export default defineConfig({ test: { include: ['test/mutation/unit.mutation.test.ts'] } });
