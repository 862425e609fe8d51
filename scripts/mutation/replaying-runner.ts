import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { compileFunction, constants } from 'node:vm';
import { INSTRUMENTER_CONSTANTS, type InstrumenterContext } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
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
import { rolldown } from 'rolldown';
import { type Recording, readRecordings } from './recordings.ts';
import type * as entry from './replay.ts';

/**
 * Runs the recordings as tests, in this process: the code of petspec is one text, which is evaluated anew for each mutant. So
 * nothing that a mutant leaves behind reaches the next one, and the packages and the recordings are loaded once.
 */
class ReplayingRunner implements TestRunner {
  private recordings: readonly Recording[] = [];
  // Stryker runs this in the folder of the mutated copy, but loads it elsewhere.
  private file = '';
  private code = '';

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    this.recordings = [...readRecordings()].map(frozen);
    this.file = resolve('scripts/mutation/replay.ts');
    this.code = await bundled(this.file);
  }

  async dryRun(): Promise<DryRunResult> {
    const told = stryker();
    const difference = evaluated(this.code, this.file).replay();
    const tests: TestResult[] = [];
    for (const recording of this.recordings) {
      told.currentTestId = recording.id;
      const startedAt = performance.now();
      const failureMessage = await difference(recording);
      const test = { id: recording.id, name: recording.id, timeSpentMs: performance.now() - startedAt };
      tests.push(
        failureMessage === undefined
          ? { ...test, status: TestStatus.Success }
          : { ...test, status: TestStatus.Failed, failureMessage },
      );
    }
    told.currentTestId = undefined;
    return {
      status: DryRunStatus.Complete,
      tests,
      ...(told.mutantCoverage ? { mutantCoverage: told.mutantCoverage } : {}),
    };
  }

  async mutantRun({ activeMutant, hitLimit, testFilter }: MutantRunOptions): Promise<MutantRunResult> {
    const told = stryker();
    told.activeMutant = activeMutant.id;
    told.hitLimit = hitLimit;
    told.hitCount = hitLimit === undefined ? undefined : 0;
    const wanted = testFilter && new Set(testFilter);
    const code = withOnly(activeMutant.id, this.code);
    const run = await this.firstDifference(code, ({ id }) => !wanted || wanted.has(id));
    told.activeMutant = undefined;
    const overLimit = determineHitLimitReached(told.hitCount, hitLimit);
    return overLimit ? toMutantRunResult(overLimit) : run;
  }

  /** The first of the wanted recordings that is not judged as it was. */
  private async firstDifference(
    code: string,
    isWanted: (recording: Recording) => boolean,
  ): Promise<MutantRunResult> {
    let nrOfTests = 0;
    let id = '';
    try {
      const difference = evaluated(code, this.file).replay();
      for (const recording of this.recordings.filter(isWanted)) {
        nrOfTests += 1;
        id = recording.id;
        const failureMessage = await difference(recording);
        if (failureMessage !== undefined)
          return { status: MutantRunStatus.Killed, killedBy: [id], failureMessage, nrOfTests };
      }
      return { status: MutantRunStatus.Survived, nrOfTests };
    } catch (error) {
      return { status: MutantRunStatus.Killed, killedBy: [id], failureMessage: String(error), nrOfTests };
    }
  }
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

/** The mutated code of petspec in one text, without its packages. */
async function bundled(file: string): Promise<string> {
  const bundle = await rolldown({ input: file, platform: 'node', external: /^[^./]/ });
  const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false });
  return output[0].code;
}

/** The code with one mutant alone, in which nothing is counted: asking at each place which one is active takes ten times as long. */
function withOnly(id: string, code: string): string {
  return code
    .replaceAll(/\bstryMutAct_\w+(?:\$\d+)?\("(\d+)"\)/g, (call, each) => (each === id ? call : 'false'))
    .replaceAll(/\bstryCov_\w+(?:\$\d+)?\((?:"\d+"(?:, )?)+\)/g, '0');
}

/** Executes the code, and returns what it exports. */
function evaluated(code: string, file: string): typeof entry {
  const exports = {} as typeof entry;
  compileFunction(code, ['exports', 'require', '__filename'], {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })(exports, createRequire(file), file);
  return exports;
}

/** A value that nothing can change any more. */
function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value))
    Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'replaying', ReplayingRunner)];
