import { defineConfig } from 'vitest/config';

/** Each project has a worker of its own: nothing is shared between them. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['src/**/*.unit.test.ts', 'test/**/*.unit.test.ts'] } },
      { test: { name: 'conformance', include: ['suites/*.test.ts'], pool: 'threads', isolate: false } },
      { test: { name: 'selfcheck', include: ['test/**/*.selfcheck.test.ts'], testTimeout: 30_000 } },
    ],
  },
});
