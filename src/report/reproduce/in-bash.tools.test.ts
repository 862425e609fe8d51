import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { inBash, KEY } from '../../../test/reproduce/in-bash.ts';
import { contract } from '../../../test/reproduce/scripts.ts';
import { bytesOf, rawByte } from '../../model/json/raw-bytes.ts';
import { placeOf, type RepeatedRequest, type Reproduction } from '../../model/report/reproduction.ts';
import { print } from './index.ts';

/** One request as the server got it. */
interface Got {
  method: string;
  url: string;
  header: string;
  key: string;
  body: Buffer;
}

let folder: string;
let server: Server;
let base: string;
let got: Got[] = [];
/** The port of the client, by which a connection is known. */
let connections: number[] = [];
/** Statuses of the next responses; after them 200. */
let statuses: number[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-in-bash-'));
  server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    connections.push(request.socket.remotePort ?? 0);
    const header = Buffer.from(String(headers['x-own'] ?? ''), 'latin1').toString();
    got.push({ method, url, header, key: String(headers.authorization), body: await buffer(request) });
    const status = statuses.shift() ?? 200;
    response.writeHead(status, { 'Retry-After': '0', ETag: '"v 1"', 'X-RateLimit-Remaining': '7' });
    response.end(`{"id":${40 + got.length}}`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  got = [];
  connections = [];
  statuses = [];
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function request(change: Partial<RepeatedRequest> = {}): RepeatedRequest {
  return {
    ...{ id: 1, probe: 'p', operation: 'createPet', address: 'baseUrl', stage: 'create', key: 'valid' },
    method: 'GET',
    url: `${base}/pets`,
    requestHeaders: [['authorization', 'Bearer $PETSPEC_API_KEY']],
    ...{ seconds: 1, isEncoded: false, ordinal: 1, values: new Map<string, string>() },
    ...change,
  };
}

/** What bash prints of a reproduction. It waits for nothing. */
async function printed(reproduction: Reproduction) {
  const { script } = print(reproduction, {}, { contract, settings: {} });
  const ended = await inBash(folder, `sleep() { echo "slept $1"; }\n${script}`);
  expect(ended.out + ended.err).not.toContain(KEY);
  return ended;
}

const AWKWARD: readonly [what: string, text: string][] = [
  ['single quotes', "it's 'quoted'"],
  ['double quotes', '"quoted"'],
  ['a backslash at the end', 'C:\\new\\'],
  ['blanks', '  two  blanks '],
  ['line breaks and tabs', 'one\ntwo\r\n\tthree\n'],
  ['letters of other scripts', 'Мурка 猫 🐈'],
  ['an exclamation mark', 'wow! !! !$'],
  ['expansions', `$HOME $\{PATH} $(id) $((1+1)) $1`],
  ['backticks', '`id`'],
  ['percent signs', '%s %d 100% %00'],
  ['an at sign and a file', '@/etc/passwd'],
  ['braces and brackets', '{a,b}[1-3]*?~'],
  ['other signs of a shell', '; & | < > ( ) #'],
  ['controls', '\u0001\u001b[31m\u007f'],
  ['an escaped NUL', '\\u0000'],
  ['bytes that are not UTF-8', `a${rawByte(0xff)}b${rawByte(0xc3)}`],
];

/** A request with a text in its address, a header and its body. */
function awkward(text: string): RepeatedRequest {
  return request({
    method: 'POST',
    url: `${base}/pets?q=${encodeURIComponent(text.replaceAll(/\p{Surrogate}|\p{Co}/gu, ''))}&plain='$x!\``,
    requestHeaders: [
      ['authorization', 'Bearer $PETSPEC_API_KEY'],
      ['content-type', 'application/json'],
      ['x-own', text.replaceAll(/\p{C}/gu, '').trim()],
    ],
    requestBody: text,
  });
}

/** What the server gets of it. */
function asSent(text: string): Got {
  const { method, url, requestHeaders } = awkward(text);
  const header = requestHeaders.at(-1)?.[1] ?? '';
  return {
    method,
    url: url.slice(base.length),
    header,
    key: `Bearer ${KEY}`,
    body: Buffer.from(bytesOf(text)),
  };
}

describe('awkward texts are sent as they are', () => {
  const texts = AWKWARD.map(([, text]) => text);

  test.each(AWKWARD)('one request: %s', async (_, text) => {
    await printed({ shape: 'one', request: awkward(text), own: [] });
    expect(got).toEqual([asSent(text)]);
  });

  test('requests in turn', async () => {
    await printed({ shape: 'in-turn', requests: texts.map(awkward), own: [] });
    expect(got).toEqual(texts.map(asSent));
  });

  test('until one is refused', async () => {
    statuses = [...texts.map(() => 200), 200, 429];
    const loop = { before: texts.map(awkward), repeated: [awkward(texts[0] ?? '')], times: 9 };
    await printed({ shape: 'until-refused', ...loop, usesUpLimit: true, own: [], shows: 'limits' });
    expect(got).toEqual([...texts, texts[0], texts[0]].map((text) => asSent(text ?? '')));
  });

  test('after the wait', async () => {
    statuses = texts.map(() => 200).with(-1, 429);
    const loop = { before: [], repeated: texts.map(awkward), times: 99 };
    await printed({ shape: 'after-wait', ...loop, usesUpLimit: true, own: [], isDate: false });
    expect(got).toEqual([...texts, ...texts.slice(-1)].map(asSent));
  });
});

test('a loop ends at the limit, and shows the number of each response with its figures', async () => {
  statuses = [200, 200, 429];
  const { out } = await printed({
    shape: 'until-refused',
    ...{ before: [], repeated: [request()], times: 9, usesUpLimit: true, own: [], shows: 'limits' },
  });
  expect(out.match(/^\d: .*/gm)).toEqual(
    ['1: HTTP/1.1 200 OK', '2: HTTP/1.1 200 OK', '3: HTTP/1.1 429 Too Many Requests'].map((start) =>
      expect.stringMatching(new RegExp(`^${start} .*Remaining: 7`)),
    ),
  );
  expect(out).toContain('{"id":43}');
});

test('without a refusal it ends after so many', async () => {
  await printed({
    shape: 'until-refused',
    ...{ before: [], repeated: [request(), request({ url: `${base}/pets?limit=2` })], times: 5 },
    ...{ usesUpLimit: false, own: [], shows: 'answers' },
  });
  expect(got.map(({ url }) => url)).toEqual(
    Array.from({ length: 3 }, () => ['/pets', '/pets?limit=2']).flat(),
  );
});

test('after a refusal it waits as long as Retry-After says, also by a date', async () => {
  const loop = { before: [], repeated: [request()], times: 9, usesUpLimit: true, own: [] };
  for (const isDate of [false, true]) {
    statuses = [429];
    const { out } = await printed({ shape: 'after-wait', ...loop, isDate });
    expect(out).toContain('waiting 0 s, then one more request\nslept 0\nslept 1\nHTTP/1.1 200 OK');
  }
  expect(got).toHaveLength(4);
});

test('a later request has what an earlier response shows', async () => {
  const { out } = await printed({
    shape: 'in-turn',
    requests: [
      request({
        method: 'POST',
        requestBody: `{"name":"Rex-${placeOf('unique')}"}`,
        gives: { name: 'id', field: 'id' },
      }),
      request({ url: `${base}/pets/${placeOf('id')}`, gives: { name: 'version', header: 'ETag' } }),
      request({
        method: 'PUT',
        requestHeaders: [['x-own', placeOf('version')]],
        requestBody: placeOf('unique'),
      }),
    ],
    own: [{ name: 'unique', as: 'digits' }],
  });
  const [added, fetched, replaced] = got;
  expect(fetched?.url).toBe('/pets/41');
  expect(replaced?.header).toBe('"v 1"');
  expect(replaced?.body.toString()).toMatch(/^\d{8}$/);
  expect(added?.body.toString()).toBe(`{"name":"Rex-${replaced?.body}"}`);
  expect(out.match(/^HTTP\/1\.1 200/gm)).toHaveLength(3);
});

test('requests go over one connection, as they did in the run, unless one needs a value of another', async () => {
  const requests = [request({ gives: { name: 'id', field: 'id' } }), request(), request(), request()];
  await printed({ shape: 'in-turn', requests, own: [] });
  const [first, second, ...others] = connections;
  expect(second).not.toBe(first);
  expect(others).toEqual([second, second]);
});

test('nothing is sent that needs a value which no response has', async () => {
  await printed({
    shape: 'in-turn',
    requests: [
      request({ gives: { name: 'id', field: 'absent' } }),
      request({ method: 'DELETE', url: `${base}/pets/${placeOf('id')}` }),
    ],
    own: [],
  });
  expect(got.map(({ method }) => method)).toEqual(['GET']);
});

test('a script that is run twice sends two values', async () => {
  const one: Reproduction = {
    shape: 'one',
    request: request({ method: 'POST', requestBody: placeOf('unique') }),
    own: [{ name: 'unique', as: 'digits' }],
  };
  const { script } = print(one, {}, { contract, settings: {} });
  expect(script).not.toContain('\n');
  for (const _ of [1, 2]) await printed(one);
  const [first, second] = got.map(({ body }) => body.toString());
  expect(first).toMatch(/^\d{8}$/);
  expect(second).not.toBe(first);
});
