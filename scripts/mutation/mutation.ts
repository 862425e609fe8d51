/**
 * Changes the code that judges in one place after another, and lists the changes that nothing notices:
 * `node dist/scripts/mutation/mutation.js [file …]`. Without files, it changes all of `src/judge`, `src/limiter` and `suites`. Files of
 * `src/probes` and `src/requests` are compared by what thirty runs send. With `PETSPEC_MUTATION_PART=2/4` in the environment, it changes
 * the second quarter of the functions; with `tonight`, another quarter each night.
 */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { packageRoot } from '../../src/model/package-root.ts';
import { noticing } from './recordings.ts';
import { isUnnoticed, isUnreachedDefault } from './unnoticed.ts';

const NEVER_TRIED: ReadonlySet<MutantResult['status']> = new Set(['CompileError', 'RuntimeError', 'Ignored']);

const files = process.argv.slice(2);
const plugin = (name: string) => join(packageRoot, 'dist', 'scripts', 'mutation', `${name}.js`);

const mutate = [
  ...(files.length > 0 ? files : ['src/judge/**/*.ts', 'src/limiter/**/*.ts', 'suites/**/*.ts']),
  '!**/*.test.ts',
];
for (const recorded of noticing(mutate))
  execFileSync(process.execPath, [plugin(`record-${recorded}`)], { stdio: 'inherit' });

const changes = await new Stryker({
  mutate,
  testRunner: 'in-process',
  reporters: ['progress-append-only', 'unnoticed'],
  ignorers: ['part-of-code'],
  plugins: ['in-process-runner', 'unnoticed-reporter', 'part-of-code'].map(plugin),
  // No test needs them, and what Stryker 9 does with tsconfig.json it cannot do with TypeScript 7.
  ignorePatterns: ['/tsconfig*.json', '/dist', '/reports/*', '!/reports/*.schema.json', '/bench'],
  concurrency: availableParallelism(),
  // Only what hangs takes as long as that, however busy the machine is.
  timeoutMS: 30_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 30,
  // In percent: with less, the script fails.
  thresholds: { high: 95, low: 93, break: 90 },
}).runMutationTest();

for (const folder of new Set(changes.map(folderOf))) {
  const inFolder = changes.filter((each) => folderOf(each) === folder);
  const counted = inFolder.filter(isCounted);
  const unnoticed = counted.filter(isUnnoticed).length;
  const share = ((100 * (counted.length - unnoticed)) / counted.length).toFixed(1);
  const defaults = inFolder.filter(isUnreachedDefault).length;
  console.log(
    `${folder}: ${counted.length} changes, ${unnoticed} unnoticed: ${share} % noticed; ${defaults} defaults that nothing reaches`,
  );
}

/** Whether a change is one that could be noticed: it belongs to the part, compiles, and something may reach it. */
function isCounted(change: MutantResult): boolean {
  return !NEVER_TRIED.has(change.status) && !isUnreachedDefault(change);
}

/** The folder whose share is printed, such as `src/judge` or `suites`. */
function folderOf({ fileName }: MutantResult): string {
  return /^src\/[^/]+|^[^/]+/.exec(relative(packageRoot, fileName))?.[0] ?? '';
}
