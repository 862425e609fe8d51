import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { realClock } from '../../model/clock.ts';
import { Transport } from './transport.ts';

/** What a server receives of a request with this body, byte by byte in latin-1. */
async function sentInChunks(body: string): Promise<string> {
  let received = '';
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      if (received.endsWith('0\r\n\r\n')) socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const transport = new Transport({ clock: realClock, timeout: 5_000 });
  try {
    const { response } = await transport.send({
      method: 'POST',
      url: new URL(`http://127.0.0.1:${port}/v1/pets`),
      headers: [['Transfer-Encoding', 'chunked']],
      body,
    });
    expect(response?.status).toBe(204);
    return received;
  } finally {
    await transport.close();
    server.close();
  }
}

test('a body is sent in two chunks, without a length, and cut within a character', async () => {
  const received = await sentInChunks('aéb');
  expect(received.toLowerCase()).not.toContain('content-length');
  expect(received.match(/transfer-encoding: chunked/gi)).toHaveLength(1);
  expect(received.endsWith('\r\n\r\n2\r\na\xc3\r\n2\r\n\xa9b\r\n0\r\n\r\n')).toBe(true);
});

test('a body without such a character is cut in the middle', async () => {
  expect(await sentInChunks('abcd')).toMatch(/\r\n\r\n2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n$/);
});
