import { type ChildProcess, spawn } from 'node:child_process';

/** Starts a server of others, which prints its address. */
export function startServer(cwd: string, [command, ...args]: readonly [string, ...string[]]): ChildProcess {
  return spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Ends a server. */
export function ended(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve();
    server.on('exit', () => resolve());
    server.kill();
  });
}

/** The address that a server prints when it listens. */
export function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    server.on('error', reject);
    server.on('exit', () => reject(new Error(`it ended: ${printed}`)));
    server.stdout?.on('data', (text) => {
      printed += String(text);
      const address = /https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):(\d+)/.exec(printed);
      const port = address?.[1] ?? /^port: +(\d+)$/m.exec(printed)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    });
  });
}
