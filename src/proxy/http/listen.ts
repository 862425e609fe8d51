import { X509Certificate } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import { visible } from '../../model/visible.ts';

/** Where a server listens. */
export interface ListenPlace {
  host: string;
  /** 0: any free port. */
  port: number;
  /** PEM. With it the server speaks TLS. */
  tls?: { certificate: string; key: string } | undefined;
  /** Names that a Host may have besides those of the place. Without this, a Host is not looked at. */
  names?: readonly string[] | undefined;
}

/**
 * What clients may hold at the same time: so many connections, and of each a head of so many bytes and lines. All unfinished
 * heads together take up at most 32 MiB, and as much again once they are texts.
 */
export const MAX_CONNECTIONS = 512;
const MAX_HEAD = 64 * 1024;
const MAX_LINES = 1_000;

/** A server that listens. */
export interface Listening {
  /** `http://127.0.0.1:8090` */
  origin: string;
  /** Takes no more requests, waits for the open ones, at most so many ms, and ends all connections. */
  close(patience?: number): Promise<void>;
}

/**
 * Listens for HTTP/1.1. Requests may take as long as they like; only their heads are bounded in time and size. More than
 * {@link MAX_CONNECTIONS} connections get 503.
 * @throws the error of the operating system, such as EADDRINUSE
 */
export async function listen(handle: RequestListener, place: ListenPlace): Promise<Listening> {
  const { host, port, tls } = place;
  const answer = refusing(handle, place);
  const options = { maxHeaderSize: MAX_HEAD, requestTimeout: 0, requireHostHeader: false, noDelay: true };
  const server: Server = tls
    ? createSecureServer({ ...options, cert: tls.certificate, key: tls.key }, answer)
    : createServer(options, answer);
  // One more than a request may have: node drops further lines silently.
  server.maxHeadersCount = MAX_LINES + 1;
  boundConnections(server, tls === undefined);
  server.on('connect', (_request, socket) => {
    socket.on('error', () => {});
    socket.end('HTTP/1.1 501 Not Implemented\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  server.removeAllListeners('error').on('error', () => {});
  const { port: boundPort } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    origin: `${tls ? 'https' : 'http'}://${name}:${boundPort}`,
    close: (patience = 0) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), patience);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** Refuses requests that a page of another site may have sent (DNS rebinding), and heads with too many lines. */
function refusing(handle: RequestListener, { host, names, tls }: ListenPlace): RequestListener {
  const isKnown = names && knownHosts([host, ...names], tls?.certificate);
  // One connection may have any number of requests at the same time (RFC 9112 section 9.3.2).
  let open = 0;
  return (request, response) => {
    const refuse = (status: number, why: string) => {
      response.on('error', () => {});
      response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
      response.end(`petspec proxy: ${visible(why)}\n`);
    };
    if (request.rawHeaders.length > 2 * MAX_LINES)
      refuse(431, `the head of the request has more than ${MAX_LINES} lines`);
    else if (isKnown && !isKnown(request.headers.host))
      refuse(
        421,
        `the host '${(request.headers.host ?? '').slice(0, 200)}' is not known here; allow it with --allow-host`,
      );
    else if (open >= MAX_CONNECTIONS) refuse(503, `more than ${MAX_CONNECTIONS} requests at the same time`);
    else {
      open += 1;
      response.once('close', () => {
        open -= 1;
      });
      handle(request, response);
    }
  };
}

const TOO_MANY =
  'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/** ms that a client has to read why it was refused. */
const FAREWELL_MS = 1_000;

/** Takes no more connections than clients may have. @param isPlain whether a refused client can read why */
function boundConnections(server: Server, isPlain: boolean): void {
  const accept = server.listeners('connection');
  server.removeAllListeners('connection');
  let open = 0;
  server.on('connection', (socket: Socket) => {
    if (open < MAX_CONNECTIONS) {
      open += 1;
      socket.once('close', () => {
        open -= 1;
      });
      for (const listener of accept) listener.call(server, socket);
      return;
    }
    socket.on('error', () => {});
    if (!isPlain) return void socket.destroy();
    // The request is thrown away, so that the client can read the response.
    socket.resume();
    socket.end(TOO_MANY);
    setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
  });
  // Refused connections that are still open are few, too.
  server.maxConnections = 2 * MAX_CONNECTIONS;
}

/**
 * Which host names a server accepts in a Host. A page of another site may have its own name lead here (DNS rebinding), but that
 * is neither an IP address nor a name that the server accepts.
 * @param names of the server
 * @param certificate PEM, with names that clients verify
 */
function knownHosts(names: readonly string[], certificate?: string): (authority?: string) => boolean {
  const verified = certificate === undefined ? undefined : new X509Certificate(certificate);
  const accepted = new Set(['localhost', ...names].map((name) => name.toLowerCase()));
  return (authority = '') => {
    const name = hostnameOf(authority).toLowerCase();
    return isIP(name) !== 0 || accepted.has(name) || verified?.checkHost(name) !== undefined;
  };
}

/** `[::1]:8090` is `::1`. */
function hostnameOf(authority: string): string {
  return authority.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
}
