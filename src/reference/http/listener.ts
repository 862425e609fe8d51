import type { IncomingMessage, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { Bindings } from '../routes.ts';
import { routesOf } from '../routes.ts';
import type { ReferenceService } from '../service.ts';
import type { Answer } from './answer.ts';
import { httpBytes } from './answer.ts';
import type { ListenerName } from './call.ts';
import { PairedStream } from './connection-pair.ts';
import type { IncomingConnection } from './exchange.ts';
import { askedOf, converse } from './exchange.ts';

export interface Listener {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** Ends every connection at once: idle, stalled or busy. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const PLAIN_HOST = /^[\w.-]+(?::\d+)?$/;

/** The port of a listener cannot be used. The message is one line. */
export class PortUnavailable extends Error {
  override name = 'PortUnavailable';
}

/**
 * Opens a listener on the loopback interface.
 * @param address.port 0 for a free one
 * @param address.basePath path of its address, without a trailing slash
 * @throws PortUnavailable
 */
export async function listen(
  name: ListenerName,
  { port, basePath }: { port: number; basePath: string },
  service: ReferenceService,
): Promise<Listener> {
  const { server, disconnect } = serverOf(name, basePath, service);
  await bind(server, port);
  return {
    origin: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        disconnect();
      }),
  };
}

/** A listener without a port: `connect` opens a connection in memory. */
export interface InMemoryListener {
  connect(): Duplex;
  /** Ends every connection at once. */
  close(): void;
}

/** Opens a listener in memory. */
export function listenInMemory(
  name: ListenerName,
  basePath: string,
  service: ReferenceService,
): InMemoryListener {
  const { server, disconnect } = serverOf(name, basePath, service);
  return {
    connect: () => {
      const [ofServer, ofClient] = PairedStream.pair();
      server.emit('connection', ofServer);
      return ofClient;
    },
    close: disconnect,
  };
}

/** The server of a listener, and a function that ends its connections. */
function serverOf(name: ListenerName, basePath: string, service: ReferenceService) {
  const connections = new Map<Duplex, IncomingConnection>();
  const answer: Bindings['answer'] = async (route, incoming, outgoing) => {
    const connection = connections.get(incoming.socket);
    if (connection) await converse(service, name, connection, route, incoming, outgoing);
  };
  const app = routesOf(name, basePath);
  const route = getRequestListener(
    (request, env) => app.fetch(request, { ...env, answer } as Bindings),
    // The judging side runs in the same process and needs the original Request and Response.
    { overrideGlobalObjects: false, autoCleanupIncoming: false },
  );
  // No timers on real time: the client, a change or `close` ends a connection.
  const options = { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, requireHostHeader: false };
  const server = createServer(options, (incoming, outgoing) => {
    makeRoutable(incoming);
    if (service.served) void answer(service.served.route(askedOf(incoming)), incoming, outgoing);
    else void route(incoming, outgoing);
  });
  server.on('connection', (socket: Duplex) => {
    service.connections += 1;
    let closing: AbortSignal | undefined;
    const closed = () => {
      closing ??= closingOf(socket);
      return closing;
    };
    connections.set(socket, { number: service.connections, closed });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const connection = connections.get(socket);
    if (connection === undefined || error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else socket.end(httpBytes(refuse(service, name, connection, error)));
  });
  const disconnect = () => {
    for (const socket of connections.keys()) socket.destroy();
  };
  return { server, disconnect };
}

/** Aborts when a connection closes. */
function closingOf(socket: Duplex): AbortSignal {
  const closing = new AbortController();
  if (socket.closed) closing.abort();
  socket.once('close', () => closing.abort());
  return closing.signal;
}

/**
 * The adapter answers by itself, without our headers, if it cannot build a URL. So it gets a path that it can route (also
 * from the absolute form, RFC 9112 §3.2.2) and a host that it accepts. Nothing here depends on the host.
 */
function makeRoutable(incoming: IncomingMessage): void {
  const { url = '/', headers } = incoming;
  const path = url.replace(/^https?:\/\/[^/?]*/i, '').replaceAll('\\', '%5C');
  incoming.url = path.startsWith('/') ? path : `/${path}`;
  if (!PLAIN_HOST.test(headers.host ?? '')) headers.host = HOST;
}

/** The answer to bytes that node cannot read as HTTP; they reach no route. */
function refuse(
  service: ReferenceService,
  listener: ListenerName,
  connection: IncomingConnection,
  error: NodeJS.ErrnoException,
): Answer {
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  service.noted({
    listener,
    connection: connection.number,
    operation: undefined,
    method: '',
    path: '',
    key: 'missing',
    status,
  });
  return service.refuse(status, `not readable as HTTP: ${error.message}`);
}

function bind(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'the port is already in use' : error.message;
      reject(new PortUnavailable(`cannot start the reference on ${HOST}:${port}: ${reason}`));
    });
    server.listen(port, HOST, resolve);
  });
}
