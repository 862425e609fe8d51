import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { type CommandLine, compileCommandLine, type Ended } from './command-line.ts';

/** The command line of a test file, in a folder of its own. */
export interface TestedCommandLine {
  /** Starts processes. It exists from before the first test until after the last one. */
  line: CommandLine;
  /** Executes it in this process. */
  petspec(...options: string[]): Promise<Ended>;
  /** A path in its folder. */
  inFolder(...names: string[]): string;
  /** The report.json that it wrote to this folder of its folder. */
  reportIn(out: string): ReturnType<typeof JSON.parse>;
}

/** Compiles the command line before the tests of a file, and removes it after them. @param key what PETSPEC_API_KEY holds */
export function testedCommandLine(key = 'a-key-of-a-test'): TestedCommandLine {
  let compiled: CommandLine | undefined;
  const its = () => {
    if (compiled === undefined) throw new Error('the command line exists only during tests');
    return compiled;
  };
  beforeAll(() => {
    compiled = compileCommandLine(key);
  }, 120_000);
  afterAll(() => compiled?.remove());

  const line: CommandLine = {
    get folder() {
      return its().folder;
    },
    get bin() {
      return its().bin;
    },
    get variables() {
      return its().variables;
    },
    start: (...given) => its().start(...given),
    startProgram: (...given) => its().startProgram(...given),
    petspec: (...options) => its().petspec(...options),
    remove: () => its().remove(),
  };
  const inFolder = (...names: string[]) => join(line.folder, ...names);
  return {
    line,
    // Files that only start processes do not load petspec themselves.
    petspec: async (...options) => (await import('./in-process.ts')).inProcess(line, options),
    inFolder,
    reportIn: (out) => JSON.parse(readFileSync(inFolder(out, 'report.json'), 'utf8')),
  };
}

/** A test that waits for a process most of its time, beside others. It needs folders of its own. */
export function concurrentTest(name: string, body: () => Promise<void>): void {
  test.concurrent(name, body, 240_000);
}
