import { spawn } from 'node:child_process';
import type { Ended } from '../command-line/command-line.ts';

/** The key that scripts find in their environment: letters of both cases, and no number in hexadecimal. */
export const KEY = 'a-Key-for-scripts-0123456789';

/** What bash prints when it runs a script in a folder. */
export function inBash(folder: string, script: string): Promise<Ended> {
  const env = { PATH: process.env.PATH, PETSPEC_API_KEY: KEY, LC_ALL: 'C.UTF-8' };
  const child = spawn('bash', ['-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    printed.err += text;
  });
  return new Promise((resolve) => {
    child.on('close', (status, signal) => resolve({ status, signal, ...printed }));
  });
}
