import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Change } from '../../changes/change.ts';
import { onWire } from '../../changes/changes.ts';
import { appendHeaders, bodyBytes } from '../../http/answer.ts';
import { type Variant, variantOf } from '../variant.ts';

const ANY =
  'RFC 9110 section 12.5.3: without Accept-Encoding "any content coding is considered acceptable by the user agent"';
const NAMES = 'RFC 9110 section 8.4.1: "All content codings are case-insensitive"; x-gzip is gzip';

/** Encodes every body, unless Accept-Encoding excludes the coding. */
function coded(name: string, compress: (bytes: Buffer) => Buffer): Change {
  return onWire({}, (answer, call, _line, next) => {
    const accepts = call.headers['accept-encoding'];
    const codings = name.toLowerCase().replace('x-', '').split(', ');
    const isTaken =
      accepts === undefined || codings.every((each) => each === 'identity' || accepts.includes(each));
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
  variantOf('gzip', 'bodies are compressed with gzip', ANY, coded('gzip', gzipSync)),
  variantOf('gzip-members', 'bodies are gzip files with two members', ANY, coded('gzip', inMembers)),
  variantOf('gzip-upper-case', 'the coding is written GZIP', NAMES, coded('GZIP', gzipSync)),
  variantOf('x-gzip', 'the coding is called x-gzip', NAMES, coded('x-gzip', gzipSync)),
  variantOf('deflate', 'bodies are compressed with deflate', ANY, coded('deflate', deflateSync)),
  variantOf('brotli', 'bodies are compressed with Brotli', ANY, coded('br', brotliCompressSync)),
  variantOf(
    'zstd',
    'bodies are compressed with Zstandard, unless the client accepts only other codings',
    ANY,
    coded('zstd', zstdFrame),
  ),
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
