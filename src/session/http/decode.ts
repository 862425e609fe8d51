import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { type HeaderLine, headerValues, type Received } from '../../model/exchange.ts';
import { MAX_BODY, MAX_CODINGS } from './bounds.ts';
import { unread } from './failures.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes the content encoding (RFC 9110 section 8.4) and UTF-8, strictly: an invalid byte is an error. A body without bytes is
 * empty, whatever its coding: what a 204 or a 304 states is of another response (sections 15.3.5 and 15.4.5).
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
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '' && each !== 'identity');
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
