import { createInterface } from 'node:readline';
import type { CommandLine } from '../command-line.ts';

/** Of the key that a reference is served with: letters of both cases, and no number in hexadecimal. */
export const KEY = 'a-Key-for-scripts-0123456789';

/** A reference that is served. */
export interface Server {
  baseUrl: string;
  apiUrl: string;
  close: () => Promise<void>;
}

/** Starts `petspec serve` on free ports. */
export async function serve(commandLine: CommandLine, options: readonly string[]): Promise<Server> {
  const ports = ['--port', '0', '--message-port', '0', '--api-key', KEY];
  const { child, ended } = commandLine.start(['serve', ...ports, ...options]);
  const close = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  const lines: string[] = [];
  if (!child.stdout) throw new Error('the command line has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.startsWith('Press Ctrl-C')) break;
  }
  const [baseUrl = '', apiUrl = ''] = lines.map((line) => line.split(/\s+/).at(-1) ?? '');
  return { baseUrl, apiUrl, close };
}

/** What bash prints when it runs a script. */
export async function inBash(commandLine: CommandLine, script: string, env: NodeJS.ProcessEnv = {}) {
  const { ended } = commandLine.startProgram('bash', ['-c', script], {
    env: { PETSPEC_API_KEY: KEY, LC_ALL: 'C.UTF-8', ...env },
  });
  return ended;
}
