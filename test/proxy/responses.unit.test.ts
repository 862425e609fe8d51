import { expect, test } from 'vitest';
import { exchangeBytes, inFront, isHead, OK, responding } from './raw.ts';

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
  const { proxy } = await inFront(responding('HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n'));
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
    const { proxy } = await inFront(responding(`${status}\r\nX-A: 1\r\nTrailer: X-Sum\r\n${rest}`));
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
  const { proxy } = await inFront(responding(`HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\n${CHUNKED}`));
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
