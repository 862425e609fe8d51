import { setTimeout as wait } from 'node:timers/promises';
import { appendHeaders, bodyBytes } from '../answer.ts';
import type { Call } from '../call.ts';
import type { Deviation } from '../deviation.ts';
import {
  chunked,
  closingAfter,
  delayed,
  onAnswer,
  onWire,
  withEarlyHints,
  withHeader,
} from '../deviations.ts';
import { writeHead } from '../send.ts';
import type { Where } from '../where.ts';
import { type Variant, variantOf } from './variant.ts';

const LATENCY = 'What the service does: how long an answer may take is not said';
const PERSISTENCE =
  'RFC 9112 section 9.3 to 9.6: a server may close a connection after a response, and an idle one at any time';
const INTERIM = 'RFC 9110 section 15.2: "A client MUST be able to parse one or more 1xx responses"';
const CHUNKS = 'RFC 9112 section 7.1: a body in chunks, of any size, with extensions and trailers';
const PARALLEL = 'What the service does: in which order concurrent requests are served is not said';

const all: Where = {};

/** The n-th answer of each connection is the last one. */
function closingEach(count: number, isTold: boolean): Deviation {
  const isLast = (call: Call) =>
    call.log.filter(({ connection }) => connection === call.connection).length % count === 0;
  return isTold
    ? onAnswer({ when: isLast }, (answer) => appendHeaders(answer, [['Connection', 'close']]))
    : closingAfter({ when: isLast });
}

/** An idle connection is closed after this many ms of the machine's time. */
function closingIdle(ms: number): Deviation {
  return onWire(all, (answer, _call, { outgoing, socket }, next) => {
    outgoing.once('finish', () => {
      const timer = setTimeout(() => socket.end(), ms);
      socket.once('data', () => clearTimeout(timer));
    });
    return next(answer);
  });
}

/** Chunks of a few bytes, which cut characters in two. */
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

/** Head and half of the body at once, the rest later. */
function halting(ms: number): Deviation {
  return onWire(all, async (answer, call, { outgoing }) => {
    const bytes = bodyBytes(answer);
    writeHead(answer, outgoing);
    outgoing.write(bytes.subarray(0, bytes.length >> 1));
    await call.pause(ms);
    outgoing.end(bytes.subarray(bytes.length >> 1));
  });
}

/** Counted and done at once, answered a while later, so that answers overtake each other. */
const overtaking: Deviation = {
  around: async (call, next) => {
    const answer = await next(call);
    await call.pause(((call.number * 7) % 4) * 20);
    return answer;
  },
};

/** One request at a time, as a service with a single worker has it. */
const queueing: Deviation = {
  around: (call, next) => {
    const queue = call.recall('queueing', () => ({ last: Promise.resolve() }));
    const answer = queue.last.then(async () => {
      await wait(1);
      return next(call);
    });
    queue.last = answer.then(
      () => {},
      () => {},
    );
    return answer;
  },
};

/** Ways of connections and of time that differ from the reference's own and conform. */
export const connectionsVariants: readonly Variant[] = [
  variantOf(
    'closes-told',
    'each response says that the connection closes',
    PERSISTENCE,
    withHeader(all, 'Connection', 'close'),
  ),
  variantOf(
    'closes-untold',
    'the connection closes after each response, which does not say so',
    PERSISTENCE,
    closingAfter(all),
  ),
  variantOf(
    'closes-third-told',
    'every third response of a connection is its last, and says so',
    PERSISTENCE,
    closingEach(3, true),
  ),
  variantOf(
    'closes-third-untold',
    'every third response of a connection is its last',
    PERSISTENCE,
    closingEach(3, false),
  ),
  ...[0, 1, 3].map((ms) =>
    variantOf(
      `closes-idle-${ms}`,
      `a connection that is idle for ${ms} ms is closed`,
      PERSISTENCE,
      closingIdle(ms),
    ),
  ),
  variantOf(
    'keep-alive-told',
    'a header says how long an idle connection is kept',
    PERSISTENCE,
    withHeader(all, 'Connection', 'keep-alive'),
    withHeader(all, 'Keep-Alive', 'timeout=5, max=1000'),
  ),
  variantOf(
    'keep-alive-second',
    'a header says that an idle connection is kept for a second',
    PERSISTENCE,
    withHeader(all, 'Connection', 'Keep-Alive'),
    withHeader(all, 'Keep-Alive', 'timeout=1'),
  ),
  variantOf('early-hints', '103 comes before each answer', INTERIM, withEarlyHints(all)),
  variantOf(
    'interim-several',
    '102, 102 and 103 come before each answer',
    INTERIM,
    withEarlyHints(all),
    onWire(all, (answer, _call, { outgoing }, next) => {
      outgoing.writeProcessing();
      outgoing.writeProcessing();
      return next(answer);
    }),
  ),
  variantOf('chunked', 'bodies come in chunks', CHUNKS, chunked(all)),
  variantOf('chunked-small', 'bodies come in chunks of seven bytes', CHUNKS, inSmallChunks),
  variantOf('chunked-trailer', 'a trailer follows the body', CHUNKS, withTrailer),
  variantOf(
    'slow-first',
    'the first answer takes nine seconds',
    LATENCY,
    delayed({ when: ({ number }) => number === 1 }, 9_000),
  ),
  variantOf('slow-2s', 'every answer takes two seconds', LATENCY, delayed(all, 2_000)),
  variantOf('slow-9s', 'every answer takes nine seconds', LATENCY, delayed(all, 9_000)),
  variantOf('slow-post', 'adding takes eight seconds', LATENCY, delayed({ operation: 'createPet' }, 8_000)),
  variantOf('slow-fetch', 'fetching takes four seconds', LATENCY, delayed({ operation: 'getPet' }, 4_000)),
  variantOf(
    'slow-messages',
    'the message address takes nine seconds',
    LATENCY,
    delayed({ listener: 'messages' }, 9_000),
  ),
  variantOf(
    'slow-now-and-then',
    'every tenth answer takes nine seconds',
    LATENCY,
    delayed({ when: ({ number }) => number % 10 === 0 }, 9_000),
  ),
  variantOf('slow-body', 'half of a body comes a second later', LATENCY, halting(1_000)),
  variantOf('overtaking', 'answers overtake each other', PARALLEL, overtaking),
  variantOf('queueing', 'one request is served at a time', PARALLEL, queueing),
];
