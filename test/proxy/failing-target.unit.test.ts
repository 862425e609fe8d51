import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SharedMemory } from '../../src/proxy/http/passed.ts';
import { makeAuthority } from '../certificates/certificates.ts';
import { exchangeBytes, inFront, OK, type Respond, rawTarget, responding, tryProxy } from './raw.ts';

test('a target that cannot be reached: 502 with one line, and nothing to judge', async () => {
  const target = await rawTarget(() => {});
  await target.close();
  const proxy = await tryProxy(target.origin);
  onTestFinished(proxy.close);
  const received = await exchangeBytes(proxy.port, 'GET /v1/pets HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect(received).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
  expect(received).toContain(
    `petspec proxy: no response from ${target.origin}: the connection was refused: nothing listens there\n`,
  );
  expect(proxy).toMatchObject({ passed: [], unanswered: ['unreachable'] });
});

test('a target may take as long as it likes to connect', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-proxy-'));
  const { key, certificate } = makeAuthority(folder);
  rmSync(folder, { recursive: true });
  const secured = createSecureServer({ key, cert: certificate }, (_request, response) => response.end('ok'));
  // The connection is made, and its TLS only begins when the test says so.
  const target = createTcpServer();
  const connected = new Promise<Socket>((resolve) => target.once('connection', resolve));
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  const { port } = target.address() as AddressInfo;
  const proxy = await tryProxy(`https://127.0.0.1:${port}`, new SharedMemory(), { insecure: true });
  onTestFinished(async () => {
    await proxy.close();
    target.close();
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const received = exchangeBytes(proxy.port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
    const socket = await connected;
    await vi.advanceTimersByTimeAsync(3_600_000);
    secured.emit('connection', socket);
    expect(await received).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*ok/);
  } finally {
    vi.useRealTimers();
  }
  expect(proxy).toMatchObject({ passed: [{ status: 200 }], unanswered: [] });
});

test.each<[string, Respond]>([
  ['bad HTTP', responding('SMTP ready\r\n\r\n')],
  ['a header line that is not one', responding('HTTP/1.1 200 OK\r\nno header\r\n\r\n')],
  ['a control character', responding('HTTP/1.1 200 Fine\r\nX: a\x01b\r\nContent-Length: 0\r\n\r\n')],
  ['a reset before the response', (_received, socket) => socket.resetAndDestroy()],
  [
    'another protocol',
    responding('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  ],
  [
    'an unknown transfer coding',
    responding('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'),
  ],
  [
    'headers without an end',
    (_received, socket) => {
      const more = () => socket.destroyed || socket.write(`X-More: ${'y'.repeat(60_000)}\r\n`, () => more());
      socket.write('HTTP/1.1 200 OK\r\n', more);
    },
  ],
])('%s of a target is a 502, and the proxy goes on', async (_what, respond) => {
  let isFirst = true;
  const { proxy } = await inFront((received, socket) => {
    if (!isFirst) return void socket.write(OK);
    isFirst = false;
    respond(received, socket);
  });
  const ask = 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n';
  expect(await exchangeBytes(proxy.port, ask)).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
  expect(await exchangeBytes(proxy.port, ask)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*ok$/);
  expect(proxy.unanswered).toEqual(['broken-off']);
});

test('a head that is too large is a 502 that says so', async () => {
  const { target, proxy } = await inFront(responding(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(300_000)}\r\n\r\n`));
  const received = await exchangeBytes(proxy.port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect(received).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
  expect(received).toContain(
    `petspec proxy: no response from ${target.origin}: the head of the response is larger than 256 KiB or has more than 20,000 lines\n`,
  );
});

test('a response that breaks off breaks off for the client', async () => {
  const { proxy } = await inFront((_received, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf', () => socket.resetAndDestroy());
  });
  const received = await exchangeBytes(proxy.port, 'GET / HTTP/1.1\r\n\r\n');
  expect(received).toMatch(/\r\n\r\nhalf$|^$/);
  expect(proxy).toMatchObject({ passed: [], unanswered: ['broken-off'] });
});
