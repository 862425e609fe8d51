import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ForwardOptions, forwarder } from '../../src/proxy/http/forward.ts';
import { listen } from '../../src/proxy/http/listen.ts';
import { type Passed, SharedMemory, type Unanswered } from '../../src/proxy/http/passed.ts';

/** A target whose bytes a test decides. */
export interface RawTarget {
  origin: string;
  /** What arrived over all connections, as latin1. */
  received(): string;
  close(): Promise<void>;
}

/** Called with all that arrived over a connection so far, each time more arrives. */
export type Respond = (received: string, socket: Socket) => void;

export async function rawTarget(respond: Respond): Promise<RawTarget> {
  const all: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    const own = all.push('') - 1;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      all[own] += data.toString('latin1');
      respond(all[own] ?? '', socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => all.join(''),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A proxy in front of an origin, and what it noticed. */
export interface TriedProxy {
  origin: string;
  port: number;
  passed: Passed[];
  unanswered: Unanswered[];
  close(): Promise<void>;
}

export async function tryProxy(
  origin: string,
  room = new SharedMemory(),
  network: NonNullable<ForwardOptions['network']> = {},
): Promise<TriedProxy> {
  const passed: Passed[] = [];
  const unanswered: Unanswered[] = [];
  const forward = forwarder({
    origin,
    network,
    room,
    isJudged: () => true,
    onPassed: (each) => passed.push(each),
    onUnjudged: () => {},
    onUnanswered: (why) => unanswered.push(why),
  });
  const listening = await listen(forward.handle, { host: '127.0.0.1', port: 0 });
  return {
    origin: listening.origin,
    port: Number(new URL(listening.origin).port),
    passed,
    unanswered,
    close: async () => {
      await listening.close();
      await forward.close();
    },
  };
}

/** Sends bytes, and returns all that comes back until the connection ends, or until `isEnough`. */
export async function exchangeBytes(
  port: number,
  bytes: string,
  isEnough: (received: string) => boolean = () => false,
): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  const ended = new Promise<void>((resolve) => {
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
    socket.on('data', (data) => {
      received += data.toString('latin1');
      if (isEnough(received)) resolve();
    });
  });
  socket.write(bytes, 'latin1');
  await ended;
  socket.destroy();
  return received;
}

/** A target and a proxy in front of it, until the test ends. */
export async function inFront(respond: Respond): Promise<{ target: RawTarget; proxy: TriedProxy }> {
  const target = await rawTarget(respond);
  const proxy = await tryProxy(target.origin);
  onTestFinished(async () => {
    await proxy.close();
    await target.close();
  });
  return { target, proxy };
}

/** A complete response. */
export const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** Whether a text has the end of a head. */
export const isHead = (text: string): boolean => text.includes('\r\n\r\n');

/** Responds with these bytes to each head. */
export const responding =
  (bytes: string): Respond =>
  (received, socket) =>
    isHead(received) && socket.write(bytes, 'latin1');
