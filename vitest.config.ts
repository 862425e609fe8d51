import { defineConfig } from 'vitest/config';

/**
 * Each project has a worker of its own: nothing is shared between them. `npm test` runs the first five; the others
 * need a build, Python or a browser, and have scripts of their own.
 */
export default defineConfig({
  test: {
    // Most of the time of a test is a reference and a session that talk to each other: a core each is made use of.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.unit.test.ts', 'test/**/*.unit.test.ts'],
          // Some start the command line, on whatever machine; what hangs ends all the same.
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      { test: { name: 'conformance', include: ['suites/*.test.ts'], pool: 'threads', isolate: false } },
      { test: { name: 'selfcheck', include: ['test/**/*.selfcheck.test.ts'], testTimeout: 60_000 } },
      { test: { name: 'fuzz', include: ['test/fuzz/*.fuzz.test.ts'] } },
      {
        test: {
          name: 'hostile',
          include: ['test/hostile/*.hostile.test.ts'],
          testTimeout: 90_000,
          maxConcurrency: 6,
        },
      },
      { test: { name: 'vendor', include: ['test/vendor/*.vendor.test.ts'], testTimeout: 200_000 } },
      {
        test: {
          name: 'package',
          include: ['test/package/*.package.test.ts'],
          globalSetup: 'test/package/pack.ts',
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/*.browser.test.ts'],
          testTimeout: 60_000,
          // CI starts the browser beside other tests.
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
