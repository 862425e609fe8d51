import type { Dispatcher } from 'undici';
import type { HeaderLine } from '../../model/exchange.ts';
import { RefusedResponse } from './failures.ts';

/** The beginning of a response. */
export interface Head {
  status: number;
  headers: readonly HeaderLine[];
}

/** How many bytes of a body are read. More are an error; for an excerpt, reading ends there and `onCut` is called. */
export type Reach = number | { excerpt: number; onCut: () => void };

/**
 * Called with the head of a response. Returns how much of the body is read. Throws if the head is wrong.
 * @param stop ends an excerpt before so many bytes have come
 */
export type OnHead = (head: Head, stop: () => void) => Reach;

/**
 * Reads a response to its end, from undici's parser: a stream for the body would take as long as the parser itself.
 * @param send sends the request, whose response goes to this handler
 * @returns the bytes of the body
 * @throws RefusedResponse for a larger body, what `onHead` throws, or the error of the connection
 */
export function readResponse(
  send: (handler: Dispatcher.DispatchHandler) => void,
  onHead: OnHead,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    let reach: Reach = 0;
    const cut = (controller: Dispatcher.DispatchController) => {
      if (typeof reach === 'number') return;
      reach.onCut();
      resolve(Buffer.concat(pieces));
      controller.abort(new Error('the rest is not read'));
    };
    send({
      onRequestStart() {},
      onResponseStart(controller, status) {
        const isInterim = status < 200;
        // For HTTP/1, undici keeps the headers as they arrived.
        const headers = () => linesOf(controller.rawHeaders as Buffer[]);
        if (!isInterim) reach = onHead({ status, headers: headers() }, () => cut(controller));
      },
      onResponseData(controller, piece) {
        const most = typeof reach === 'number' ? reach : reach.excerpt;
        if (size + piece.length <= most) pieces.push(piece);
        else if (typeof reach === 'number') controller.abort(new RefusedResponse('TOO_LARGE'));
        else {
          pieces.push(piece.subarray(0, most - size));
          cut(controller);
        }
        size += piece.length;
      },
      onResponseEnd: () => resolve(Buffer.concat(pieces, size)),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}

/**
 * Header lines from a flat list (name, value, name, value), without whitespace around values (RFC 9112 section 5.1). Values may
 * have any bytes.
 */
function linesOf(raw: readonly Buffer[]): HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let index = 0; index < raw.length; index += 2)
    lines.push([String(raw[index]), trimmed(raw[index + 1]?.toString('latin1') ?? '')]);
  return lines;
}

/** Trims spaces and tabs. A regular expression would be slow: it tries each blank in the middle. */
function trimmed(value: string): string {
  const isBlank = (index: number) => value[index] === ' ' || value[index] === '\t';
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return value.slice(start, end);
}
