/**
 * Changes the code that judges in one place after another, and lists the changes that nothing notices:
 * `node dist/scripts/mutation/mutation.js [file …]`, after `node dist/scripts/mutation/record.js`. Without files, it changes all
 * of `src/judge` and `suites`.
 */
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import type { MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { packageRoot } from '../../src/model/package-root.ts';

const files = process.argv.slice(2);
const mutate = files.length > 0 ? files : ['src/judge/**/*.ts', 'suites/*.ts'];

const shared: PartialStrykerOptions = {
  // No test needs them, and what Stryker 9 does with tsconfig.json it cannot do with TypeScript 7.
  ignorePatterns: ['/tsconfig*.json', '/dist', '/reports', '/bench', '/examples'],
  concurrency: availableParallelism(),
  // Only what hangs takes as long as that, however busy the machine is.
  timeoutMS: 60_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 30,
  reporters: ['progress-append-only'],
};

// Recorded runs first: what they notice, they notice in a fraction of a second. The unit tests get what is left.
const replayed = await new Stryker({
  ...shared,
  mutate: [...mutate, '!**/*.test.ts'],
  testRunner: 'replaying',
  plugins: [join(packageRoot, 'dist', 'scripts', 'mutation', 'replaying-runner.js')],
}).runMutationTest();
const left = replayed.filter(isUnnoticed);
const tested =
  left.length === 0
    ? []
    : await new Stryker({
        ...shared,
        mutate: left.map(placeOf),
        testRunner: 'vitest',
        vitest: { configFile: 'test/mutation/unit.vitest.config.ts', related: false },
        // What the tests do when they are loaded is the same for all of them, and the recorded runs did it with the mutant.
        ignoreStatic: true,
      }).runMutationTest();

const noticed = new Set(tested.filter((each) => !isUnnoticed(each)).map(textOf));
const survivors = left.filter((each) => !noticed.has(textOf(each)));
for (const each of survivors) console.log(textOf(each));
for (const folder of new Set(replayed.map(folderOf))) {
  const isInFolder = (each: MutantResult) => folderOf(each) === folder;
  const all = replayed.filter(isInFolder).filter(isCounted).length;
  const unnoticed = survivors.filter(isInFolder).length;
  const share = ((100 * (all - unnoticed)) / all).toFixed(1);
  console.log(`${folder}: ${all} changes, ${unnoticed} unnoticed: ${share} % noticed`);
}

function isUnnoticed({ status }: MutantResult): boolean {
  return status === 'Survived' || status === 'NoCoverage' || status === 'Ignored';
}

/** Whether a change is one that could be noticed: it compiles. */
function isCounted({ status }: MutantResult): boolean {
  return status !== 'CompileError' && status !== 'RuntimeError';
}

function fileOf({ fileName }: MutantResult): string {
  return relative(packageRoot, fileName);
}

/** The folder of which a share is told, such as `src/judge` or `suites`. */
function folderOf(mutant: MutantResult): string {
  return /^src\/[^/]+|^[^/]+/.exec(fileOf(mutant))?.[0] ?? '';
}

/** Where a change is, as Stryker takes it: lines from 1, columns from 0. */
function placeOf(mutant: MutantResult): string {
  const { start, end } = mutant.location;
  return `${fileOf(mutant)}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
}

function textOf(mutant: MutantResult): string {
  return `${placeOf(mutant)} ${mutant.mutatorName} ${mutant.replacement?.replace(/\s+/g, ' ')}`;
}
