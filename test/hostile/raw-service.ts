import { connect, createServer, type Server, type Socket } from 'node:net';
import { realClock } from '../../src/model/clock.ts';
import { type Reference, startReference } from '../../src/reference/index.ts';

/** A request as it came over the wire. */
export interface Asked {
  operation: string;
  method: string;
  /** Path and query. */
  target: string;
  /** From the request line to the end of its body. */
  bytes: Buffer;
  /** How many requests of this service came before it, at either address. */
  before: number;
}

/** The service's end of one connection. */
export interface Wire {
  socket: Socket;
  /** Whole answer of the reference to the request at hand. */
  usual(): Promise<Buffer>;
  /** Requests that came over this connection before. */
  used: number;
  /** Address of a listener of another origin, which nothing should ever reach. */
  elsewhere: string;
  /** Ends the whole service: nothing listens any more, and every connection is reset. */
  die(): void;
}

/** What a raw service does instead of what the reference does. */
export interface Conduct {
  /** Which requests it concerns; the reference answers the others. */
  concerns: (asked: Asked) => boolean;
  act: (wire: Wire, asked: Asked) => void | Promise<void>;
  /** When a connection was made, before anything is read: false where nothing is to be read. */
  connected?: (wire: Wire, number: number) => boolean;
}

export interface RawService {
  baseUrl: string;
  apiUrl: string;
  apiKey: string;
  /** Everything that was asked, in order. */
  asked: readonly Asked[];
  /** Connections that were made to the address of another origin. */
  strays(): number;
  close(): Promise<void>;
}

export const KEY = 'hostile-key-0123456789';

/** The end of a request's or a response's head. */
const HEAD_END = '\r\n\r\n';

/** Starts a service that answers as the reference does, over raw sockets, but for what its conduct concerns. */
export async function startRawService(conduct: Conduct): Promise<RawService> {
  const reference = await startReference({ clock: realClock, apiKey: KEY, plan: 'business' });
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  let strays = 0;
  let connections = 0;
  const other = createServer((socket) => {
    strays += 1;
    socket.destroy();
  });
  const elsewhere = `http://127.0.0.1:${await listening(other)}`;
  const die = () => {
    for (const server of listeners) server.close();
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const listeners = (['animals', 'messages'] as const).map((side) =>
    createServer({ allowHalfOpen: true }, (socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => sockets.delete(socket));
      const wire = { socket, used: 0, elsewhere, die, usual: async () => Buffer.alloc(0) };
      connections += 1;
      if (conduct.connected?.(wire, connections) === false) return;
      void converse(wire, side, reference, conduct, asked);
    }),
  );
  const [port, messagePort] = await Promise.all(listeners.map(listening));
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiUrl: `http://127.0.0.1:${messagePort}`,
    apiKey: KEY,
    asked,
    strays: () => strays,
    async close() {
      for (const server of [...listeners, other]) server.close();
      for (const socket of sockets) socket.destroy();
      await reference.close();
    },
  };
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}

/** Answers the requests of one connection, one after the other. */
async function converse(
  wire: Wire,
  side: 'animals' | 'messages',
  reference: Reference,
  conduct: Conduct,
  asked: Asked[],
): Promise<void> {
  const origin = new URL(side === 'animals' ? reference.baseUrl : reference.apiUrl);
  let used = -1;
  for await (const bytes of requestsOf(wire.socket)) {
    used += 1;
    const [method = '', target = ''] = bytes.toString('latin1').split(' ', 2);
    const request = { operation: operationOf(method, target), method, target, bytes, before: asked.length };
    asked.push(request);
    const usual = () => askReference(origin, bytes);
    if (conduct.concerns(request)) await conduct.act({ ...wire, used, usual }, request);
    else wire.socket.write(await usual());
  }
}

/** The requests that a socket brings, each whole. */
async function* requestsOf(socket: Socket): AsyncGenerator<Buffer> {
  let bytes = Buffer.alloc(0);
  try {
    for await (const chunk of socket) {
      bytes = Buffer.concat([bytes, chunk as Buffer]);
      for (let size = messageSize(bytes); size !== undefined; size = messageSize(bytes)) {
        yield bytes.subarray(0, size);
        bytes = bytes.subarray(size);
      }
    }
    socket.end();
  } catch {
    // The client ended the connection: that is its right.
  }
}

/** Bytes of the first message, whose body has a length; undefined where it is not whole. */
function messageSize(bytes: Buffer): number | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = bytes.subarray(0, end).toString('latin1');
  const size = end + HEAD_END.length + Number(/^content-length:\s*(\d+)/im.exec(head)?.[1] ?? 0);
  return bytes.length >= size ? size : undefined;
}

function operationOf(method: string, target: string): string {
  const path = target.split('?', 1)[0] ?? '';
  if (path === '/v1/pets') return method === 'POST' ? 'createPet' : 'listPets';
  if (path.startsWith('/v1/pets/')) return 'getPet';
  if (path === '/v1/store/orders') return 'getStoreOrders';
  return path === '/messages' ? 'sendMessage' : '';
}

/** The answer of the reference, which always states the length of its body. */
function askReference({ hostname, port }: URL, request: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    let bytes = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (messageSize(bytes) === undefined) return;
      resolve(bytes);
      socket.destroy();
    });
  });
}
