import type { Dispatcher } from 'undici';
import type { HeaderLine } from '../../model/exchange.ts';
import { RefusedResponse } from './failures.ts';
import { linesOf } from './header-lines.ts';

/** The beginning of a response. */
export interface Head {
  status: number;
  headers: readonly HeaderLine[];
}

/**
 * Reads a response as undici's parser hands it over, to its end. A stream for the body would take as long as the parser itself.
 * @param send sends the request, whose response goes to this handler
 * @param onHead returns how many bytes the body may have, or throws what is wrong with the head
 * @returns the bytes of the body
 * @throws RefusedResponse for a larger body, what `onHead` throws, or the error of the connection
 */
export function readResponse(
  send: (handler: Dispatcher.DispatchHandler) => void,
  onHead: (head: Head) => number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    let max = 0;
    send({
      onRequestStart() {},
      onResponseStart({ rawHeaders }, status) {
        const isInterim = status < 200;
        // undici leaves those of HTTP/1 as they arrived.
        if (!isInterim) max = onHead({ status, headers: linesOf(rawHeaders as Buffer[]) });
      },
      onResponseData(controller, piece) {
        size += piece.length;
        if (size <= max) pieces.push(piece);
        else controller.abort(new RefusedResponse('TOO_LARGE'));
      },
      onResponseEnd: () => resolve(Buffer.concat(pieces, size)),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}
