import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'yaml';
import { packageRoot } from '../../../src/model/package-root.ts';
import type { Report } from '../../../src/model/report/report.ts';

/** An animal store that was written from the interface alone: a folder of `examples/`. */
export interface Store {
  name: string;
  /** What it is made of, for people. */
  made: string;
  /** What starts it in its folder. */
  command: readonly [program: string, ...args: string[]];
  /** The Debian packages that it needs. */
  packages: readonly string[];
  /** Seconds of the window that a plan calls a minute. */
  window: number;
  needsRedis?: boolean;
}

export const STORES: readonly Store[] = [
  {
    name: 'ruby-store',
    made: 'Ruby: Sinatra, Puma, a sliding log in Redis',
    command: ['ruby', 'store.rb'],
    packages: ['ruby-sinatra', 'puma', 'ruby-redis', 'redis-server'],
    window: 60,
    needsRedis: true,
  },
  {
    name: 'php-store',
    made: "PHP: PHP's own server, SQLite, token buckets",
    command: ['php', 'store.php'],
    packages: ['php-cli', 'php-sqlite3'],
    // A bucket of a short window fills up faster than one client empties it.
    window: 60,
  },
];

/** A mistake that is made on purpose: one change to a source file. */
export interface PlantedFault {
  id: string;
  what: string;
  /** The requirements that it violates, any of which may report it. */
  violates: readonly string[];
  file: string;
  from: string;
  to: string;
  /** Why a default run does not show it. */
  missed?: string;
}

/** The faults of a store, as they were written down before petspec was run on them. */
export function faultsOf({ name }: Store): PlantedFault[] {
  return parse(readFileSync(join(packageRoot, 'examples', name, 'faults.yaml'), 'utf8')) as PlantedFault[];
}

/** A run that judges a store: the rate plan of its key, and whether it ends at the recovery. */
export interface StoreRun {
  plan: 'free' | 'pro' | 'business';
  frugal: boolean;
}

/** The run that a user of the Free plan has by default. */
export const DEFAULT_RUN: StoreRun = { plan: 'free', frugal: false };

const KEY = 'store-key-0123456789';

/** Starts a store, with a fault or without, judges it by a run, and ends it. */
export async function judged(store: Store, fault?: PlantedFault, run = DEFAULT_RUN): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-store-'));
  const processes: ChildProcess[] = [];
  try {
    cpSync(join(packageRoot, 'examples', store.name), folder, { recursive: true });
    if (fault) plant(fault, folder);
    const options = ['--api-key', KEY, '--port', '0', '--message-port', '0'];
    options.push('--window', `${store.window}`, '--plan', run.plan);
    if (store.needsRedis) options.push('--redis', await redis(store, folder, processes));
    const [program, ...args] = store.command;
    const { base, messages } = await started(store, program, [...args, ...options], folder, processes);
    return await report(run, [base, messages], folder, processes);
  } finally {
    for (const each of processes.reverse()) await ended(each);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the command line that was built, in a process of its own, as users do. */
async function report(
  { plan, frugal }: StoreRun,
  [base, messages]: readonly [base: string, messages: string],
  folder: string,
  processes: ChildProcess[],
): Promise<Report> {
  const bin = join(packageRoot, 'bin', 'petspec.js');
  const options = ['--api-url', messages, '--plan', plan, '--out', join(folder, 'reports')];
  if (frugal) options.push('--frugal');
  const env = { ...process.env, PETSPEC_API_KEY: KEY };
  const child = spawn(process.execPath, [bin, 'run', base, ...options], {
    cwd: folder,
    env,
    stdio: 'ignore',
  });
  processes.push(child);
  await once(child, 'exit');
  return JSON.parse(readFileSync(join(folder, 'reports', 'report.json'), 'utf8')) as Report;
}

/** @throws Error where the text to change is not there exactly once */
function plant({ id, file, from, to }: PlantedFault, folder: string): void {
  const path = join(folder, file);
  const parts = readFileSync(path, 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${id}: ${file} has its text ${parts.length - 1} times`);
  writeFileSync(path, parts.join(to));
}

/** Starts a Redis of its own, which listens on a socket in the folder. @returns its URL */
async function redis(store: Store, folder: string, processes: ChildProcess[]): Promise<string> {
  const socket = join(folder, 'redis.sock');
  const options = ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', folder];
  const child = await spawned(store, 'redis-server', options, folder, processes);
  for await (const line of linesOf(child)) if (/ready to accept connections/i.test(line)) break;
  if (!existsSync(socket)) throw new Error('redis-server does not start');
  return `unix://${socket}`;
}

/** Starts a store. @returns its two addresses */
async function started(
  store: Store,
  program: string,
  args: readonly string[],
  folder: string,
  processes: ChildProcess[],
): Promise<{ base: string; messages: string }> {
  const child = await spawned(store, program, args, folder, processes);
  let base: string | undefined;
  for await (const line of linesOf(child)) {
    const [, name, address = ''] = /^(base|message) address: (.*)$/.exec(line) ?? [];
    if (name === 'base') base = address;
    if (name === 'message' && base !== undefined) return { base, messages: address };
  }
  throw new Error(`${store.name} does not start; it needs the Debian packages ${store.packages.join(', ')}`);
}

/** @throws Error that names the packages where the program is missing */
async function spawned(
  { name, packages }: Store,
  program: string,
  args: readonly string[],
  cwd: string,
  processes: ChildProcess[],
): Promise<ChildProcess> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await once(child, 'spawn');
  } catch {
    throw new Error(`${name} needs ${program}: apt-get install ${packages.join(' ')}`);
  }
  processes.push(child);
  return child;
}

/** The lines that a process prints. What comes after the last line that is read is thrown away. */
function linesOf({ stdout }: ChildProcess): AsyncIterable<string> {
  if (!stdout) return createInterface({ input: process.stdin });
  const lines = createInterface({ input: stdout });
  lines.on('close', () => stdout.resume());
  return lines;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
