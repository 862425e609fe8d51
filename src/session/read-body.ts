import type { Readable } from 'node:stream';

/**
 * Reads a body to its end and keeps it, unless it is larger than `max` bytes: then undefined. It is read to its end all
 * the same, without being kept, since only its end tells that it has one.
 * @throws what the stream fails with
 */
export async function readBody(stream: Readable, max: number): Promise<Buffer | undefined> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > max) pieces = [];
    else pieces.push(piece);
  }
  return size > max ? undefined : Buffer.concat(pieces, size);
}
