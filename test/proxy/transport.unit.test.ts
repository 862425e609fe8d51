import { createHash, randomBytes } from 'node:crypto';
import { once as happened } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { admit, bodyBytesIn, bytesIn, type Passed, Room } from '../../src/proxy/http/passed.ts';
import { makeAuthority } from '../certificates/certificates.ts';
import { exchangeBytes, rawTarget, tryProxy } from './raw.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Respond = Parameters<typeof rawTarget>[0];

async function inFront(respond: Respond) {
  const target = await rawTarget(respond);
  const proxy = await tryProxy(target.origin);
  closing.push(target.close, proxy.close);
  return { target, proxy };
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const isHead = (text: string) => text.includes('\r\n\r\n');
const once =
  (bytes: string): Respond =>
  (received, socket) =>
    isHead(received) && socket.write(bytes, 'latin1');
const linesOf = (message: string) => message.split('\r\n\r\n')[0]?.split('\r\n') ?? [];

test('end-to-end lines of a request keep order, case and repetitions; those of the connection stay behind', async () => {
  const { target, proxy } = await inFront(once(OK));
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
    once(
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

test.each([
  ['HEAD', '200 OK'],
  ['GET', '304 Not Modified'],
])(
  'a response without a body, to %s, and the next one over the same connection: %s',
  async (method, status) => {
    const { proxy } = await inFront((received, socket) => {
      if (received.endsWith('\r\n\r\n'))
        socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 1234\r\nETag: "a"\r\n\r\n`);
    });
    const ask = `${method} / HTTP/1.1\r\n`;
    const received = await exchangeBytes(proxy.port, `${ask}\r\n${ask}Connection: close\r\n\r\n`);
    const [first, second, ...rest] = received.split('\r\n\r\n');
    for (const head of [first, second])
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\r\nContent-Length: 1234\r\nETag: "a"\r\n`));
    expect(rest).toEqual(['']);
    expect(proxy.passed.map(({ responseBody }) => responseBody)).toEqual(
      Array(2).fill({ bytes: '', size: 0 }),
    );
    expect(proxy.unanswered).toEqual([]);
  },
);

test('204 has neither a length nor chunks', async () => {
  const { proxy } = await inFront(once('HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n'));
  const received = await exchangeBytes(proxy.port, 'DELETE / HTTP/1.1\r\n\r\n', isHead);
  expect(received).not.toMatch(/content-length|transfer-encoding/i);
});

test('trailers of a response pass; a client that expects 100 Continue gets it', async () => {
  const { target, proxy } = await inFront((received, socket) => {
    if (received.endsWith('0\r\n\r\n') || received.endsWith('abc'))
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n');
  });
  const received = await exchangeBytes(
    proxy.port,
    'POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc',
    (text) => text.includes('X-Sum: 7\r\n\r\n'),
  );
  expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  expect(received).toContain('2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n');
  expect(target.received()).not.toMatch(/expect/i);
});

const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n';

test.each([
  ['a length', 'GET / HTTP/1.1', 'HTTP/1.1 200 Fine', 'Content-Length: 2\r\n\r\nok', 'ok'],
  ['a client that knows no chunks', 'GET / HTTP/1.0', 'HTTP/1.1 200 Fine', CHUNKED, 'ok'],
  ['HEAD', 'HEAD / HTTP/1.1', 'HTTP/1.1 200 Fine', 'Transfer-Encoding: chunked\r\n\r\n', ''],
  ['no change', 'GET / HTTP/1.1', 'HTTP/1.1 304 Same', '\r\n', ''],
  ['no content', 'GET / HTTP/1.1', 'HTTP/1.1 204 Gone', '\r\n', ''],
])(
  'a response that cannot have trailers passes without the header that announces them: %s',
  async (_what, ask, status, rest, body) => {
    const { proxy } = await inFront(once(`${status}\r\nX-A: 1\r\nTrailer: X-Sum\r\n${rest}`));
    const received = await exchangeBytes(proxy.port, `${ask}\r\nConnection: close\r\n\r\n`);
    expect(received).toMatch(new RegExp(`^${status}\\r\\nX-A: 1\\r\\n[\\s\\S]*\\r\\n\\r\\n${body}$`));
    expect(received).not.toMatch(/trailer/i);
    // It is judged as the target sent it.
    expect(proxy.passed).toMatchObject([
      { responseHeaders: expect.arrayContaining(['Trailer', 'X-Sum']), responseBody: { bytes: body } },
    ]);
  },
);

test('a response that has trailers announces them', async () => {
  const { proxy } = await inFront(once(`HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\n${CHUNKED}`));
  const received = await exchangeBytes(proxy.port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect(received).toMatch(
    /^HTTP\/1\.1 200 OK\r\nTrailer: X-Sum\r\n[\s\S]*\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n$/,
  );
});

test.each([
  ['at once', 'HTTP/1.1 100 Continue\r\n\r\n'],
  [
    'several times, beside others',
    'HTTP/1.1 100\r\nX: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Go\r\n\r\n',
  ],
])('a 100 Continue that nobody asked for ends at the proxy: %s', async (_when, interim) => {
  const { proxy } = await inFront((received, socket) => {
    if (received.endsWith('abc')) socket.write(interim, () => socket.write(OK));
  });
  // The later ones over a connection that was used before.
  for (let count = 1; count <= 3; count += 1) {
    const received = await exchangeBytes(
      proxy.port,
      'POST /v1/pets HTTP/1.1\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc',
    );
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nok$/);
    expect(proxy.passed).toHaveLength(count);
  }
  expect(proxy.passed[2]).toMatchObject({
    status: 200,
    requestBody: { bytes: 'abc' },
    responseBody: { bytes: 'ok' },
  });
  expect(proxy.unanswered).toEqual([]);
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
  closing.push(() => new Promise((resolve) => server.close(resolve)), proxy.close);
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
  await expect.poll(() => proxy.unanswered).toEqual(['client-left']);
});

test('a target that cannot be reached: 502 with one line, and nothing to judge', async () => {
  const target = await rawTarget(() => {});
  await target.close();
  const proxy = await tryProxy(target.origin);
  closing.push(proxy.close);
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
  await happened(target, 'listening');
  const { port } = target.address() as AddressInfo;
  const proxy = await tryProxy(`https://127.0.0.1:${port}`, new Room(), { insecure: true });
  closing.push(() => new Promise((resolve) => target.close(resolve)), proxy.close);
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
  ['bad HTTP', once('SMTP ready\r\n\r\n')],
  ['a header line that is not one', once('HTTP/1.1 200 OK\r\nno header\r\n\r\n')],
  ['a control character', once('HTTP/1.1 200 Fine\r\nX: a\x01b\r\nContent-Length: 0\r\n\r\n')],
  ['a reset before the response', (_received, socket) => socket.resetAndDestroy()],
  ['another protocol', once('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')],
  [
    'an unknown transfer coding',
    once('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'),
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
  const { target, proxy } = await inFront(once(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(300_000)}\r\n\r\n`));
  const received = await exchangeBytes(proxy.port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect(received).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
  expect(received).toContain(
    `petspec proxy: no response from ${target.origin}: the head of the response is larger than 256 KiB or has more than 20000 lines\n`,
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

test('bad requests of clients do not reach the target, and the proxy goes on', async () => {
  const { target, proxy } = await inFront(once(OK));
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
  const { proxy } = await inFront(once('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno'));
  const received = await exchangeBytes(
    proxy.port,
    'POST /v1/pets HTTP/1.1\r\nContent-Length: 100\r\n\r\n{"name":',
  );
  expect(received).toMatch(/^HTTP\/1\.1 413 Too Large\r\n[\s\S]*no$/);
  expect(proxy.passed).toMatchObject([{ status: 413 }]);
  expect(proxy.passed[0]?.requestBody).not.toHaveProperty('bytes');
});

test('bodies share their room: what does not fit is passed on, and not judged', async () => {
  const target = await rawTarget(once(`HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n${'x'.repeat(60)}`));
  const room = new Room(100);
  const proxy = await tryProxy(target.origin, room);
  closing.push(target.close, proxy.close);
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
  const room = new Room(bytesIn(passed));
  // The body took up room as it passed.
  room.take(60);
  expect(admit(passed, room)).toBe(true);
  expect(room.take(1)).toBe(false);
  room.release(bytesIn(passed));
  room.take(100);
  expect(admit(passed, room)).toBe(false);
  expect(room.take(bytesIn(passed) - 40)).toBe(true);
});
