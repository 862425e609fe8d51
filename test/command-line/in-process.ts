import { execute } from '../../src/cli/execute.ts';
import { conductWatched, recordOf } from '../../src/run/job.ts';
import type { Conductor } from '../../src/vitest/vitest-run.ts';
import type { CommandLine, Ended } from './command-line.ts';

/** Conducts a run as `--all` does: a vitest cannot run inside the vitest of a test. */
const withoutVitest: Conductor = async ({ contract, checks }, plan, job, watch) =>
  recordOf(contract, checks, plan, job, await conductWatched(contract, plan, job, watch));

let last: Promise<unknown> = Promise.resolve();

/**
 * Executes a command line in this process, which takes a fifth of the time of a process of its own. For what a process
 * shows beyond what it prints and its exit status, such as signals, pipes and permissions, a test starts one.
 * @param options as for the executable
 */
export function inProcess(
  { folder, variables }: Pick<CommandLine, 'folder' | 'variables'>,
  options: readonly string[],
): Promise<Ended> {
  // The folder, the variables and the streams are those of the process, so commands take turns.
  const ended = last.then(() => executed(folder, { ...variables }, options));
  last = ended.catch(() => {});
  return ended;
}

async function executed(folder: string, env: NodeJS.ProcessEnv, options: readonly string[]): Promise<Ended> {
  const before = { folder: process.cwd(), env: process.env };
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write);
  const printed = ['', ''];
  process.chdir(folder);
  process.env = env;
  for (const [index, stream] of streams.entries())
    stream.write = (text: string | Uint8Array) => {
      printed[index] += String(text);
      return true;
    };
  try {
    const status = await execute(['node', 'petspec', ...options], withoutVitest);
    const [out = '', err = ''] = printed;
    return { status, signal: null, out, err };
  } finally {
    for (const [index, stream] of streams.entries()) stream.write = writes[index] ?? stream.write;
    process.env = before.env;
    process.chdir(before.folder);
  }
}
