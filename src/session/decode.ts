import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { LARGER, MAX_BODY, MAX_CODINGS } from './bounds.ts';
import { type HeaderLine, headerValues, type Received } from './exchange.ts';

/** Undoes the content encoding (RFC 9110 section 8.4) and reads UTF-8 strictly, so that nothing wrong is papered over. */
export function decode(status: number, headers: HeaderLine[], bytes: Buffer): Received {
  let plain = bytes;
  const codings = codingsOf(headers);
  if (codings.length > MAX_CODINGS)
    return { status, headers, body: '', unread: `more than ${MAX_CODINGS} content codings are not undone` };
  try {
    for (const coding of codings.reverse()) plain = uncompress(coding, plain);
    const body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain);
    return { status, headers, body };
  } catch (error) {
    const isLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (isLarge) return { status, headers, body: '', unread: LARGER };
    const undecodable =
      error instanceof TypeError
        ? 'not UTF-8'
        : `content-encoding: ${error instanceof Error ? error.message : error}`;
    return { status, headers, body: plain.toString('utf8'), undecodable };
  }
}

/** The codings of a body in the order in which they were applied; `identity` is none. */
function codingsOf(headers: readonly HeaderLine[]): string[] {
  return headerValues(headers, 'content-encoding')
    .flatMap((value) => value.split(','))
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '' && each !== 'identity');
}

function uncompress(coding: string, bytes: Buffer): Buffer {
  const bound = { maxOutputLength: MAX_BODY };
  switch (coding) {
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
