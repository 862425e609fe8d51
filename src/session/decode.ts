import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { MAX_BODY } from './bounds.ts';
import { type HeaderLine, headerValues, type Received } from './exchange.ts';
import { WORDS } from './failures.ts';

/** Undoes the content encoding (RFC 9110 section 8.4) and reads UTF-8 strictly, so that nothing wrong is papered over. */
export function decode(status: number, headers: HeaderLine[], bytes: Buffer): Received {
  let plain = bytes;
  try {
    for (const coding of headerValues(headers, 'content-encoding').join(',').split(',').reverse())
      plain = uncompress(coding.trim().toLowerCase(), plain);
    const body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain);
    return { status, headers, body };
  } catch (error) {
    const isLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (isLarge) return { status, headers, body: '', unread: WORDS['too-large'] };
    const undecodable =
      error instanceof TypeError
        ? 'not UTF-8'
        : `content-encoding: ${error instanceof Error ? error.message : error}`;
    return { status, headers, body: plain.toString('utf8'), undecodable };
  }
}

function uncompress(coding: string, bytes: Buffer): Buffer {
  const bound = { maxOutputLength: MAX_BODY };
  switch (coding) {
    case '':
    case 'identity':
      return bytes;
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(bytes, bound);
    case 'deflate':
      return inflateSync(bytes, bound);
    case 'br':
      return brotliDecompressSync(bytes, bound);
    default:
      throw new Error(`${coding} is not understood`);
  }
}
