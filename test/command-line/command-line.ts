import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export interface Ended {
  status: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

/** The real command line, compiled for a test file, and a folder that it is run in. */
export interface CommandLine {
  folder: string;
  /** The executable. */
  bin: string;
  /** The environment variables of its processes. */
  variables: NodeJS.ProcessEnv;
  start(options: readonly string[], user?: User): Started;
  startProgram(program: string, options: readonly string[], user?: User): Started;
  /** Runs it to its end. */
  petspec(...options: string[]): Promise<Ended>;
  remove(): void;
}

export interface Started {
  child: ReturnType<typeof spawn>;
  ended: Promise<Ended>;
}

/** As whom and where a program runs, if not in the folder of the command line; variables besides those that it has there. */
type User = { uid?: number; gid?: number; env?: NodeJS.ProcessEnv; cwd?: string };

/** A user whom permissions keep from writing, also where tests run as the superuser. */
export const NOBODY: User = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** ms after which what was compiled of other sources is taken away. */
const HOUR = 3_600_000;

/** Compiles petspec, once for all test files. @returns the folder, which nobody takes away while it may be in use */
export function compiled(): string {
  // Below node_modules: inside the package, so that it finds its files, and nobody else's.
  const cache = join(ROOT, 'node_modules', '.cache', 'petspec-command-line');
  const build = join(cache, digestOfSources());
  if (existsSync(build)) return build;
  mkdirSync(cache, { recursive: true });
  for (const each of readdirSync(cache).map((name) => join(cache, name)))
    if ((statSync(each, { throwIfNoEntry: false })?.mtimeMs ?? 0) < Date.now() - HOUR)
      rmSync(each, { recursive: true, force: true });
  const making = mkdtempSync(`${build}-`);
  chmodSync(making, 0o755);
  const rolldown = join(ROOT, 'node_modules', 'rolldown', 'bin', 'cli.mjs');
  const options = ['-c', 'scripts/bundle/code.js', '-d', making, '--logLevel', 'warn'];
  execFileSync(process.execPath, [rolldown, ...options], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  mkdirSync(join(making, 'bin'));
  writeFileSync(
    join(making, 'bin', 'petspec.js'),
    readFileSync(join(ROOT, 'bin', 'petspec.js'), 'utf8').replace('../dist/package/', '../'),
  );
  try {
    renameSync(making, build);
  } catch {
    // Another test file was sooner.
    rmSync(making, { recursive: true, force: true });
  }
  return build;
}

function digestOfSources(): string {
  const digest = createHash('sha256');
  for (const folder of ['bin', 'src', 'suites', 'scripts/bundle'])
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (/\.[jt]s$/.test(name)) digest.update(name).update(readFileSync(join(ROOT, folder, name)));
  return digest.digest('hex').slice(0, 16);
}

/** What takes less CPU in this process does so in one that runs for a second, too (`vitest.config.ts`). */
const FLAGS = process.execArgv.filter((flag) => /^--(?:interrupt-budget|max-inlined)/.test(flag));

/** @param key what PETSPEC_API_KEY holds */
export function compileCommandLine(key: string): CommandLine {
  const bin = join(compiled(), 'bin', 'petspec.js');
  const folder = mkdtempSync(join(tmpdir(), 'petspec-command-line-'));
  chmodSync(folder, 0o777);
  const variables = { PATH: process.env.PATH, PETSPEC_API_KEY: key };
  const startProgram = (
    program: string,
    options: readonly string[],
    { cwd = folder, env, ...user }: User = {},
  ) =>
    watch(
      spawn(program, options, {
        cwd,
        env: { ...variables, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...user,
      }),
    );
  const start = (options: readonly string[], user?: User) =>
    startProgram(process.execPath, [...FLAGS, bin, ...options], user);
  return {
    folder,
    bin,
    variables,
    start,
    startProgram,
    petspec: (...options) => start(options).ended,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function watch(child: ReturnType<typeof spawn>): Started {
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    err += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (status, signal) => resolve({ status, signal, out, err }));
  });
  return { child, ended };
}

/** A service that answers so many requests, each with an empty list, and leaves the next ones waiting for ever. */
export async function hangingService(
  answers: number,
): Promise<{ url: string; hangs: Promise<void>; close: () => void }> {
  let asked = 0;
  let isHanging = () => {};
  const hangs = new Promise<void>((resolve) => {
    isHanging = resolve;
  });
  const server: Server = createServer((request, response) => {
    request.resume();
    asked += 1;
    if (asked > answers) return isHanging();
    response.writeHead(200, {
      'content-type': 'application/json',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': String(60 - asked),
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 50),
    });
    response.end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, hangs, close };
}
