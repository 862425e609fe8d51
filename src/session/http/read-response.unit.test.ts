import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Client } from 'undici';
import { afterEach, expect, test } from 'vitest';
import type { HeaderLine } from '../../model/exchange.ts';
import { RefusedResponse } from './failures.ts';
import { decode, type Head, type OnHead, readResponse } from './read-response.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A request to a service that sends these bytes, a packet each, and then ends the connection if there is an `end`. */
async function asking(packets: readonly string[], onHead: OnHead, end = false) {
  const server = createServer((socket) => {
    socket.once('data', () => {
      for (const packet of packets) socket.write(packet, 'latin1');
      if (end) socket.end();
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  ends.push(
    () => client.destroy(),
    () => server.close(),
  );
  return readResponse((handler) => client.dispatch({ path: '/', method: 'GET' }, handler), onHead);
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n';

test('a body is read to its end, in whichever pieces it arrives', async () => {
  const body = await asking([OK, '01234', '56789'], () => 10);
  expect(body.toString()).toBe('0123456789');
});

test('the head comes first, once, as it was sent: names in their case, values in any bytes, without blanks around', async () => {
  const heads: Head[] = [];
  const head = 'HTTP/1.1 201 \r\nX-One:  a\xe9 \t\r\nx-one: b\r\nContent-Length: 0\r\n\r\n';
  await asking(['HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n', head], (each) => heads.push(each));
  const headers = [
    ['X-One', 'a\xe9'],
    ['x-one', 'b'],
    ['Content-Length', '0'],
  ];
  expect(heads).toEqual([{ status: 201, headers }]);
});

test('a larger body is refused', async () => {
  const body = asking([OK, '0123456789'], () => 9);
  await expect(body).rejects.toMatchObject({ name: 'RefusedResponse', code: 'TOO_LARGE' });
});

test('what the head is refused for is what is thrown, and nothing is read', async () => {
  const wrong = new RefusedResponse('NO_HTTP', 'not like this');
  const body = asking([OK, '0123456789'], () => {
    throw wrong;
  });
  await expect(body).rejects.toBe(wrong);
});

test.each([
  ['before its head', ['HTTP/1.1 200']],
  ['within its body', [OK, '01234']],
])('a connection that ends %s is an error', async (_when, packets) => {
  await expect(asking(packets, () => 10, true)).rejects.toThrow('other side closed');
});

test('of an excerpt, what comes after its bytes is left', async () => {
  let cuts = 0;
  const onCut = () => {
    cuts += 1;
  };
  const body = await asking([OK, '01234', '56789'], () => ({ excerpt: 5, onCut }));
  expect(body.toString()).toBe('01234');
  expect(cuts).toBe(1);
  expect((await asking([OK, '0123456789'], () => ({ excerpt: 10, onCut }))).toString()).toBe('0123456789');
  expect(cuts).toBe(1);
});

test('an excerpt ends as soon as nobody waits for more', async () => {
  let isCut = false;
  const body = await asking([OK, '01234'], (_head, stop) => {
    setImmediate(stop);
    return {
      excerpt: 10,
      onCut: () => {
        isCut = true;
      },
    };
  });
  expect('01234').toContain(body.toString());
  expect(isCut).toBe(true);
});

const GZIP: HeaderLine[] = [['Content-Encoding', 'gzip']];

test.each(['gzip', 'br', 'deflate, gzip', 'zstd'])('a body without bytes is empty, also as %s', (coding) => {
  const headers: HeaderLine[] = [['Content-Encoding', coding]];
  expect(decode(204, headers, Buffer.alloc(0))).toEqual({ status: 204, headers, body: '' });
});

test('a body that is not UTF-8 says so, also in UTF-16', () => {
  for (const body of [Buffer.from('["\xff"]', 'latin1'), Buffer.from('\ufeff[]', 'utf16le')])
    expect(decode(200, [], body).undecodable).toContain('not UTF-8');
});

test('a compressed body that is cut, or not compressed at all, says what is wrong', () => {
  expect(decode(200, GZIP, gzipSync('[1,2,3]').subarray(0, 12)).undecodable).toContain('unexpected end');
  expect(decode(200, GZIP, Buffer.from('[]')).undecodable).toContain('incorrect header check');
});
