import { dirname, resolve } from 'node:path';
import {
  INSTRUMENTER_CONSTANTS,
  type InstrumenterContext,
  type StrykerOptions,
} from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { bundled, compiled, type Evaluated, switched } from './mutated-code.ts';
import { noticing, type Recording, readRecordings, readSent } from './recordings.ts';
import type { SentRecording } from './sent-requests.ts';
import { fileOf, runUnitTests, type UnitTest, unitTestFiles } from './unit-tests.ts';

/**
 * Runs the recordings and the unit tests in this process: the code of petspec is one text, which is evaluated anew for each mutant.
 * So nothing that a mutant leaves behind reaches the next one, and the packages and the recordings are loaded once.
 */
class InProcessRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.options);

  private recordings: readonly (Recording | SentRecording)[] = [];
  // Stryker runs this in the folder of the mutated copy, but loads it elsewhere.
  private file = '';
  private code = '';
  private withMutant?: (id: string) => Evaluated;

  private readonly options: StrykerOptions;

  constructor(options: StrykerOptions) {
    this.options = options;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    const read = { runs: () => [...readRecordings()], sent: readSent };
    this.recordings = noticing(this.options.mutate)
      .flatMap((recorded): (Recording | SentRecording)[] => read[recorded]())
      .map(frozen);
    this.file = resolve('scripts/mutation/replay.ts');
    this.code = await bundled(this.file, unitTestFiles());
  }

  async dryRun(): Promise<DryRunResult> {
    const told = stryker();
    const code = compiled(this.code, this.file)();
    const replayed = await this.replayAll(code);
    const unitTests = await runUnitTests(code.unitTests, {
      onStart: (id) => {
        told.currentTestId = id;
      },
      onEnd: () => {
        told.currentTestId = undefined;
      },
    });
    return {
      status: DryRunStatus.Complete,
      tests: [...replayed, ...unitTests].map(resultOf),
      ...(told.mutantCoverage ? { mutantCoverage: told.mutantCoverage } : {}),
    };
  }

  /** Replays each recording, and tells which one it is. */
  private async replayAll(code: Evaluated): Promise<UnitTest[]> {
    const told = stryker();
    const difference = differencesWith(code);
    const replayed: UnitTest[] = [];
    for (const recording of this.recordings) {
      told.currentTestId = recording.id;
      const startedAt = performance.now();
      const failureMessage = await difference(recording);
      replayed.push({ id: recording.id, timeSpentMs: performance.now() - startedAt, failureMessage });
    }
    told.currentTestId = undefined;
    return replayed;
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, hitLimit } = options;
    const told = stryker();
    told.activeMutant = activeMutant.id;
    told.hitLimit = hitLimit;
    told.hitCount = hitLimit === undefined ? undefined : 0;
    const ran: UnitTest[] = [];
    try {
      this.withMutant ??= compiled(switched(this.code), this.file);
      const code = this.withMutant(activeMutant.id);
      for (const run of this.inTurn(code, options)) if (!ran.some(hasFailed)) ran.push(...(await run()));
    } catch (error) {
      ran.push({ id: 'evaluated', timeSpentMs: 0, failureMessage: String(error) });
    }
    told.activeMutant = undefined;
    const overLimit = determineHitLimitReached(told.hitCount, hitLimit);
    if (overLimit) return toMutantRunResult(overLimit);
    const failed = ran.find(hasFailed);
    const nrOfTests = ran.length;
    return failed?.failureMessage === undefined
      ? { status: MutantRunStatus.Survived, nrOfTests }
      : {
          status: MutantRunStatus.Killed,
          killedBy: [failed.id],
          failureMessage: failed.failureMessage,
          nrOfTests,
        };
  }

  /**
   * What may notice a mutant, the quickest first: the unit tests of its file, the recordings, the nearest other unit tests. The
   * tests of its file all run, because of what is made once only the first to reach it is known. A mutant that takes effect
   * when the code is evaluated is reached by all tests, so only those of its folder run, and after them those of folders in it
   * or around it.
   */
  private inTurn(
    code: Evaluated,
    { testFilter, sandboxFileName }: MutantRunOptions,
  ): (() => Promise<readonly UnitTest[]>)[] {
    const own = sandboxFileName.replace(/\.ts$/, '.unit.test.ts');
    const nearest = (file: string) => {
      if (dirname(file) === dirname(sandboxFileName)) return 3;
      if (isNear(dirname(file), dirname(sandboxFileName))) return 2;
      return file.startsWith(resolve('src')) ? 1 : 0;
    };
    const wanted = testFilter && new Set(testFilter);
    const wantedFiles = testFilter && new Set(testFilter.map(fileOf));
    const others = Object.keys(code.unitTests)
      .filter((file) => file !== own && (wantedFiles ? wantedFiles.has(file) : nearest(file) >= 2))
      .sort((one, other) => nearest(other) - nearest(one));
    let left = wanted ? MOST_OTHERS : MOST_WHEN_EVALUATED;
    const runFiles = (files: readonly string[], isWanted: (id: string) => boolean) =>
      runUnitTests(Object.fromEntries(files.map((file) => [file, () => code.unitTests[file]?.()])), {
        isWanted,
        isFirstEnough: true,
      });
    const isWanted = (id: string) => !wanted || wanted.has(id);
    return [
      () => runFiles([own], () => true),
      () => this.runRecordings(code, isWanted),
      () => runFiles(others, (id) => isWanted(id) && left-- > 0),
    ];
  }

  /** Replays the wanted recordings until one is not judged as it was. */
  private async runRecordings(code: Evaluated, isWanted: (id: string) => boolean): Promise<UnitTest[]> {
    const ran: UnitTest[] = [];
    const recordings = this.recordings.filter(({ id }) => isWanted(id)).slice(0, MOST_RECORDINGS);
    const difference = differencesWith(code);
    for (const recording of recordings) {
      const failureMessage = await difference(recording);
      ran.push({ id: recording.id, timeSpentMs: 0, failureMessage });
      if (failureMessage !== undefined) break;
    }
    return ran;
  }
}

/** Makes a function that compares the changed code with a recording. It returns the difference in words, or undefined if there is none. */
function differencesWith(
  code: Evaluated,
): (recording: Recording | SentRecording) => Promise<string | undefined> {
  let replay: ReturnType<Evaluated['replay']> | undefined;
  return (recording) => {
    if ('sent' in recording) return code.resend(recording);
    replay ??= code.replay();
    return replay(recording);
  };
}

/** How many recordings are judged at most, the most telling first. */
const MOST_RECORDINGS = 80;

/** How many other unit tests run at most: what more of them reach is mostly noticed by the recordings. */
const MOST_OTHERS = 200;

/** How many run if it is not known which of them reach a mutant. */
const MOST_WHEN_EVALUATED = 800;

/** Whether one of two folders of a part of petspec, such as `src/judge`, is in the other. */
function isNear(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

function hasFailed({ failureMessage }: UnitTest): boolean {
  return failureMessage !== undefined;
}

function resultOf({ id, timeSpentMs, failureMessage }: UnitTest): TestResult {
  const test = { id, name: id, timeSpentMs };
  return failureMessage === undefined
    ? { ...test, status: TestStatus.Success }
    : { ...test, status: TestStatus.Failed, failureMessage };
}

/** What the mutated code and its runner tell each other. */
type Told = { [Name in keyof InstrumenterContext]: InstrumenterContext[Name] | undefined };

/** Where the mutated code looks for it. */
function stryker(): Told {
  const shared = globalThis as { [INSTRUMENTER_CONSTANTS.NAMESPACE]?: Told };
  const told = shared[INSTRUMENTER_CONSTANTS.NAMESPACE] ?? {};
  shared[INSTRUMENTER_CONSTANTS.NAMESPACE] = told;
  return told;
}

/** A value that nothing can change any more. */
function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value))
    Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];
