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
  // One more than a request may have: node leaves out the others in silence.
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
  const { port: own } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    origin: `${tls ? 'https' : 'http'}://${name}:${own}`,
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

/** Takes no more connections than clients may have. @param isPlain whether one that is refused can be told why */
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
      for (const each of accept) each.call(server, socket);
      return;
    }
    socket.on('error', () => {});
    if (!isPlain) return void socket.destroy();
    // What it sends is thrown away, so that it can read the response.
    socket.resume();
    socket.end(TOO_MANY);
    setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
  });
  // Those that are being refused are few, too.
  server.maxConnections = 2 * MAX_CONNECTIONS;
}

/**
 * Whether a request may come to a server by the name that its Host has. A page of another site may have its own name lead
 * here (DNS rebinding), but it can neither be an address nor a name that the server was told.
 * @param names that it was told
 * @param certificate PEM, with names that clients verify
 */
function knownHosts(names: readonly string[], certificate?: string): (authority?: string) => boolean {
  const verified = certificate === undefined ? undefined : new X509Certificate(certificate);
  const own = new Set(['localhost', ...names].map((each) => each.toLowerCase()));
  return (authority = '') => {
    const name = hostnameOf(authority).toLowerCase();
    return isIP(name) !== 0 || own.has(name) || verified?.checkHost(name) !== undefined;
  };
}

/** `[::1]:8090` is `::1`. */
function hostnameOf(authority: string): string {
  return authority.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
}
