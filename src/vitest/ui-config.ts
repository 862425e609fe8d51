import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownModule, packageRoot } from '../model/package-root.ts';
import { UsageError } from '../model/usage-error.ts';
import type { Job } from '../run/job.ts';

/**
 * The part of vitest that the UI needs. It is not installed with petspec: no other command needs it, and it is twice as large as all of
 * petspec with its packages.
 * @throws UsageError that says what to install
 */
export async function uiOfVitest(): Promise<typeof import('vitest/node')> {
  const { devDependencies } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  const tested: string = devDependencies.vitest;
  const require = createRequire(import.meta.url);
  try {
    for (const name of ['vitest', '@vitest/ui']) {
      const { version } = require(`${name}/package.json`);
      if (minorOf(version) !== minorOf(tested)) throw new Error(`${name} is ${version}`);
    }
    return await import('vitest/node');
  } catch {
    throw new UsageError(
      `--ui: needs vitest and @vitest/ui ${minorOf(tested)}; npm install --save-dev vitest@${tested} @vitest/ui@${tested}`,
    );
  }
}

/** `4.1` of `4.1.12` */
function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

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

/**
 * The configuration that runs the conformance suite in one thread, without the user's own configuration.
 * @param scratch a folder for the files that vitest writes
 */
export function suiteConfig(scratch: string, job: Job) {
  const suite = realpathSync(dirname(fileURLToPath(ownModule('src/vitest/suite/conformance.test'))));
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
    server: { deps: { external: [/\/dist\/.*(?<!\.test)\.js$/] } },
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
