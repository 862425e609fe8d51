import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** An answer of the reference, taken apart: the lines of its head, and its body. */
export interface Parts {
  status: string;
  headers: string[];
  body: Buffer;
}

export function partsOf(answer: Buffer): Parts {
  const end = answer.indexOf('\r\n\r\n');
  const [status = '', ...headers] = answer.subarray(0, end).toString('latin1').split('\r\n');
  return { status, headers, body: answer.subarray(end + 4) };
}

/** The bytes of an answer, its header lines as they are given. */
export function bytesOf({ status, headers, body }: Parts): Buffer {
  return Buffer.concat([Buffer.from(`${[status, ...headers].join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** Header lines without those of these names. */
export function without(headers: readonly string[], ...names: string[]): string[] {
  return headers.filter((line) => !names.some((name) => line.toLowerCase().startsWith(`${name}:`)));
}

/** The same answer with another body, whose length is stated. */
export function withBody({ status, headers }: Parts, body: string | Buffer, ...lines: string[]): Parts {
  const bytes = Buffer.from(body);
  return {
    status,
    headers: [...without(headers, 'content-length'), `Content-Length: ${bytes.length}`, ...lines],
    body: bytes,
  };
}

/** Writes one piece over and over, about as fast as a network would, until the client has gone. */
export async function flood(socket: Socket, piece: string | Buffer, times = Number.POSITIVE_INFINITY) {
  for (let count = 0; count < times && !socket.destroyed && socket.writable; count += 1) {
    if (!socket.write(piece)) await drained(socket);
    await pause(5);
  }
}

/** Writes byte after byte, with a pause after each, until the client has gone. */
export async function drip(socket: Socket, bytes: Buffer, ms = 100) {
  for (const byte of bytes) {
    if (socket.destroyed || !socket.writable) return;
    socket.write(Buffer.from([byte]));
    await pause(ms);
  }
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}
