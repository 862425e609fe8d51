import type { Change, Where } from '../../changes/change.ts';
import {
  chunked,
  closingAfter,
  onAnswer,
  onWire,
  withEarlyHints,
  withHeader,
} from '../../changes/changes.ts';
import { appendHeaders, bodyBytes, writeHead } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';

const PERSISTENCE =
  'RFC 9112 section 9.3 to 9.6: a server may close a connection after a response, and an idle one at any time';
const INTERIM = 'RFC 9110 section 15.2: "A client MUST be able to parse one or more 1xx responses"';
const CHUNKS = 'RFC 9112 section 7.1: a body in chunks, of any size, with extensions and trailers';

const all: Where = {};

/** Closes each connection after its n-th response. */
function closingEach(count: number, isTold: boolean): Change {
  const isLast = (call: Call) =>
    call.log.filter(({ connection }) => connection === call.connection).length % count === 0;
  return isTold
    ? onAnswer({ when: isLast }, (answer) => appendHeaders(answer, [['Connection', 'close']]))
    : closingAfter({ when: isLast });
}

const IDLE =
  'RFC 9110 section 15.5.9: a 408 says that the server closes a connection on which no request came in time';
const TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Closes an idle connection after this many ms of real time. @param last what it sends before */
function closingIdle(ms: number, last = ''): Change {
  return onWire(all, (answer, _call, { outgoing, socket }, next) => {
    outgoing.once('finish', () => {
      const timer = setTimeout(() => socket.end(last), ms);
      socket.once('data', () => clearTimeout(timer));
    });
    return next(answer);
  });
}

/** Chunks of a few bytes, which split characters. */
const inSmallChunks = onWire(all, async (answer, _call, { outgoing }) => {
  writeHead(appendHeaders(answer, [['Transfer-Encoding', 'chunked']]), outgoing);
  const bytes = bodyBytes(answer);
  for (let at = 0; at < bytes.length; at += 7) outgoing.write(bytes.subarray(at, at + 7));
  outgoing.end();
});

const withTrailer = onWire(all, (answer, _call, { outgoing }) => {
  writeHead(
    appendHeaders(answer, [
      ['Transfer-Encoding', 'chunked'],
      ['Trailer', 'Server-Timing'],
    ]),
    outgoing,
  );
  outgoing.write(bodyBytes(answer));
  outgoing.addTrailers({ 'Server-Timing': 'db;dur=53' });
  outgoing.end();
});

/** Connections that differ from the reference's and conform. */
export const connectionsVariants: readonly Variant[] = [
  ...allowedBy(PERSISTENCE, {
    'closes-told': ['each response says that the connection closes', withHeader(all, 'Connection', 'close')],
    'closes-untold': ['the connection closes after each response without notice', closingAfter(all)],
    'closes-third-told': [
      'the connection closes after every third response, which says so',
      closingEach(3, true),
    ],
    'closes-third-untold': [
      'the connection closes after every third response without notice',
      closingEach(3, false),
    ],
  }),
  ...[0, 1, 3].map((ms) =>
    variantOf(`closes-idle-${ms}`, `an idle connection closes after ${ms} ms`, PERSISTENCE, closingIdle(ms)),
  ),
  ...[0, 1].map((ms) =>
    variantOf(
      `idle-408-${ms}`,
      `an idle connection closes after ${ms} ms with a 408`,
      IDLE,
      closingIdle(ms, TIMEOUT),
    ),
  ),
  ...allowedBy(PERSISTENCE, {
    'keep-alive-told': [
      'a header says how long an idle connection stays open',
      withHeader(all, 'Connection', 'keep-alive'),
      withHeader(all, 'Keep-Alive', 'timeout=5, max=1000'),
    ],
    'keep-alive-second': [
      'a header says that an idle connection stays open for a second',
      withHeader(all, 'Connection', 'Keep-Alive'),
      withHeader(all, 'Keep-Alive', 'timeout=1'),
    ],
  }),
  ...allowedBy(INTERIM, {
    'early-hints': ['a 103 precedes each response', withEarlyHints(all)],
    'interim-several': [
      '102, 102 and 103 precede each response',
      withEarlyHints(all),
      onWire(all, (answer, _call, { outgoing }, next) => {
        outgoing.writeProcessing();
        outgoing.writeProcessing();
        return next(answer);
      }),
    ],
  }),
  ...allowedBy(CHUNKS, {
    chunked: ['bodies are chunked', chunked(all)],
    'chunked-small': ['bodies are chunked, seven bytes per chunk', inSmallChunks],
    'chunked-trailer': ['a trailer follows the body', withTrailer],
  }),
];
