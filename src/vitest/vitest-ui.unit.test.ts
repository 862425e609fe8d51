import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Answer, ask, UPGRADE } from '../../test/command-line/ui.ts';
import { openFront } from './vitest-ui.ts';

const BASE = '/the-base/';
const SOCKET = '/__vitest_api__?token=right';

/** A front before a server that counts what gets through. */
async function front() {
  const passed: string[] = [];
  const { address, close } = await openFront({
    base: BASE,
    page(request, response) {
      passed.push(`${request.method} ${request.url}`);
      response.end('a page');
    },
    socketPath: '/__vitest_api__',
    isFromPage: ({ url }) => url === SOCKET,
    socket(_, socket) {
      passed.push('a socket');
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    },
  });
  onTestFinished(close);
  const { origin, pathname, search } = new URL(address);
  return { origin, door: pathname + search, letIn: passed };
}

/** One whose user has opened the address. */
async function entered() {
  const { origin, door, letIn } = await front();
  const welcome = await ask(origin, door);
  const [setCookie = ''] = welcome.headers['set-cookie'] ?? [];
  const own = { cookie: setCookie.split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' };
  return { origin, door, letIn, welcome, setCookie, own };
}

test('the secret of the address gets a cookie that is sent to these pages alone, and leads on to them', async () => {
  const { origin, welcome, setCookie, own, letIn } = await entered();
  expect(welcome).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  expect(welcome.text).toContain(`content="0; url=${BASE}"`);
  expect(setCookie).toMatch(/^petspec-ui=[\w-]{32}; Path=\/the-base\/; HttpOnly; SameSite=Strict$/);
  expect(await ask(origin, BASE, own)).toMatchObject({
    status: 200,
    text: 'a page',
    headers: { 'referrer-policy': 'no-referrer' },
  });
  expect(await ask(origin, `${BASE}assets/index-A_b.js`, { ...own, origin })).toMatchObject({ status: 200 });
  expect(letIn).toEqual([`GET ${BASE}`, `GET ${BASE}assets/index-A_b.js`]);
});

test('the secret works once, and only to get a page by it', async () => {
  const { origin, door, letIn } = await front();
  for (const [path, method] of [
    [door, 'HEAD'],
    [door, 'POST'],
    [`${door}x`, 'GET'],
    [door.slice(0, -1), 'GET'],
    [`/x${door}`, 'GET'],
    ['/?secret=', 'GET'],
    ['/?secret=undefined', 'GET'],
  ])
    expect(await ask(origin, path ?? '', {}, method)).toMatchObject({ status: 403 });
  expect(await ask(origin, door)).toMatchObject({ status: 200 });
  expect(await ask(origin, door)).toMatchObject({ status: 403 });
  expect(await ask(origin, '/?secret=undefined')).toMatchObject({ status: 403 });
  expect(letIn).toEqual([]);
});

test.each<[what: string, headers: (own: Record<string, string>, origin: string) => Record<string, string>]>([
  ['no cookie', () => ({ 'sec-fetch-site': 'same-origin' })],
  ['another cookie', (own) => ({ ...own, cookie: `${own.cookie}x` })],
  ['an empty cookie', (own) => ({ ...own, cookie: 'petspec-ui=' })],
  ['a page of another port', (own) => ({ ...own, 'sec-fetch-site': 'same-site' })],
  ['a page of another site', (own) => ({ ...own, 'sec-fetch-site': 'cross-site' })],
  ['no word of whose page it is for', ({ cookie = '' }) => ({ cookie })],
  ['another origin', (own) => ({ ...own, origin: 'http://127.0.0.1:1' })],
  ['the origin of no page', (own) => ({ ...own, origin: 'null' })],
  [
    'another name of this machine',
    (own, origin) => ({ ...own, host: new URL(origin).host.replace('127.0.0.1', 'localhost') }),
  ],
  [
    'a name of somebody that leads here',
    (own, origin) => ({ ...own, host: `rebound.example.com:${new URL(origin).port}` }),
  ],
])('403: %s', async (_, headers) => {
  const { origin, own, letIn } = await entered();
  const answer = await ask(origin, BASE, headers(own, origin));
  expect(answer).toMatchObject({ status: 403, text: expect.stringMatching(/^petspec: [^\n]*\n$/) });
  expect(answer.headers).not.toHaveProperty('set-cookie');
  expect(letIn).toEqual([]);
});

test.each([
  '/',
  '/__vitest__/',
  '/the-base',
  '/the-based/',
  '/@fs/etc/passwd',
  '/the-base/../@fs/etc/passwd',
  '/the-base/%2e%2e/@fs/etc/passwd',
  '/the-base//@fs/etc/passwd',
  '/the-base/@fs/etc/passwd',
  '/the-base/x.js?raw',
  '/__open-in-editor?file=/etc/passwd',
  '/__vitest_attachment__?path=/etc/passwd&contentType=a&token=right',
  '/__vitest_api__?token=right',
  'http://127.0.0.1/the-base/',
  '//the-base/',
])('403 with the cookie, too, for what is no page: %s', async (path) => {
  const { origin, own, letIn } = await entered();
  expect(await ask(origin, path, own)).toMatchObject({ status: 403 });
  expect(letIn).toEqual([]);
});

test('403 with the cookie for what changes something', async () => {
  const { origin, own, letIn } = await entered();
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
    expect(await ask(origin, BASE, own, method)).toMatchObject({ status: 403 });
  expect(letIn).toEqual([]);
});

test('a websocket is for a page of this origin that knows the token', async () => {
  const { origin, own, letIn } = await entered();
  const open = (path: string, headers: Record<string, string>): Promise<Answer> =>
    ask(origin, path, { ...UPGRADE, ...headers });
  expect(await open(SOCKET, { origin })).toMatchObject({ status: 101 });
  expect(letIn).toEqual(['a socket']);
  for (const [path, headers] of [
    [SOCKET, {}],
    [SOCKET, { origin: 'http://127.0.0.1:1' }],
    [SOCKET, { origin: 'null' }],
    [SOCKET, { origin, host: 'rebound.example.com' }],
    ['/__vitest_api__?token=wrong', { ...own, origin }],
    ['/__vitest_api__', { ...own, origin }],
    ['/?token=right', { ...own, origin }],
    [BASE, { ...own, origin }],
    ['//', { ...own, origin }],
  ] as const)
    expect(await open(path, headers)).toMatchObject({ status: 403 });
  expect(letIn).toEqual(['a socket']);
});

test('a client that leaves in the middle takes nothing along', async () => {
  const { origin, own } = await entered();
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`GET ${SOCKET} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  socket.resetAndDestroy();
  expect(await ask(origin, BASE, own)).toMatchObject({ status: 200 });
});
