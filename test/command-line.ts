import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

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

/** @param key what PETSPEC_API_KEY holds */
export function compileCommandLine(key: string): CommandLine {
  // Below node_modules: inside the package, so that it finds its files, and nobody else's.
  const build = join(ROOT, 'node_modules', '.cache', `petspec-command-line-${process.pid}-${Date.now()}`);
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  try {
    const options = ['-p', 'tsconfig.build.json', '--outDir', build, '--declaration', 'false'];
    execFileSync(process.execPath, [tsc, ...options], { cwd: ROOT, stdio: 'ignore' });
  } catch {
    // Types are checked elsewhere; what is compiled is there all the same.
  }
  const bin = join(build, 'bin', 'petspec.js');
  mkdirSync(join(build, 'bin'));
  writeFileSync(
    bin,
    readFileSync(join(ROOT, 'bin', 'petspec.js'), 'utf8').replace('../dist/src/', '../src/'),
  );
  const folder = mkdtempSync(join(tmpdir(), 'petspec-command-line-'));
  chmodSync(folder, 0o777);
  const startProgram = (
    program: string,
    options: readonly string[],
    { cwd = folder, env, ...user }: User = {},
  ) =>
    watch(
      spawn(program, options, {
        cwd,
        env: { PATH: process.env.PATH, PETSPEC_API_KEY: key, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...user,
      }),
    );
  const start = (options: readonly string[], user?: User) =>
    startProgram(process.execPath, [bin, ...options], user);
  return {
    folder,
    bin,
    start,
    startProgram,
    petspec: (...options) => start(options).ended,
    remove() {
      for (const path of [build, folder]) rmSync(path, { recursive: true, force: true });
    },
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
