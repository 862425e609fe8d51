import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { KEY, NOON, running } from '../../../test/services/running-reference.ts';
import {
  chunked,
  closingAfter,
  cutShort,
  delayed,
  hanging,
  resetting,
  sendingRaw,
  withContentLength,
  withEarlyHints,
} from './changes.ts';

test.each([
  ['reset before the head', resetting({}, 'nothing'), 'ECONNRESET'],
  ['reset in the body', resetting({}, 'half'), 'ECONNRESET'],
  ['closed before the head', cutShort({}, 'nothing'), 'UND_ERR_SOCKET'],
  ['closed in the body', cutShort({}, 'half'), 'UND_ERR_SOCKET'],
  ['Content-Length too long', withContentLength({}, (length) => length + 1), 'UND_ERR_SOCKET'],
])('%s', (_name, change, code) =>
  running({ changes: [change] }, async ({ ask, log }) => {
    await expect(ask('/pets')).rejects.toMatchObject({ code });
    expect(log).toMatchObject([{ operation: 'listPets', status: 200 }]);
  }),
);

test('bytes that are not HTTP', () =>
  running({ changes: [sendingRaw({}, () => 'no HTTP\r\n\r\n')] }, async ({ ask }) => {
    await expect(ask('/pets')).rejects.toMatchObject({ name: 'HTTPParserError' });
  }));

test('a Content-Length that is too short truncates the body', () =>
  running({ changes: [withContentLength({}, (length) => length - 1)] }, async ({ ask }) => {
    const { text, headers } = await ask('/pets?limit=1');
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
    expect(text.at(-1)).toBe('}');
  }));

test.each(['nothing', 'half'] as const)(
  'an answer that hangs after %s is ended by a virtual timeout',
  (after) =>
    running({ changes: [hanging({ operation: 'getPet' }, after)] }, async ({ ask, clock, log }) => {
      const timeout = new AbortController();
      const waiting = clock.sleep(10_000).then(() => timeout.abort());
      await expect(ask('/pets/1001', { signal: timeout.signal })).rejects.toMatchObject({
        name: 'AbortError',
      });
      await waiting;
      expect(clock.now()).toBe(NOON + 10_000);
      expect(log.length).toBe(1);
      expect((await ask('/pets')).status).toBe(200);
    }),
);

test('a delayed answer only takes virtual time', () =>
  running({ changes: [delayed({ operation: 'listPets' }, 3_000)] }, async ({ ask, clock }) => {
    expect((await ask('/pets')).headers.date).toBe('Sat, 21 Nov 2026 12:00:03 GMT');
    expect((await ask('/store/orders')).status).toBe(200);
    expect(clock.now()).toBe(NOON + 3_000 + 2 * 5);
  }));

test('early hints, chunks: the same answer', () =>
  running({ changes: [withEarlyHints({}), chunked({ status: 200 })] }, async ({ ask }) => {
    const { status, headers, list } = await ask('/pets');
    expect([status, headers['transfer-encoding'], list.length]).toEqual([200, 'chunked', 20]);
    expect(headers).not.toHaveProperty('content-length');
    expect((await ask('/pets/1')).headers).toHaveProperty('content-length');
  }));

test('a client of HTTP/1.0 gets no chunks', () =>
  running({ changes: [chunked({})] }, async ({ baseUrl }) => {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /v1/pets HTTP/1.0\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);
    const response = await text(socket);
    expect(response).toMatch(/^Content-Length: \d+\r$/im);
    expect(response).not.toMatch(/^Transfer-Encoding:/im);
  }));

test('a connection that closes after each answer', () =>
  running({ changes: [closingAfter({})] }, async ({ ask, log }) => {
    for (let n = 0; n < 3; n++) {
      expect((await ask('/pets')).headers).not.toHaveProperty('connection', 'close');
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    }
    expect(log.map(({ connection }) => connection)).toEqual([1, 2, 3]);
  }));
