import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { realClock } from '../../model/clock.ts';
import { Transport } from './transport.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]';
const CLOSED = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\ncontent-length: 0\r\n\r\n';

/** A transport, and the URL of a server. @param respond gets each request, with its number on its connection */
async function transportTo(respond: (socket: Socket, count: number) => void) {
  const server = createServer((socket) => {
    let count = 0;
    socket.on('error', () => {});
    socket.on('data', () => {
      count += 1;
      respond(socket, count);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const transport = new Transport({ clock: realClock, timeout: 5_000 });
  onTestFinished(async () => {
    await transport.close();
    server.close();
  });
  return { transport, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/pets`) };
}

test('a connection that closes as idle with a 408 while a GET is on its way: the GET is sent again', async () => {
  const { transport, url } = await transportTo((socket, count) => {
    if (count === 1) socket.write(OK);
    else socket.end(CLOSED);
  });
  const get = { method: 'GET', url, headers: [] };
  expect((await transport.send(get)).response?.status).toBe(200);
  const again = await transport.send(get);
  expect([again.response?.status, again.isRepeated]).toEqual([200, true]);
  const kept = await transport.send(get, () => false);
  expect([kept.response, kept.failure?.kind]).toEqual([undefined, 'interrupted']);
});

test.each([
  ['on a fresh connection', 'GET', () => CLOSED],
  [
    'that keeps the connection open',
    'GET',
    (count: number) => (count === 1 ? OK : CLOSED.replace(/Conn.*\r\n/, '')),
  ],
  ['to a POST', 'POST', () => CLOSED],
])('a 408 %s is a response', async (_what, method, responseOf) => {
  const { transport, url } = await transportTo((socket, count) => socket.write(responseOf(count)));
  const first = await transport.send({ method, url, headers: [] });
  const last = first.response?.status === 200 ? await transport.send({ method, url, headers: [] }) : first;
  expect([last.response?.status, last.isRepeated]).toEqual([408, undefined]);
});

test.each([
  ['a 408 that closes the connection', CLOSED, undefined],
  ['a 408 that does not', CLOSED.replace('close', 'keep-alive'), 'surplus'],
  ['another response', OK, 'surplus'],
])('right after the response comes %s', async (_what, more, failure) => {
  const { transport, url } = await transportTo((socket) => socket.write(OK + more));
  const answer = await transport.send({ method: 'GET', url, headers: [] });
  expect(answer.failure?.kind).toBe(failure);
  expect(answer.response?.status).toBe(failure === undefined ? 200 : undefined);
});

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
