import { defineConfig } from 'vitest/config';

/** What stands against mutants of the judging code. */
export default defineConfig({ test: { include: ['test/mutation/judge.mutation.test.ts'] } });
