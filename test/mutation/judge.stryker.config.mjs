/** Mutants of the judging code, against its unit tests and what was recorded of every fault and variant. */
export default {
  mutate: ['src/judge/**/*.ts', '!src/judge/**/*.test.ts'],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/judge.vitest.config.ts', related: false },
  // No test needs them, and what Stryker 9 does with tsconfig.json it cannot do with TypeScript 7.
  ignorePatterns: ['/tsconfig*.json', '/dist', '/reports', '/bench', '/examples'],
  concurrency: Number(process.env.PETSPEC_MUTATION_CONCURRENCY ?? 1),
  // Only what hangs takes as long as that, however busy the machine is.
  timeoutMS: 60_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 30,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: 'test/mutation/report/judge.json' },
};
