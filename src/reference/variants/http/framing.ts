import type { Change } from '../../changes/change.ts';
import { sendingRaw } from '../../changes/changes.ts';
import type { Where } from '../../changes/where.ts';
import type { Answer } from '../../http/answer.ts';
import { bodyBytes, withHeaderOf } from '../../http/answer.ts';
import { httpBytes } from '../../http/send.ts';
import { type Variant, variantOf } from '../variant.ts';

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
  variantOf(
    'header-no-space',
    'no space follows the colon',
    LINES,
    withHead((head) => head.replace(/: /g, ':'), closes),
  ),
  variantOf(
    'header-more-space',
    'spaces and tabs surround the values',
    LINES,
    withHead((head) => head.replace(/(?<!Content-Length): (.*)/g, ':\t  $1 \t'), closes),
  ),
  variantOf(
    'reason-empty',
    'the status line has no reason phrase',
    STATUS_LINE,
    withHead((head) => head.replace(/^(\S+ \d+ ).*/, '$1'), closes),
  ),
  variantOf(
    'reason-own',
    'the status line has a custom reason phrase',
    STATUS_LINE,
    withHead((head) => head.replace(/^(\S+ \d+ ).*/, '$1Sch\u00f6n & gut: 404 500'), closes),
  ),
  variantOf(
    'http-1-0',
    'responses use HTTP/1.0, and the connection closes',
    VERSION,
    withHead((head) => head.replace('HTTP/1.1', 'HTTP/1.0')),
  ),
  variantOf(
    'http-1-0-no-length',
    'responses use HTTP/1.0 without Content-Length',
    CLOSING,
    withHead((head) => head.replace('HTTP/1.1', 'HTTP/1.0').replace(/\r\nContent-Length:.*/i, '')),
  ),
  variantOf(
    'until-close',
    'a body without a length ends with the connection',
    CLOSING,
    withHead((head) => head.replace(/\r\nContent-Length:.*/i, ''), closes),
  ),
  variantOf(
    'chunked-oddly',
    'a chunk has an extension, and the body has a trailer',
    CHUNKS,
    sendingRaw(all, chunkedOddly),
  ),
];
