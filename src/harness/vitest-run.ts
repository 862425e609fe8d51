import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { loadContract } from '../contract/load.ts';
import { assemble, type RunRecord } from '../report/assemble.ts';
import type { Report } from '../report/model.ts';
import { readLedger } from '../session/ledger.ts';
import type { Progress } from '../session/types.ts';
import type { Job, TestMeta } from './job.ts';

/** Collects what the tests carry back, and whatever went wrong with the tests themselves. */
class Collector implements Reporter {
  record: RunRecord | undefined;
  readonly errors: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const meta = test.meta() as TestMeta;
    if (meta.run) this.record = meta.run;
    const { state, errors } = test.result();
    // A violated requirement fails its test on purpose; anything else that fails is a bug of petspec.
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

/**
 * Runs the conformance suite under vitest, in one worker, with nothing of the user's own vite or vitest configuration.
 * Interrupted (Ctrl-C), it finishes with what is known.
 * @throws Error where a test broke for another reason than a violation: a bug of petspec
 */
export async function runInVitest(
  job: Job & { ledger: string },
  onProgress: (progress: Progress) => void,
): Promise<Report> {
  const { startVitest } = await import('vitest/node');
  const collector = new Collector();
  const scratch = mkdtempSync(join(tmpdir(), 'petspec-'));
  const channel = `petspec-${process.pid}-${Date.now()}`;
  const broadcast = new BroadcastChannel(channel);
  broadcast.onmessage = (event) => onProgress((event as unknown as { data: Progress }).data);
  const interrupt = () => broadcast.postMessage('interrupt');
  process.once('SIGINT', interrupt);
  try {
    const suites = realpathSync(fileURLToPath(new URL('../../suites', import.meta.url)));
    // Nothing of the user's: no vite or postcss configuration, no .env files, no cache in the package's folder.
    const vite = {
      configFile: false,
      envDir: false as const,
      publicDir: false as const,
      css: { postcss: {} },
      cacheDir: join(scratch, 'cache'),
      logLevel: 'silent' as const,
    };
    const vitest = await startVitest(
      'test',
      [],
      {
        config: false,
        root: suites,
        dir: suites,
        include: ['conformance.test.?s'],
        // The default would leave out everything below node_modules, where petspec is once it is installed.
        exclude: [],
        watch: false,
        pool: 'threads',
        isolate: false,
        fileParallelism: false,
        maxWorkers: 1,
        testTimeout: 0,
        hookTimeout: 0,
        teardownTimeout: 1_000,
        reporters: [collector],
        attachmentsDir: join(scratch, 'attachments'),
        provide: { job: { ...job, channel } },
        sequence: { concurrent: false, shuffle: false },
        passWithNoTests: false,
      },
      vite,
    );
    await vitest.close();
  } finally {
    process.removeListener('SIGINT', interrupt);
    broadcast.close();
    rmSync(scratch, { recursive: true, force: true });
  }
  const { record, errors } = collector;
  if (errors.length > 0 || !record) throw new Error(errors[0] ?? 'the run brought no result back');
  return assemble(loadContract(), record, readLedger(job.ledger));
}
