import { packageVersion } from '../model/package-root.ts';
import type { Conductor } from '../vitest/vitest-run.ts';
import { helpText } from './command-table.ts';
import { tellBug } from './output/bugs.ts';

/** Loads vitest's runner, and the code that judges, only for a run. */
const conductor: Conductor = async (...run) => (await import('../vitest/vitest-run.ts')).runInVitest(...run);

/** Texts that are printed before any code of a command is loaded. */
const AT_ONCE: Readonly<Record<string, () => string>> = {
  '--help': helpText,
  '-h': helpText,
  '--version': () => `${packageVersion}\n`,
};

/** Runs the command line. @param argv like `process.argv` @returns the exit status */
export async function main(argv: readonly string[]): Promise<number> {
  // Hides the options, which may hold secrets, from other users of this machine (ps, /proc/<pid>/cmdline).
  process.title = 'petspec';
  surviveUnwritable();
  process.on('uncaughtException', (error) => process.exit(tellBug(error)));
  const [word = '', ...rest] = argv.slice(2);
  const text = rest.length === 0 && Object.hasOwn(AT_ONCE, word) ? AT_ONCE[word] : undefined;
  if (!text) return (await import('./execute.ts')).execute(argv, conductor);
  process.stdout.write(text());
  return 0;
}

/**
 * Keeps petspec running if stdout closes early (`petspec run | head`) or its disk is full (`> log.txt`). Otherwise Node
 * would exit with 1, which is a verdict, before the reports are written.
 */
function surviveUnwritable(): void {
  let isReported = false;
  process.stderr.on('error', () => {});
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || isReported) return;
    isReported = true;
    process.stderr.write(`petspec: cannot write to stdout (${code})\n`);
  });
}
