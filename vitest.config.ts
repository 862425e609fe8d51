import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/project/longest-first.ts';

/**
 * Most of what a worker executes runs a few hundred times: then it takes longer to optimize functions, with all that they call
 * inside them, than this ever saves. It takes a quarter less CPU so. Patterns that find a secret are large, and most run a few times.
 * The new objects of a run fit into 32 MB: with less room, many of them are copied before they are garbage.
 */
const execArgv = [
  '--max-inlined-bytecode-size-cumulative=100',
  '--regexp-tier-up-ticks=20',
  '--max-semi-space-size=32',
  // Node refuses an option that its V8 does not have: only the oldest Node has this one.
  ...(process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : []),
];

/**
 * Each project has its own workers, so projects share nothing. `npm test` runs the first three, which need Node and npm
 * alone. `tools` needs programs that a machine may not have: bash, curl, openssl, python3. The others need a build, Python
 * or a browser, and have their own scripts.
 */
export default defineConfig({
  test: {
    // Most tests run a reference and a session that talk to each other, which keeps a core busy; some only wait, so there are
    // more workers than cores.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // Each project would transform the same files again, and so would the other scripts of CI.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          name: 'in-process',
          execArgv,
          include: [
            'src/**/*.unit.test.ts',
            'suites/**/*.unit.test.ts',
            'test/**/*.unit.test.ts',
            'test/fuzz/*.fuzz.test.ts',
            'test/hostile/*.hostile.test.ts',
            'test/**/*.selfcheck.test.ts',
          ],
          // Nothing that a file does changes another. Each worker loads and compiles petspec once for all of its files.
          isolate: false,
          testTimeout: 90_000,
          hookTimeout: 60_000,
          maxConcurrency: 6,
        },
      },
      {
        test: {
          name: 'cli',
          execArgv,
          include: ['src/**/*.cli.test.ts', 'test/**/*.cli.test.ts'],
          globalSetup: 'test/command-line/compile-command-line.ts',
          isolate: false,
          // Many tests start the command line, which takes its time on a busy machine. The first one compiles it.
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['src/vitest/suite/*.test.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        test: {
          name: 'tools',
          execArgv,
          include: ['src/**/*.tools.test.ts', 'test/**/*.tools.test.ts'],
          // Some start the command line.
          globalSetup: 'test/command-line/compile-command-line.ts',
          isolate: false,
          testTimeout: 90_000,
          hookTimeout: 120_000,
        },
      },
      { test: { name: 'real', include: ['test/real/*.real.test.ts'] } },
      { test: { name: 'vendor', include: ['test/vendor/*.vendor.test.ts'], testTimeout: 200_000 } },
      {
        test: {
          name: 'package',
          include: ['test/package/*.package.test.ts'],
          // Each starts processes that meet a service in real time.
          maxConcurrency: 3,
          globalSetup: 'test/package/pack.ts',
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'installed',
          include: ['test/package/*.installed.test.ts'],
          globalSetup: 'test/package/pack.ts',
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/*.browser.test.ts'],
          testTimeout: 60_000,
          // The browser may start while other tests run.
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
