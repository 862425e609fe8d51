import { createHash, randomBytes } from 'node:crypto';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  admit,
  BodyCopy,
  bodyBytesIn,
  bytesIn,
  type Passed,
  SharedMemory,
} from '../../src/proxy/http/passed.ts';
import { exchangeBytes, inFront, OK, rawTarget, responding, tryProxy } from './raw.ts';

const linesOf = (message: string) => message.split('\r\n\r\n')[0]?.split('\r\n') ?? [];

test('end-to-end lines of a request keep order, case and repetitions; those of the connection stay behind', async () => {
  const { target, proxy } = await inFront(responding(OK));
  await exchangeBytes(
    proxy.port,
    [
      'GET /v1/pets?b=2&a=%41 HTTP/1.1',
      'X-Zebra: 1',
      'host: the-proxy',
      'ACCEPT: text/plain',
      'x-apple: \xe9 b',
      'X-Zebra: 2',
      'Connection: keep-alive, X-Mine',
      'X-Mine: secret',
      'Keep-Alive: timeout=5',
      'TE: trailers',
      'Upgrade: websocket',
      'Proxy-Connection: close',
      'Proxy-Authorization: Basic eA==',
      'Cookie: a=1',
      'Cookie: b=2',
      '',
      '',
    ].join('\r\n'),
    (text) => text.endsWith('ok'),
  );
  const [first, ...rest] = linesOf(target.received());
  expect(first).toBe('GET /v1/pets?b=2&a=%41 HTTP/1.1');
  expect(rest.filter((line) => !/^(?:host|connection):/.test(line))).toEqual([
    'X-Zebra: 1',
    'ACCEPT: text/plain',
    'x-apple: \xe9 b',
    'X-Zebra: 2',
    'Proxy-Authorization: Basic eA==',
    'Cookie: a=1',
    'Cookie: b=2',
  ]);
  expect(rest).toContain(`host: ${new URL(target.origin).host}`);
});

test('end-to-end lines of a response keep order, case and repetitions', async () => {
  const own = ['x-ratelimit-LIMIT: 60', 'Set-Cookie: a=1', 'Date: yesterday', 'SET-COOKIE: b=2', 'X-\xdc: x'];
  const lines = own.filter((line) => !line.includes('\xdc')).concat('X-Latin: \xe4');
  const { proxy } = await inFront(
    responding(
      `HTTP/1.1 299 Quite Fine\r\n${lines.join('\r\n')}\r\nConnection: X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=99\r\nContent-Length: 2\r\n\r\nok`,
    ),
  );
  const received = await exchangeBytes(proxy.port, 'GET / HTTP/1.1\r\n\r\n', (text) => text.endsWith('ok'));
  const [status, ...rest] = linesOf(received);
  expect(status).toBe('HTTP/1.1 299 Quite Fine');
  expect(rest.filter((line) => !/^(?:connection|keep-alive: timeout=5)/i.test(line))).toEqual([
    ...lines,
    'Content-Length: 2',
  ]);
  expect(proxy.passed).toMatchObject([{ status: 299, responseBody: { bytes: 'ok' } }]);
});

test('large bodies pass unchanged in both directions, in chunks and with a length', async () => {
  const seen: string[] = [];
  const answer = randomBytes(6 * 1024 * 1024);
  const server = createServer(async (incoming, response) => {
    const digest = createHash('sha256');
    for await (const chunk of incoming) digest.update(chunk);
    seen.push(digest.digest('hex'), String(incoming.headers['content-length']));
    response.write(answer.subarray(0, 1_000_000));
    response.end(answer.subarray(1_000_000));
  });
  const { port } = await new Promise<{ port: number }>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(server.address() as { port: number })),
  );
  const proxy = await tryProxy(`http://127.0.0.1:${port}`);
  onTestFinished(async () => {
    await proxy.close();
    server.close();
  });
  const body = randomBytes(5 * 1024 * 1024);
  for (const headers of [{ 'content-length': body.length }, { 'transfer-encoding': 'chunked' }]) {
    const received = await new Promise<Buffer>((resolve, reject) => {
      const asked = request({ port: proxy.port, method: 'POST', headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks)));
      });
      asked.on('error', reject).end(body);
    });
    expect(received.equals(answer)).toBe(true);
  }
  const digest = createHash('sha256').update(body).digest('hex');
  expect(seen).toEqual([digest, String(body.length), digest, 'undefined']);
  // Larger than what is judged: neither copy was kept.
  expect(proxy.passed.map(({ requestBody, responseBody }) => [requestBody, responseBody])).toEqual(
    [0, 1].map(() => [{ size: body.length }, { size: answer.length }]),
  );
});

test('a response without an end arrives as it is sent, and a slow client slows the target down', async () => {
  const chunk = 'x'.repeat(64 * 1024);
  let written = 0;
  const { proxy } = await inFront((_received, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n');
    const more = () => {
      while (socket.write(chunk)) written += chunk.length;
      written += chunk.length;
    };
    socket.on('drain', more);
    socket.on('close', () => socket.off('drain', more));
    setTimeout(more, 50);
  });
  const client = connect(proxy.port, '127.0.0.1');
  const first = new Promise<string>((resolve) =>
    client.once('data', (data) => {
      client.pause();
      resolve(data.toString());
    }),
  );
  client.write('GET /events HTTP/1.1\r\n\r\n');
  expect(await first).toContain('text/event-stream');
  // What is written stops growing: the buffers on the way are full.
  let before = -1;
  await expect
    .poll(
      () => {
        const isSteady = written > 0 && written === before;
        before = written;
        return isSteady;
      },
      { interval: 150, timeout: 5_000 },
    )
    .toBe(true);
  expect(written).toBeLessThan(64 * 1024 * 1024);
  client.destroy();
  // Its whole lines are judged.
  await expect
    .poll(() => proxy.passed)
    .toMatchObject([{ status: 200, responseBody: { bytes: 'data: 1\n\n' } }]);
  expect(proxy.unanswered).toEqual([]);
});

test('bad requests of clients do not reach the target, and the proxy goes on', async () => {
  const { target, proxy } = await inFront(responding(OK));
  expect(await exchangeBytes(proxy.port, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  expect(await exchangeBytes(proxy.port, 'CONNECT a.example:443 HTTP/1.1\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 501 /,
  );
  expect(await exchangeBytes(proxy.port, 'OPTIONS * HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 501 [\s\S]*a request for '\*' is not passed on/,
  );
  expect(target.received()).toBe('');
  const whole = 'GET http://other.example/v1/pets HTTP/1.1\r\nConnection: close\r\n\r\n';
  expect(await exchangeBytes(proxy.port, whole)).toMatch(/ok$/);
  expect(target.received()).toMatch(/^GET \/v1\/pets HTTP\/1\.1\r\n/);
});

test('a response before the whole request passes, and the half request is not judged', async () => {
  const { proxy } = await inFront(responding('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno'));
  const received = await exchangeBytes(
    proxy.port,
    'POST /v1/pets HTTP/1.1\r\nContent-Length: 100\r\n\r\n{"name":',
  );
  expect(received).toMatch(/^HTTP\/1\.1 413 Too Large\r\n[\s\S]*no$/);
  expect(proxy.passed).toMatchObject([{ status: 413 }]);
  expect(proxy.passed[0]?.requestBody).not.toHaveProperty('bytes');
});

test('bodies share their room: what does not fit is passed on, and not judged', async () => {
  const target = await rawTarget(
    responding(`HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n${'x'.repeat(60)}`),
  );
  const room = new SharedMemory(100);
  const proxy = await tryProxy(target.origin, room);
  onTestFinished(async () => {
    await proxy.close();
    await target.close();
  });
  const ask = () => exchangeBytes(proxy.port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
  const kept = () => proxy.passed.at(-1)?.responseBody.bytes?.length;
  expect(await ask()).toMatch(/x{60}$/);
  expect(kept()).toBe(60);
  expect(await ask()).toMatch(/x{60}$/);
  expect(kept()).toBeUndefined();
  for (const each of proxy.passed) room.release(bodyBytesIn(each));
  expect(await ask()).toMatch(/x{60}$/);
  expect(kept()).toBe(60);
});

test('the URL and the headers of an exchange take up room until it is judged', () => {
  const passed: Passed = {
    ...{ method: 'GET', url: 'http://a.example/', sentAt: 1, receivedAt: 2, status: 200 },
    requestHeaders: ['X-Long', 'x'.repeat(50)],
    requestBody: { bytes: '', size: 0 },
    responseHeaders: ['X-Long', 'x'.repeat(50)],
    responseBody: { bytes: 'x'.repeat(60), size: 60 },
  };
  expect(bytesIn(passed)).toBe(17 + 2 * 56 + 60);
  const room = new SharedMemory(bytesIn(passed));
  // The body took up room as it passed.
  room.take(60);
  expect(admit(passed, room)).toBe(true);
  expect(room.take(1)).toBe(false);
  room.release(bytesIn(passed));
  room.take(100);
  expect(admit(passed, room)).toBe(false);
  expect(room.take(bytesIn(passed) - 40)).toBe(true);
});

test('of a stream that is cut, only the whole lines take up room', () => {
  const room = new SharedMemory(10);
  const body = new BodyCopy(room);
  let isFull = false;
  body.keepBeginning(8, () => {
    isFull = true;
  });
  body.add(Buffer.from('a\nb\nc'));
  body.add(Buffer.from('d\ne'));
  body.add(Buffer.from('more'));
  expect(isFull).toBe(true);
  expect(body.takeLines()).toEqual({ bytes: 'a\nb\ncd\n', size: 12 });
  expect(room.take(3)).toBe(true);
  expect(room.take(1)).toBe(false);
});
