import { expect, test } from 'vitest';
import { judgeHar, violatedIn } from '../../test/recordings/recorded-run.ts';
import { loadContract } from '../contract/load.ts';

// What "Export HAR" of Chromium's developer tools writes, without sensitive data: no Authorization and no cookies.

const BASE = 'https://api.example.com/v1';
const NOON = Date.UTC(2026, 10, 23, 12);

interface Said {
  method?: string;
  path: string;
  status: number;
  sent?: object;
  /** The text of the response. */
  text?: string;
  more?: object;
  content?: object;
  type?: string;
}

const lines = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

function entry(
  { method = 'GET', path, status, sent, text = '', more, content, type = 'fetch' }: Said,
  index: number,
) {
  const at = NOON + index * 1_000;
  const body = sent && JSON.stringify(sent);
  return {
    _connectionId: '4711',
    _initiator: {
      type: 'script',
      stack: { callFrames: [{ functionName: 'load', url: 'https://shop.example.com/app.js' }] },
    },
    _priority: 'High',
    _resourceType: type,
    cache: {},
    connection: '443',
    pageref: 'page_1',
    request: {
      method,
      url: BASE + path,
      httpVersion: 'http/2.0',
      headers: lines({
        ':authority': 'api.example.com',
        ':method': method,
        ':path': `/v1${path}`,
        ':scheme': 'https',
        accept: 'application/json',
        'accept-encoding': 'gzip, deflate, br, zstd',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        origin: 'https://shop.example.com',
        'sec-fetch-mode': 'cors',
      }),
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: body === undefined ? 0 : body.length,
      ...(body === undefined ? {} : { postData: { mimeType: 'application/json', text: body } }),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'http/2.0',
      headers: lines({
        'content-encoding': 'br',
        'content-type': 'application/json',
        date: new Date(at).toUTCString(),
        ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': String(59 - index),
        'x-ratelimit-reset': String(NOON / 1_000 + 60),
      }),
      cookies: [],
      content: {
        size: Buffer.byteLength(text),
        mimeType: 'application/json',
        compression: 12,
        text,
        ...content,
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      _transferSize: 310,
      _error: null,
      _fetchedViaServiceWorker: false,
    },
    serverIPAddress: '192.0.2.1',
    startedDateTime: new Date(at).toISOString(),
    time: 23.41,
    timings: {
      blocked: 1.2,
      dns: -1,
      ssl: -1,
      connect: -1,
      send: 0.1,
      wait: 21,
      receive: 1.1,
      _blocked_queueing: 0.9,
    },
    ...more,
  };
}

const REX = { id: 1, name: 'Rex', categoryId: 7 };
const LIST = JSON.stringify([REX]);

function judged(...all: Said[]) {
  const log = {
    version: '1.2',
    creator: { name: 'WebInspector', version: '537.36' },
    pages: [],
    entries: all.map(entry),
  };
  return judgeHar(loadContract(), JSON.stringify({ log }));
}

test('an export without sensitive data: nobody knows the key, and the rest is judged', async () => {
  const { findings, files, keys } = await judged(
    { method: 'OPTIONS', path: '/pets', status: 204, type: 'preflight' },
    { path: '/pets?limit=5', status: 200, text: LIST },
    {
      method: 'POST',
      path: '/pets',
      sent: { name: 'Rex', categoryId: 7 },
      status: 201,
      text: JSON.stringify(REX),
    },
    { path: '/pets', status: 401, text: '{"code":"unauthorized","message":"no key","status":401}' },
  );
  expect(violatedIn(findings)).toEqual([]);
  expect(files).toMatchObject([{ entries: 4, judged: 3, omissions: { 'other-path': 1 } }]);
  expect(keys).toBe(0);
  expect(findings['listPets.limit']).toMatchObject({ status: 'met' });
  expect(findings['createPet.echo']).toMatchObject({ status: 'met' });
  expect(findings['authentication.key']).toMatchObject({ untested: 'no-traffic' });
});

test('a body in base64, one that the browser no longer had, a cached and an aborted entry', async () => {
  const wrong = Buffer.from(LIST.replace('"Rex"', '7')).toString('base64');
  const { findings, files } = await judged(
    { path: '/pets', status: 200, text: wrong, content: { encoding: 'base64', size: LIST.length - 4 } },
    { path: '/pets?status=sold', status: 200, content: { text: undefined, size: 300 } },
    { path: '/pets?limit=1', status: 200, text: LIST, more: { _fromCache: 'disk' } },
    { path: '/pets?limit=2', status: 0 },
  );
  expect(violatedIn(findings)).toEqual(['Pet.name']);
  expect(files[0]?.omissions).toEqual({ 'body-missing': 1, cached: 1, aborted: 1 });
});
