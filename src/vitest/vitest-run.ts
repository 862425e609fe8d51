import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { UsageError } from '../model/usage-error.ts';
import type { Job, RunEvent, TestMeta, Watch } from '../run/job.ts';

/** Collects the result that the tests carry back, and the errors of the tests themselves. */
class Collector implements Reporter {
  record: TestMeta['run'];
  readonly errors: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const meta = test.meta() as TestMeta;
    if (meta.run) this.record = meta.run;
    const { state, errors } = test.result();
    // A violated requirement fails its test on purpose. Any other failure is a bug of petspec.
    if (state === 'failed' && meta.finding?.status !== 'violated')
      this.errors.push(...(errors ?? []).map(({ message }) => message));
  }

  onTestModuleEnd(module: TestModule): void {
    this.errors.push(...module.errors().map(({ message }) => message));
  }

  onTestRunEnd(_modules: unknown, unhandled: readonly { message: string }[]): void {
    this.errors.push(...unhandled.map(({ message }) => message));
  }
}

/** Conducts a run of one target. @returns the findings of the run; its exchanges are in the ledger */
export type Conductor = (
  job: Job,
  watch: Pick<Watch, 'onEvent' | 'signal'>,
) => Promise<NonNullable<TestMeta['run']>>;

/**
 * Runs the conformance suite under vitest, in this thread, without the user's own vite or vitest configuration.
 * @returns the findings of the run; its exchanges are in the ledger
 * @throws Error if a test failed for any reason but a violation, which is a bug of petspec
 */
export const runInVitest: Conductor = async (job, { onEvent, signal }) => {
  const collector = new Collector();
  const scratch = makeScratch();
  const tests = listenTo(`petspec-${process.pid}-${Date.now()}`, onEvent, signal);
  try {
    await startTests(scratch, { ...job, channel: tests.channel }, collector);
    // Events and results arrive on different channels, so the last event may come after the result.
    if (collector.record) await tests.done;
  } finally {
    tests.close();
    rmSync(scratch, { recursive: true, force: true });
  }
  const { record, errors } = collector;
  if (errors.length > 0 || !record) throw new Error(errors[0] ?? 'the run returned no result');
  return record;
};

/** Makes a folder for the files that vitest writes. @throws UsageError if it cannot be made */
export function makeScratch(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'petspec-'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new UsageError(
      `cannot create a temporary folder in '${tmpdir()}' (${code}); set TMPDIR to a folder that you can write to`,
    );
  }
}

/** Receives the events of the tests, and passes an interruption on to it once it listens. */
function listenTo(channel: string, onEvent: (event: RunEvent) => void, signal: AbortSignal) {
  const broadcast = new BroadcastChannel(channel);
  const interrupt = () => broadcast.postMessage('interrupt');
  signal.addEventListener('abort', interrupt);
  const done = new Promise<void>((resolve) => {
    broadcast.onmessage = (event) => {
      const { data } = event as unknown as { data: RunEvent };
      if (data.kind === 'listening' && signal.aborted) interrupt();
      if (data.kind === 'done') resolve();
      onEvent(data);
    };
  });
  const close = () => {
    signal.removeEventListener('abort', interrupt);
    broadcast.close();
  };
  return { channel, done, close };
}

async function startTests(scratch: string, job: Job, reporter: Reporter): Promise<void> {
  const [{ createVitest }, { sameThread }] = await Promise.all([
    import('vitest/node'),
    import('./same-thread.ts'),
  ]);
  const { options, vite } = suiteConfig(scratch, job);
  const removeListeners = noteListeners();
  const vitest = await createVitest(
    'test',
    { ...options, pool: sameThread, watch: false, reporters: [reporter] },
    vite,
    { stdout: plainly(process.stdout) },
  );
  removeListeners();
  try {
    await vitest.start();
  } finally {
    await vitest.close();
  }
}

/** A stream that is no terminal, so that vitest hides no cursor: some terminals cannot, and an end at once would leave it so. */
function plainly(stream: Writable): Writable {
  return new Writable({ write: (chunk, encoding, done) => stream.write(chunk, encoding, done) });
}

/**
 * The configuration that runs the conformance suite in one thread, without the user's own configuration.
 * @param scratch a folder for the files that vitest writes
 */
export function suiteConfig(scratch: string, job: Job) {
  const suite = realpathSync(fileURLToPath(new URL('suite', import.meta.url)));
  // No vite or postcss configuration, no .env files, no cache in the package's folder.
  const vite = {
    configFile: false,
    envDir: false as const,
    publicDir: false as const,
    css: { postcss: {} },
    cacheDir: join(scratch, 'cache'),
    logLevel: 'silent' as const,
  };
  const options = {
    config: false as const,
    root: suite,
    dir: suite,
    include: ['conformance.test.?s'],
    // The default excludes node_modules, where petspec itself is installed.
    exclude: [],
    pool: 'threads' as const,
    isolate: false,
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 0,
    hookTimeout: 0,
    teardownTimeout: 1_000,
    attachmentsDir: join(scratch, 'attachments'),
    provide: { job },
    // Node loads the built files without a transformation, in less time and memory.
    server: { deps: { external: [/\/dist\/(?:src|suites)\/.*(?<!\.test)\.js$/] } },
    sequence: { concurrent: false, shuffle: false },
    passWithNoTests: false,
  };
  return { options, vite };
}

/**
 * Notes the listeners of the process. The returned function removes those that vitest adds to end the process: on
 * Ctrl-C, and with status 1, which is a verdict, where nobody handles a rejection.
 */
export function noteListeners(): () => void {
  const events = ['SIGINT', 'SIGTERM', 'unhandledRejection'];
  const before = new Set(events.flatMap((event) => process.rawListeners(event)));
  return () => {
    for (const event of events)
      for (const listener of process.rawListeners(event))
        if (!before.has(listener)) process.removeListener(event, listener as () => void);
  };
}
