import type { Readable } from 'node:stream';
import { TooLarge } from './failures.ts';

/**
 * Reads a body to its end, unless it is larger than `max` bytes: no more of it is read then.
 * @throws TooLarge, or what the stream fails with
 */
export async function readBody(stream: Readable, max: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > max) throw new TooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces, size);
}
