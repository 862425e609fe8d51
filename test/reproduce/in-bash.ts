import { spawn } from 'node:child_process';
import { realClock } from '../../src/model/clock.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { PLANS, type PlanName, type Reference, startReference } from '../../src/reference/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import type { Ended } from '../command-line/command-line.ts';

/** Of the key that a reference is served with: letters of both cases, and no number in hexadecimal. */
export const KEY = 'a-Key-for-scripts-0123456789';

/** How a reference is served. */
export interface Served {
  plan?: PlanName;
  /** Seconds of its shorter window. */
  window: number;
  /** Ids of its faults and variants. */
  changes?: readonly string[];
}

/** Serves the reference on free ports, in real time: `petspec serve` in this process. */
export function serve({ plan = 'free', window, changes = [] }: Served): Promise<Reference> {
  const all = [...faults, ...variants];
  return startReference({
    clock: realClock,
    apiKey: KEY,
    plan: PLANS[plan],
    changes: changes.map((id) => {
      const change = all.find((each) => each.id === id);
      if (!change) throw new Error(`there is no fault or variant ${id}`);
      return change;
    }),
    settings: { limiter: { minute: window * 1000 } },
  });
}

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
