import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Change, Where } from '../../changes/change.ts';
import { onWire, sendingRaw } from '../../changes/changes.ts';
import type { Answer } from '../../http/answer.ts';
import { appendHeaders, bodyBytes, httpBytes, withHeaderOf } from '../../http/answer.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';

const LINES = 'RFC 9112 section 5.1: optional white space surrounds a field value';
const STATUS_LINE = 'RFC 9112 section 4: a client ignores the reason phrase, which may be empty';
const VERSION =
  'RFC 9112 section 2.3 and RFC 9110 section 2.5: a server may answer with a lower minor version';
const CLOSING = 'RFC 9112 section 6.3: without a length, a body lasts until the connection closes';
const CHUNKS = 'RFC 9112 section 7.1: sizes are hexadecimal in any case; extensions and trailers may follow';

const all: Where = {};

/** Changes the head as text. The connection closes after the body. */
function withHead(
  change: (head: string) => string,
  prepare: (answer: Answer) => Answer = (answer) => answer,
): Change {
  return sendingRaw(all, (answer) => {
    const text = httpBytes(prepare(answer)).toString('latin1');
    const end = text.indexOf('\r\n\r\n');
    return Buffer.from(change(text.slice(0, end)) + text.slice(end), 'latin1');
  });
}

const closes = (answer: Answer) => withHeaderOf(answer, 'Connection', 'close');

/** Chunk sizes with leading zeros and an extension, and a trailer. */
function chunkedOddly(answer: Answer): Buffer {
  const bytes = bodyBytes(answer);
  const head = httpBytes({ ...withHeaderOf(closes(answer), 'Transfer-Encoding', 'chunked'), body: '' });
  const size = bytes.length.toString(16).toUpperCase().padStart(6, '0');
  const last = '\r\n0;last\r\nServer-Timing: db;dur=53\r\n\r\n';
  return Buffer.concat([head, Buffer.from(`${size};part=1;name="a b"\r\n`), bytes, Buffer.from(last)]);
}

/** Messages that are written in another way and mean the same. */
export const framingVariants: readonly Variant[] = [
  ...allowedBy(LINES, {
    'header-no-space': ['no space follows the colon', withHead((head) => head.replace(/: /g, ':'), closes)],
    'header-more-space': [
      'spaces and tabs surround the values',
      withHead((head) => head.replace(/(?<!Content-Length): (.*)/g, ':\t  $1 \t'), closes),
    ],
  }),
  ...allowedBy(STATUS_LINE, {
    'reason-empty': [
      'the status line has no reason phrase',
      withHead((head) => head.replace(/^(\S+ \d+ ).*/, '$1'), closes),
    ],
    'reason-own': [
      'the status line has a custom reason phrase',
      withHead((head) => head.replace(/^(\S+ \d+ ).*/, '$1Sch\u00f6n & gut: 404 500'), closes),
    ],
  }),
  variantOf(
    'http-1-0',
    'responses use HTTP/1.0, and the connection closes',
    VERSION,
    withHead((head) => head.replace('HTTP/1.1', 'HTTP/1.0')),
  ),
  ...allowedBy(CLOSING, {
    'http-1-0-no-length': [
      'responses use HTTP/1.0 without Content-Length',
      withHead((head) => head.replace('HTTP/1.1', 'HTTP/1.0').replace(/\r\nContent-Length:.*/i, '')),
    ],
    'until-close': [
      'a body without a length ends with the connection',
      withHead((head) => head.replace(/\r\nContent-Length:.*/i, ''), closes),
    ],
  }),
  variantOf(
    'chunked-oddly',
    'a chunk has an extension, and the body has a trailer',
    CHUNKS,
    sendingRaw(all, chunkedOddly),
  ),
];

const ANY =
  'RFC 9110 section 12.5.3: without Accept-Encoding "any content coding is considered acceptable by the user agent"';
const NAMES = 'RFC 9110 section 8.4.1: "All content codings are case-insensitive"; x-gzip is gzip';

/** Encodes every body, unless Accept-Encoding excludes the coding. */
function coded(name: string, compress: (bytes: Buffer) => Buffer): Change {
  return onWire({}, (answer, call, _line, next) => {
    const accepts = call.headers['accept-encoding'];
    const codings = name.toLowerCase().replace('x-', '').split(', ');
    const isTaken =
      accepts === undefined || codings.every((coding) => coding === 'identity' || accepts.includes(coding));
    const bytes = bodyBytes(answer);
    if (!isTaken || bytes.length === 0) return next(answer);
    return next({ ...appendHeaders(answer, [['Content-Encoding', name]]), body: compress(bytes) });
  });
}

/** Zstandard (RFC 8878) without compression: one frame of raw blocks. Node 20 has no Zstandard. */
function zstdFrame(bytes: Buffer): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0]);
  head.writeUInt32LE(bytes.length, 5);
  const blocks: Buffer[] = [];
  const most = 128 * 1024;
  for (let at = 0; at < bytes.length; at += most) {
    const block = bytes.subarray(at, at + most);
    const isLast = at + most >= bytes.length;
    const blockHead = Buffer.alloc(3);
    blockHead.writeUIntLE((block.length << 3) | (isLast ? 1 : 0), 0, 3);
    blocks.push(blockHead, block);
  }
  return Buffer.concat([head, ...blocks]);
}

/** Two members of one gzip file (RFC 1952 section 2.2), as from a server that compresses piece by piece. */
function inMembers(bytes: Buffer): Buffer {
  const middle = bytes.length >> 1;
  return Buffer.concat([gzipSync(bytes.subarray(0, middle)), gzipSync(bytes.subarray(middle))]);
}

/** Content codings that no request asked for. */
export const compressionVariants: readonly Variant[] = [
  ...allowedBy(ANY, {
    gzip: ['bodies are compressed with gzip', coded('gzip', gzipSync)],
    'gzip-members': ['bodies are gzip files with two members', coded('gzip', inMembers)],
  }),
  ...allowedBy(NAMES, {
    'gzip-upper-case': ['the coding is written GZIP', coded('GZIP', gzipSync)],
    'x-gzip': ['the coding is called x-gzip', coded('x-gzip', gzipSync)],
  }),
  ...allowedBy(ANY, {
    deflate: ['bodies are compressed with deflate', coded('deflate', deflateSync)],
    brotli: ['bodies are compressed with Brotli', coded('br', brotliCompressSync)],
    zstd: [
      'bodies are compressed with Zstandard, unless the client accepts only other codings',
      coded('zstd', zstdFrame),
    ],
  }),
  variantOf(
    'codings-two',
    'bodies are compressed twice',
    'RFC 9110 section 8.4: codings are listed in the order in which they were applied',
    coded('deflate, gzip', (bytes) => gzipSync(deflateSync(bytes))),
  ),
  variantOf(
    'identity',
    'bodies are declared as identity, which means not compressed',
    'RFC 9110 section 8.4.1: identity is a reserved name',
    coded('identity', (bytes) => bytes),
  ),
];
