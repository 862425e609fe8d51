import { finished, type Readable } from 'node:stream';
import { RefusedResponse } from './failures.ts';

/**
 * Reads a body to its end, or until it is larger than `max` bytes.
 * @throws RefusedResponse, or the error of the stream
 */
export function readBody(stream: Readable, max: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    stream.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size <= max) pieces.push(piece);
      else stream.destroy(new RefusedResponse('TOO_LARGE'));
    });
    // Also called when the stream closes before its end.
    finished(stream, (error) => (error ? reject(error) : resolve(Buffer.concat(pieces, size))));
  });
}
