import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { addressOf, ended, startServer } from './processes.ts';

/** A server of others, from the npm registry or Debian. */
export interface RealServer {
  /** Its package, with the version; none of Debian's, which is there. */
  name?: string;
  /** The packages that it needs beside that one. */
  others?: readonly string[];
  /** What starts it on 127.0.0.1 in the folder where it is installed. It prints its address. */
  start: readonly [command: string, ...args: string[]];
  /** The last argument of `start` is its file. */
  program?: string;
  /** Where it serves its OpenAPI document. */
  documentAt?: string;
  apiKey?: string;
}

/** An empty folder for one test. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-real-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }), 180_000);
  return folder;
}

/** Installs packages from the npm registry in a folder of their own, for one test. */
export function installed(...names: readonly string[]): string {
  const folder = ownFolder();
  install(folder, names);
  return folder;
}

/** Installs packages from the npm registry. */
export function install(folder: string, names: readonly string[]): void {
  const options = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...names];
  const { status, stderr } = spawnSync('npm', options);
  expect(status, String(stderr)).toBe(0);
}

/** Installs and starts a server for one test: its address, and the file of its document. */
export async function started({ name, others = [], start, program, documentAt }: RealServer) {
  const folder = name === undefined ? ownFolder() : installed(name, ...others);
  if (program !== undefined) writeFileSync(join(folder, start.at(-1) ?? ''), program);
  const { baseUrl } = await startedIn(folder, start);
  const file = join(folder, 'openapi.json');
  if (documentAt !== undefined) writeFileSync(file, await (await fetch(`${baseUrl}${documentAt}`)).text());
  return { baseUrl, document: file };
}

/** Starts a server for one test in the folder where it is installed: its address, and its process. */
export async function startedIn(cwd: string, command: RealServer['start']) {
  const server = startServer(cwd, command);
  onTestFinished(() => ended(server));
  return { server, baseUrl: await addressOf(server) };
}
