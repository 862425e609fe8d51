import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type ListenPlace, listen, MAX_CONNECTIONS } from '../../src/proxy/http/listen.ts';

/** A server that answers `passed`, and its port. */
async function listening(place: Partial<ListenPlace> = {}): Promise<number> {
  const { origin, close } = await listen((_, response) => response.end('passed'), {
    host: '127.0.0.1',
    port: 0,
    ...place,
  });
  onTestFinished(() => close());
  return Number(new URL(origin).port);
}

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes, and reads until the server ends the connection. */
async function answerTo(port: number, bytes: string): Promise<string> {
  const socket = await opened(port);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

const get = (host?: string) =>
  `GET /pets HTTP/1.1\r\n${host === undefined ? '' : `Host: ${host}\r\n`}Connection: close\r\n\r\n`;

test('unfinished heads take up no more than stated, and further connections are refused', async () => {
  const port = await listening();
  const heads = await Promise.all(Array.from({ length: MAX_CONNECTIONS }, () => opened(port)));
  const before = process.memoryUsage().rss;
  for (const head of heads) head.write(`GET / HTTP/1.1\r\nHost: a\r\nA: ${'x'.repeat(60_000)}`);
  expect(await answerTo(port, get('127.0.0.1'))).toMatch(/^HTTP\/1\.1 503 /);
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(150);
});

test('connections that are closed make room for others', async () => {
  const port = await listening();
  for (let count = 0; count <= MAX_CONNECTIONS; count += 1)
    expect(await answerTo(port, get('127.0.0.1'))).toContain('passed');
});

test('no more requests are open at the same time than connections, also on one connection', async () => {
  const { origin, close } = await listen(() => {}, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => close());
  const port = Number(new URL(origin).port);
  const slow = await Promise.all(Array.from({ length: 8 }, () => opened(port)));
  for (const socket of slow) socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(MAX_CONNECTIONS / 8));
  expect(await answerTo(port, get('127.0.0.1'))).toContain('more than 512 requests');
});

test.each([
  ['bytes', `A: ${'x'.repeat(250_000)}`],
  ['lines', 'a: b\r\n'.repeat(1_001)],
])('a head of too many %s is refused', async (_, lines) => {
  const port = await listening();
  const request = `GET / HTTP/1.1\r\nHost: a\r\n${lines}\r\n\r\n`;
  expect(await answerTo(port, request)).toMatch(/^HTTP\/1\.1 431 /);
});

test.each([
  'evil.example',
  'evil.example:80',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  '',
  undefined,
])('a request for %s is refused where Hosts are checked', async (host) => {
  const answer = await answerTo(await listening({ names: ['api.example'] }), get(host));
  expect(answer).toMatch(host === undefined ? /^HTTP\/1\.1 4(?:00|21) / : /^HTTP\/1\.1 421 /);
  expect(answer).not.toContain('passed');
});

test.each([
  '127.0.0.1',
  '192.0.2.7:8090',
  '[::1]:8090',
  'localhost',
  'LOCALHOST:1',
  'api.example',
  'API.example:99',
])('a request for %s is passed on', async (host) => {
  expect(await answerTo(await listening({ names: ['api.example'] }), get(host))).toContain('passed');
});

test('where Hosts are not checked, any may lead here', async () => {
  expect(await answerTo(await listening(), get('evil.example'))).toContain('passed');
});
