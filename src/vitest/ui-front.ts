import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** What the front lets a browser reach, and nothing else. */
export interface Behind {
  /** Where the pages are, such as `/a-secret/`. A browser sends the cookie to paths below it alone. */
  base: string;
  page(request: IncomingMessage, response: ServerResponse): void;
  /** Where the websocket is. */
  socketPath: string;
  /** Whether whoever asks for the websocket has read the page. */
  isFromPage(request: IncomingMessage): boolean;
  socket(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** A front that listens on this machine. */
export interface Front {
  /** With a secret that works once. */
  address: string;
  close(): void;
}

const COOKIE = 'petspec-ui';

/** What nobody can guess, in characters that a path and a cookie may have. */
export function secret(): string {
  return randomBytes(24).toString('base64url');
}

/**
 * Guards the web pages of one user on 127.0.0.1, which other users of this machine can reach, and so can pages of other
 * origins in the user's browser. Whoever has the secret of the address gets a cookie, once; everybody else gets 403.
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
    // The cookie does not come along, as the path is another one; but a browser always says which origin asks.
    const isOwn = isFor(host, request) && headers.origin !== undefined;
    if (isOwn && url.split('?')[0] === behind.socketPath && behind.isFromPage(request))
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

/** Whether a request is neither by another name that leads here (DNS rebinding) nor of a page of another origin. */
function isFor(host: string, { headers }: IncomingMessage): boolean {
  const origin = `http://${host}`;
  return headers.host === host && (headers.origin ?? origin) === origin;
}

/**
 * Whether a browser asks for a page or a part of one, on behalf of its user or of these pages. What a page of another
 * port asks for is `same-site`, and brings the cookie along.
 */
function isPage({ method, url = '', headers }: IncomingMessage, base: string): boolean {
  const site = headers['sec-fetch-site'];
  const isOwn = site === 'same-origin' || site === 'none';
  const rest = url.startsWith(base) ? url.slice(base.length) : '..';
  // No query, no escape, no way up: the pages need none, and vite would make something of it.
  const isPlain = /^[\w./-]*$/.test(rest) && !rest.includes('..') && !rest.includes('//');
  return (method === 'GET' || method === 'HEAD') && isOwn && isPlain;
}

function hasCookie({ headers }: IncomingMessage, cookie: string): boolean {
  return (headers.cookie ?? '').split('; ').some((each) => isSame(each, `${COOKIE}=${cookie}`));
}

/** Compares in a time that does not depend on how much is right. */
function isSame(given: string, right: string): boolean {
  const [left, other] = [Buffer.from(given), Buffer.from(right)];
  return left.length === other.length && timingSafeEqual(left, other);
}

/**
 * Hands over the cookie, and goes on to the pages. Not by a redirect: if a page of another site has the link, the browser
 * sends no strict cookie to where it is redirected.
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
