import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { isSequential } from '../../contract/openapi/sequences.ts';
import { type HeaderLine, headerValue, headerValues, type Received } from '../../model/exchange.ts';
import { MAX_BODY, MAX_CODINGS } from './bounds.ts';
import { RefusedResponse, unread } from './failures.ts';

/** The beginning of a response. */
export interface Head {
  status: number;
  headers: readonly HeaderLine[];
}

/** How many bytes of a body are read. More are an error; for an excerpt, reading ends there and `onCut` is called. */
type Reach = number | { excerpt: number; onCut: () => void };

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

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes the content encoding (RFC 9110 section 8.4) and UTF-8, strictly: an invalid byte is an error. A body without bytes is
 * empty, whatever its coding: the headers of a 204 or a 304 describe another response (sections 15.3.5 and 15.4.5).
 * @param max bytes that the decoded body may have
 */
export function decode(
  status: number,
  headers: readonly HeaderLine[],
  bytes: Buffer,
  max = MAX_BODY,
): Received {
  const head = { status, headers };
  if (bytes.length === 0) return { ...head, body: '' };
  let plain = bytes;
  const codings = codingsOf(headers);
  if (codings.length > MAX_CODINGS)
    return { ...head, body: '', unread: `petspec decodes no more than ${MAX_CODINGS} content codings` };
  try {
    for (const coding of codings.reverse()) plain = uncompress(coding, plain, max);
    return { ...head, body: UTF8.decode(plain) };
  } catch (error) {
    const isLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (isLarge) return unread(head, max);
    const undecodable =
      error instanceof TypeError
        ? 'not UTF-8'
        : `content-encoding: ${error instanceof Error ? error.message : error}`;
    return { ...head, body: plain.toString('utf8'), undecodable };
  }
}

/** The codings of a body, in the order in which they were applied, without `identity`. */
export function codingsOf(headers: readonly HeaderLine[]): string[] {
  return headerValues(headers, 'content-encoding')
    .flatMap((value) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

const DECODERS = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

/** Whether petspec decodes a content coding. */
export function isKnownCoding(coding: string): boolean {
  return DECODERS.has(coding);
}

function uncompress(coding: string, bytes: Buffer, max: number): Buffer {
  const decoder = DECODERS.get(coding);
  if (!decoder) throw new Error(`unknown coding ${coding}`);
  return decoder(bytes, { maxOutputLength: max });
}

/** How much of a stream is read (bytes, ms from its head on): it may have no end. */
export const MAX_STREAM = 256 * 1024;
export const STREAM_MS = 2_000;

const COMPRESSED = 'petspec does not decode the beginning of a compressed stream';

/** Whether a response is a stream of events or lines, which may have no end. */
export function isStream({ headers }: Pick<Head, 'headers'>): boolean {
  return isSequential(headerValue(headers, 'content-type') ?? '');
}

/** A response whose beginning was read. The body ends with the last whole line, because a line that was cut is not judged. */
export function excerptOf({ status, headers }: Head, bytes: Buffer): Received {
  if (codingsOf(headers).length > 0) return { status, headers, body: '', unread: COMPRESSED };
  return decode(status, headers, wholeLines(bytes));
}

/** Begins each text of a JSON text sequence (RFC 7464). A text may have several lines, and ends where the next one begins. */
const RECORD_SEPARATOR = 0x1e;

/** The beginning of a body up to the end of its last whole line, or of its last whole text of a JSON text sequence. */
export function wholeLines(bytes: Buffer): Buffer {
  if (bytes[0] === RECORD_SEPARATOR) return bytes.subarray(0, bytes.lastIndexOf(RECORD_SEPARATOR));
  return bytes.subarray(0, Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x0d)) + 1);
}
