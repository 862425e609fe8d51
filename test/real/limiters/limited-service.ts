import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { ended } from '../processes.ts';
import { installed, ownFolder } from '../servers.ts';
import { FILES } from './programs.ts';
import type { RealLimiter } from './table.ts';

/** Why a limiter cannot be started on this machine; undefined if it can. */
export function missingFor({ debian }: RealLimiter): string | undefined {
  if (!debian) return undefined;
  const [program, packages] = debian;
  const isThere = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  return isThere ? undefined : `${program} is not installed: apt-get install ${packages}`;
}

/** Starts a limiter with the service behind it for one test: its address, and the file of the service's document. */
export async function limitedService({ packages, files, start }: RealLimiter) {
  const folder = packages ? installed(...packages) : ownFolder();
  // Varnish reads its files as another user.
  chmodSync(folder, 0o755);
  const places = { port: await freePort(), backend: await freePort(), folder };
  const filled = (text: string) =>
    text.replace(/\{(port|backend|folder)\}/g, (_, name: keyof typeof places) => String(places[name]));
  for (const [name, text] of Object.entries({ ...FILES, ...files }))
    writeFileSync(join(folder, name), filled(text));
  const printed: string[] = [];
  for (const [command, ...args] of start) {
    const server = spawn(command, args.map(filled), { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    onTestFinished(() => ended(server));
    server.on('error', (error) => printed.push(error.message));
    server.stderr.on('data', (text) => printed.push(String(text)));
  }
  const baseUrl = `http://127.0.0.1:${places.port}`;
  await vi
    .waitFor(() => connects(places.port), { timeout: 30_000, interval: 100 })
    .catch(() => {
      throw new Error(`it does not listen: ${printed.join('')}`);
    });
  return { baseUrl, document: join(folder, 'openapi.yaml') };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** A connection alone takes nothing from a limit of requests. */
function connects(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', reject);
  });
}
