import type { Readable } from 'node:stream';
import { RefusedResponse } from './failures.ts';

/**
 * Reads a body to its end, or until it is larger than `max` bytes.
 * @throws RefusedResponse, or the error of the stream
 */
export async function readBody(stream: Readable, max: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > max) throw new RefusedResponse('TOO_LARGE');
    pieces.push(piece);
  }
  return Buffer.concat(pieces, size);
}
