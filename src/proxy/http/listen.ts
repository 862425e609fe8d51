import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { MAX_HEADERS } from '../../session/http/bounds.ts';

/** Where a server listens. */
export interface Place {
  host: string;
  /** 0: any free port. */
  port: number;
  /** PEM. With it the server speaks TLS. */
  tls?: { certificate: string; key: string };
}

/** A server that listens. */
export interface Listening {
  /** `http://127.0.0.1:8090` */
  origin: string;
  /** Takes no more requests, waits for the open ones, at most so many ms, and ends all connections. */
  close(patience?: number): Promise<void>;
}

/**
 * Listens for HTTP/1.1. Requests may take as long as they like; only their heads are bounded in time and size.
 * @throws the error of the operating system, such as EADDRINUSE
 */
export async function listen(handle: RequestListener, { host, port, tls }: Place): Promise<Listening> {
  const options = { maxHeaderSize: MAX_HEADERS, requestTimeout: 0, requireHostHeader: false, noDelay: true };
  const server: Server = tls
    ? createSecureServer({ ...options, cert: tls.certificate, key: tls.key }, handle)
    : createServer(options, handle);
  server.maxHeadersCount = 0;
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
