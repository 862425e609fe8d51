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
import { Coverage } from './coverage.ts';
import { bundled, compiled, counting, type Evaluated, switched } from './mutated-code.ts';
import { noticing, type Recording, readRecordings, readSent, readSlow, writeSlow } from './recordings.ts';
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
  private slow?: ReadonlySet<string>;

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
    const { code, mutants } = counting(this.code);
    const coverage = new Coverage(mutants);
    const evaluated = compiled(code, this.file)(undefined, coverage.reached);
    const replayed = await this.replayAll(evaluated, coverage);
    const unitTests = await runUnitTests(evaluated.unitTests, {
      onStart: () => coverage.ofNone(),
      onEnd: (id) => coverage.of(id),
    });
    coverage.ofNone();
    writeSlow(unitTests.filter(({ timeSpentMs }) => timeSpentMs > QUICK_MS).map(({ id }) => id));
    return {
      status: DryRunStatus.Complete,
      tests: [...replayed, ...unitTests].map(resultOf),
      mutantCoverage: coverage.ofMutants,
    };
  }

  /** Replays each recording, and tells which one it is. */
  private async replayAll(code: Evaluated, coverage: Coverage): Promise<UnitTest[]> {
    const difference = differencesWith(code);
    const replayed: UnitTest[] = [];
    for (const recording of this.recordings) {
      coverage.ofNone();
      const startedAt = performance.now();
      const failureMessage = await difference(recording);
      replayed.push({ id: recording.id, timeSpentMs: performance.now() - startedAt, failureMessage });
      coverage.of(recording.id);
    }
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
      for (const run of this.inTurn(options)) if (!ran.some(hasFailed)) ran.push(...(await run()));
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
   * What may notice a mutant, the quickest first: the quick unit tests of its file, the recordings, the quick ones of other files, the
   * slow ones. The tests of its file all run, because of what is made once only the first to reach it is known. A mutant that takes
   * effect when the code is evaluated is reached by all tests, so only those of its folder run, and after them those of folders in it
   * or around it.
   */
  private inTurn({
    activeMutant,
    testFilter,
    sandboxFileName,
  }: MutantRunOptions): (() => Promise<readonly UnitTest[]>)[] {
    this.withMutant ??= compiled(switched(this.code), this.file);
    this.slow ??= new Set(readSlow());
    const { withMutant, slow } = this;
    const code = withMutant(activeMutant.id);
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
    const isWanted = (id: string) => !wanted || wanted.has(id);
    const isQuick = (id: string) => !slow.has(id);
    const othersMs = wanted ? MOST_MS.others : MOST_MS.evaluated;
    return [
      () => runFiles(code, [own], isQuick),
      () => this.runRecordings(code, isWanted),
      () => runFiles(code, others, (id) => isWanted(id) && isQuick(id), othersMs),
      // A file of tests is read once for each time that the code is evaluated.
      () => {
        const files = [own, ...others].filter((file) => [...slow].some((id) => fileOf(id) === file));
        return runFiles(
          withMutant(activeMutant.id),
          files,
          (id) => (fileOf(id) === own || isWanted(id)) && !isQuick(id),
          MOST_MS.slow,
        );
      },
    ];
  }

  /** Replays the wanted recordings until one is not judged as it was. */
  private async runRecordings(code: Evaluated, isWanted: (id: string) => boolean): Promise<UnitTest[]> {
    const ran: UnitTest[] = [];
    const difference = differencesWith(code);
    const isInTime = within(MOST_MS.recordings);
    for (const recording of this.recordings) {
      if (!isWanted(recording.id)) continue;
      if (!isInTime()) break;
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

/** Unit tests that take longer, in ms, are slow. */
const QUICK_MS = 100;

/**
 * How long a mutant is tried at most, in ms of CPU: on recordings, the most telling first; by the quick unit tests of other files, the
 * nearest first; by these if it is not known which of them reach it; and by the slow ones. Nearly all that is noticed is noticed in a
 * tenth of it.
 */
const MOST_MS = { recordings: 2_000, others: 1_500, evaluated: 3_000, slow: 4_000 };

/** Runs the wanted unit tests of files until one fails or the time is over. */
function runFiles(
  code: Evaluated,
  files: readonly string[],
  isWanted: (id: string) => boolean,
  ms = Number.POSITIVE_INFINITY,
): Promise<UnitTest[]> {
  const isInTime = within(ms);
  return runUnitTests(Object.fromEntries(files.map((file) => [file, () => code.unitTests[file]?.()])), {
    isWanted: (id) => isWanted(id) && isInTime(),
    isFirstEnough: true,
  });
}

/** Tells whether less than this time has passed, in ms of CPU. */
function within(ms: number): () => boolean {
  const before = process.cpuUsage();
  return () => process.cpuUsage(before).user < 1_000 * ms;
}

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
