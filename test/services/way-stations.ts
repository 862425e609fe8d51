import { createServer as createHttpServer, type IncomingMessage, request, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Server as NetServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** A server that stands between petspec and a service. */
export interface WayStation {
  port: number;
  close(): Promise<void>;
}

/** A proxy, and what it was asked for: `CONNECT host:port`, `GET http://...`. */
export interface ProxyStation extends WayStation {
  asked: string[];
  headers: IncomingMessage['headers'][];
}

/** Makes TLS of what a service on a port of this machine speaks in plain text. */
export async function tlsBefore(port: number, options: TlsOptions): Promise<WayStation> {
  const server = createTlsServer(options, (socket) => join(socket, connect(port, '127.0.0.1')));
  server.on('tlsClientError', () => {});
  return station(server);
}

/** Listens on `::1` for a service on 127.0.0.1. */
export async function ipv6Before(port: number): Promise<WayStation> {
  const { createServer } = await import('node:net');
  return station(
    createServer((socket) => join(socket, connect(port, '127.0.0.1'))),
    '::1',
  );
}

/** A gateway that has a service below a path of its own. */
export function gatewayBefore(port: number, prefix: string): Promise<WayStation> {
  return station(
    createHttpServer((incoming, outgoing) => {
      const { url = '', method, headers } = incoming;
      if (!url.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end();
      const onward = request({ port, method, headers, path: url.slice(prefix.length) }, (response) => {
        outgoing.writeHead(response.statusCode ?? 0, response.rawHeaders);
        response.pipe(outgoing);
      });
      incoming.pipe(onward);
    }),
  );
}

/** How a proxy behaves. */
export interface ProxyManners {
  /** Ports of this machine by `host:port`: names that nobody else resolves. */
  routes: Readonly<Record<string, number>>;
  /** The Proxy-Authorization that it wants; 407 without. */
  authorization?: string;
  /** Answers everything like this. */
  refuses?: number;
  /** It takes what is asked and says nothing. */
  isSilent?: boolean;
  /** It speaks TLS itself. */
  tls?: TlsOptions;
}

export async function proxyTo(manners: ProxyManners): Promise<ProxyStation> {
  const { routes, authorization, refuses, isSilent, tls } = manners;
  const asked: string[] = [];
  const seen: IncomingMessage['headers'][] = [];
  const refusal = (incoming: IncomingMessage, authority: string): number | undefined => {
    asked.push(`${incoming.method} ${incoming.url}`);
    seen.push(incoming.headers);
    if (refuses !== undefined) return refuses;
    if (authorization !== undefined && incoming.headers['proxy-authorization'] !== authorization) return 407;
    return routes[authority] === undefined ? 502 : undefined;
  };
  const server: Server = tls ? createHttpsServer(tls) : createHttpServer();
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    const status = refusal(incoming, incoming.url ?? '');
    if (isSilent) return;
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    join(socket, connect(routes[incoming.url ?? ''] ?? 0, '127.0.0.1'));
  });
  server.on('request', (incoming, outgoing) => {
    const url = new URL(incoming.url ?? '', 'http://nowhere.test');
    const status = refusal(incoming, `${url.hostname}:${url.port || 80}`);
    if (isSilent) return;
    if (status !== undefined) return void outgoing.writeHead(status).end();
    const port = routes[`${url.hostname}:${url.port || 80}`];
    const { method, headers } = incoming;
    const onward = request({ port, method, headers, path: url.pathname + url.search }, (response) => {
      outgoing.writeHead(response.statusCode ?? 0, response.rawHeaders);
      response.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  return { ...(await station(server)), asked, headers: seen };
}

function join(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one);
  for (const [socket, end] of [
    [one, other],
    [other, one],
  ] as const)
    socket.on('error', () => end.destroy()).on('close', () => end.destroy());
}

async function station(server: NetServer, host = '127.0.0.1'): Promise<WayStation> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
