export default {
  mutate: ['src/judge/**/*.ts', '!src/judge/**/*.test.ts'],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  // Tests need neither; the preprocessor of Stryker 9 does not run on TypeScript 7.
  ignorePatterns: ['/tsconfig*.json', '/dist', '/reports', '/bench', '/examples'],
  concurrency: 1,
  timeoutMS: 120_000,
  timeoutFactor: 4,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, allowEmojis: false, reportTests: false },
  jsonReporter: { fileName: 'test/mutation/report/judge.json' },
  tempDirName: '.stryker-tmp',
};
