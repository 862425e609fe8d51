import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { run } from '../../src/index.ts';

/** Listens with the shortest queue there is, says where, and never accepts a connection. */
const DEAF = `
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, server.address().port + '\\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** Makes connections until one is not made: the queue is full then. */
async function fill(port: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let isMade = true; isMade; ) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
    isMade = await Promise.race([once(socket, 'connect').then(() => true), pause(500, false)]);
  }
  return sockets;
}

test('a service whose queue of connections is full cannot be reached: that is held against nobody', async () => {
  const child = spawn(process.execPath, ['-e', DEAF], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  const sockets = await fill(port);
  try {
    const report = await run({
      baseUrl: `http://127.0.0.1:${port}/v1`,
      apiKey: 'a-key-for-nothing',
      timeout: 300,
    });
    expect(report).toMatchObject({ verdict: 'incomplete', summary: { violated: 0 } });
    expect(report.because).toContain('no connection could be made within 300 ms');
  } finally {
    for (const socket of sockets) socket.destroy();
    child.kill('SIGKILL');
  }
});
