import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startTests, type Test, type VitestRunner } from '@vitest/runner';
import { getFullName } from '@vitest/runner/utils';

/** These have petspec import TypeScript by its address, which Node cannot load. */
const IMPORTING = /\/(?:folder|animal-store)\.unit\.test\.ts$/;

/** The paths of the files of unit tests that stand against mutants. */
export function unitTestFiles(): string[] {
  const inFolder = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.unit.test.ts'))
      .map((file) => join(folder, file));
  return [
    ...inFolder('suites'),
    ...['judge', 'limiter', 'probes', 'requests'].flatMap((name) => inFolder(join('src', name))),
    'src/contract/load.unit.test.ts',
    'src/run/plan.unit.test.ts',
    'src/run/limiter/profile-limiter.unit.test.ts',
    // What the animal store does not have, the documents of users do.
    ...inFolder('test/own-interface'),
    ...inFolder('test/tiny-interface'),
  ]
    .map((file) => resolve(file))
    .filter((file) => !IMPORTING.test(file));
}

/** One unit test that ran. */
export interface UnitTest {
  id: string;
  timeSpentMs: number;
  /** Undefined if it passed. */
  failureMessage: string | undefined;
}

/** How unit tests run; by default all of them do. */
export interface UnitTestOptions {
  isWanted?: (id: string) => boolean;
  /** Told before each test. */
  onStart?: () => void;
  /** Told after each test. */
  onEnd?: (id: string) => void;
  /** Whether the first failure ends the run. */
  isFirstEnough?: boolean;
}

/**
 * Runs files of unit tests in this process, with the runner of vitest alone.
 * @param files imports each file by its path
 * @returns the tests that ran; a file that cannot be loaded is a test that fails
 */
export async function runUnitTests(
  files: Readonly<Record<string, () => Promise<unknown> | undefined>>,
  { isWanted = () => true, onStart, onEnd, isFirstEnough = false }: UnitTestOptions,
): Promise<UnitTest[]> {
  const ran: UnitTest[] = [];
  let isOver = false;
  const runner: VitestRunner = {
    config: { ...CONFIG, root: process.cwd() },
    importFile: (path) => files[path]?.(),
    onCollected: (collected) => {
      for (const { filepath, result } of collected) {
        const [error] = result?.errors ?? [];
        if (error) ran.push({ id: `${filepath} loads`, timeSpentMs: 0, failureMessage: error.message });
      }
    },
    onBeforeRunTask: (test) => {
      if (isOver || !isWanted(idOf(test))) test.mode = 'skip';
      else onStart?.();
    },
    onAfterRunTask: (test) => {
      onEnd?.(idOf(test));
      const { state, duration = 0, errors } = test.result ?? {};
      if (state !== 'pass' && state !== 'fail') return;
      const failureMessage = state === 'fail' ? (errors?.[0]?.message ?? 'fails') : undefined;
      ran.push({ id: idOf(test), timeSpentMs: duration, failureMessage });
      isOver ||= isFirstEnough && state === 'fail';
    },
  };
  for (const filepath of Object.keys(files)) {
    if (isOver) break;
    await startTests([{ filepath }], runner);
    isOver ||= isFirstEnough && ran.some(({ failureMessage }) => failureMessage !== undefined);
  }
  return ran;
}

const BETWEEN = ' > ';

/** Begins with the path of its file, seen from the working directory. */
const idOf = (test: Test) => getFullName(test, BETWEEN);

/** The path of the file of a unit test. */
export function fileOf(id: string): string {
  return resolve(id.split(BETWEEN)[0] ?? '');
}

const CONFIG: Omit<VitestRunner['config'], 'root'> = {
  setupFiles: [],
  name: undefined,
  passWithNoTests: true,
  testNamePattern: undefined,
  allowOnly: false,
  sequence: { seed: 1, hooks: 'stack', setupFiles: 'list' },
  chaiConfig: undefined,
  maxConcurrency: 1,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  tagsFilter: undefined,
  strictTags: false,
};
