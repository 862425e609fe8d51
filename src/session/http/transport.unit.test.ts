import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { realClock } from '../../model/clock.ts';
import { Transport } from './transport.ts';

test('a request that needs a fresh connection is sent at once: nothing else comes in between', async () => {
  let now = 0;
  const server = createServer((socket) => {
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const transport = new Transport({ clock: { ...realClock, now: () => now }, timeout: 5_000 });
  const request = { method: 'POST', url: new URL(`http://127.0.0.1:${port}/v1/pets`), headers: [] };
  try {
    await transport.send(request);
    const second = transport.send(request);
    now = 1_000;
    const { sentAt, receivedAt, response } = await second;
    expect([sentAt, receivedAt, response?.status]).toEqual([0, 1_000, 200]);
  } finally {
    await transport.close();
    server.close();
  }
});
