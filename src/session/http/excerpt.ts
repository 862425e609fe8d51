import { isSequential } from '../../contract/openapi/sequences.ts';
import { headerValue, type Received } from '../../model/exchange.ts';
import { codingsOf, decode } from './decode.ts';
import type { Head } from './read-response.ts';

/** How much of a stream is read (bytes, ms from its head on): it may have no end. */
export const MAX_STREAM = 256 * 1024;
export const STREAM_MS = 2_000;

const COMPRESSED = 'petspec does not decode the beginning of a compressed stream';

/** Whether a response is a stream of events or lines, which may have no end. */
export function isStream({ headers }: Pick<Head, 'headers'>): boolean {
  return isSequential(headerValue(headers, 'content-type') ?? '');
}

/** A response of which only the beginning was read, up to the end of a line: what was cut is not judged. */
export function excerptOf({ status, headers }: Head, bytes: Buffer): Received {
  if (codingsOf(headers).length > 0) return { status, headers, body: '', unread: COMPRESSED };
  return decode(status, headers, wholeLines(bytes));
}

/** Begins each text of a JSON text sequence (RFC 7464), which may have several lines: the next one says that it has ended. */
const RECORD_SEPARATOR = 0x1e;

/** The beginning of a body up to the end of its last whole line, or of the last text before another one. */
export function wholeLines(bytes: Buffer): Buffer {
  if (bytes[0] === RECORD_SEPARATOR) return bytes.subarray(0, bytes.lastIndexOf(RECORD_SEPARATOR));
  return bytes.subarray(0, Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x0d)) + 1);
}
