import { randomBytes, timingSafeEqual } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Vite } from 'vitest/node';
import { readingOf, realClock } from '../model/clock.ts';
import type { Job } from '../run/job.ts';
import { makeScratch, noteListeners, suiteConfig, type uiOfVitest } from './ui-config.ts';

/**
 * Opens the conformance suite in the vitest UI until `signal` aborts. A test that is run again there is judged from the
 * ledger, so petspec sends nothing twice. The UI cannot write files.
 * @param onReady gets the address of the page, which works once
 */
export async function openInVitestUi(
  { createVitest, isValidApiRequest }: Awaited<ReturnType<typeof uiOfVitest>>,
  job: Job,
  signal: AbortSignal,
  onReady: (address: string) => void,
): Promise<void> {
  const scratch = makeScratch();
  const { options, vite } = suiteConfig(scratch, { ...job, isResumed: true, since: readingOf(realClock) });
  const removeListeners = noteListeners();
  // vitest does not listen on a port: the front calls its pages, and hands it the websockets.
  const api = { middlewareMode: true, allowWrite: false, allowExec: true };
  const base = `/${secret()}/`;
  const upgrades = createServer();
  const vitest = await createVitest(
    'test',
    { ...options, watch: true, ui: true, uiBase: base, open: false, api, reporters: [{}] },
    { ...vite, plugins: [waitingAt(upgrades)] },
  );
  removeListeners();
  try {
    await vitest.start();
    const front = await openFront({
      base,
      page: (request, response) => vitest.vite.middlewares(request, response),
      socketPath: '/__vitest_api__',
      isFromPage: (request) => isValidApiRequest(vitest.config, request),
      socket: (...upgrade) => upgrades.emit('upgrade', ...upgrade),
    });
    onReady(front.address);
    if (!signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    front.close();
  } finally {
    await vitest.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Gives vite a server for websockets, which it lacks in middleware mode. vitest listens to its upgrades. */
function waitingAt(server: Server): Vite.Plugin {
  return {
    name: 'petspec:upgrades',
    configureServer: {
      order: 'pre',
      handler(vite) {
        vite.httpServer = server;
      },
    },
  };
}

/** The pages and the websocket behind the front. A browser can reach nothing else. */
interface Behind {
  /** Path of the pages, such as `/a-secret/`. A browser sends the cookie only to paths below it. */
  base: string;
  page(request: IncomingMessage, response: ServerResponse): void;
  /** Path of the websocket. */
  socketPath: string;
  /** Whether the client that asks for the websocket has read the page. */
  isFromPage(request: IncomingMessage): boolean;
  socket(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** A front that listens on this machine. */
interface Front {
  /** With a secret that works once. */
  address: string;
  close(): void;
}

const COOKIE = 'petspec-ui';

/** A random text that nobody can guess, safe in a path and in a cookie. */
function secret(): string {
  return randomBytes(24).toString('base64url');
}

/**
 * Guards web pages on 127.0.0.1 against other users of this machine and against other pages in the user's browser. The
 * first client with the secret address gets a cookie; everybody else gets 403.
 */
export async function openFront(behind: Behind): Promise<Front> {
  const server = createServer();
  const sockets = new Set<Duplex>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cookie = secret();
  const door = `/?secret=${secret()}`;
  let isOpen = true;
  server.on('request', (request, response) => {
    const { method, url = '' } = request;
    if (!isFor(host, request)) return refuse(response);
    if (isOpen && method === 'GET' && isSame(url, door)) {
      isOpen = false;
      return welcome(response, behind.base, cookie);
    }
    if (!isPage(request, behind.base) || !hasCookie(request, cookie)) return refuse(response);
    response.setHeader('referrer-policy', 'no-referrer');
    behind.page(request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { url = '', headers } = request;
    // The browser sends no cookie, because the path differs, but it always sends the origin.
    const isSameOrigin = isFor(host, request) && headers.origin !== undefined;
    if (isSameOrigin && url.split('?')[0] === behind.socketPath && behind.isFromPage(request))
      return behind.socket(request, socket, head);
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { address: `http://${host}${door}`, close };
}

/** Whether a request uses this host name (against DNS rebinding) and does not come from a page of another origin. */
function isFor(host: string, { headers }: IncomingMessage): boolean {
  const origin = `http://${host}`;
  return headers.host === host && (headers.origin ?? origin) === origin;
}

/**
 * Whether a browser asks for a page or a part of one, for its user or for these pages. A request from a page on another
 * port is `same-site` and carries the cookie, so it is refused.
 */
function isPage({ method, url = '', headers }: IncomingMessage, base: string): boolean {
  const site = headers['sec-fetch-site'];
  const isAllowedSite = site === 'same-origin' || site === 'none';
  const rest = url.startsWith(base) ? url.slice(base.length) : '..';
  // No query, no escape, no `..`: the pages need none, and vite gives them a meaning.
  const isPlain = /^[\w./-]*$/.test(rest) && !rest.includes('..') && !rest.includes('//');
  return (method === 'GET' || method === 'HEAD') && isAllowedSite && isPlain;
}

function hasCookie({ headers }: IncomingMessage, cookie: string): boolean {
  return (headers.cookie ?? '').split('; ').some((pair) => isSame(pair, `${COOKIE}=${cookie}`));
}

/** Compares in constant time. */
function isSame(given: string, right: string): boolean {
  const [givenBytes, rightBytes] = [Buffer.from(given), Buffer.from(right)];
  return givenBytes.length === rightBytes.length && timingSafeEqual(givenBytes, rightBytes);
}

/**
 * Sets the cookie and goes on to the pages. A redirect would not do: if the link is on a page of another site, the
 * browser does not send a strict cookie to the redirected address.
 */
function welcome(response: ServerResponse, base: string, cookie: string): void {
  response.writeHead(200, {
    'set-cookie': `${COOKIE}=${cookie}; Path=${base}; HttpOnly; SameSite=Strict`,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  response.end(
    `<!DOCTYPE html><meta http-equiv="refresh" content="0; url=${base}"><title>petspec</title><a href="${base}">The tests</a>`,
  );
}

function refuse(response: ServerResponse): void {
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' });
  response.end('petspec: the address of this UI works once, for the browser that opens it first\n');
}
