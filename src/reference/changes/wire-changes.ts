import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Answer } from '../http/answer.ts';
import { appendHeaders, bodyBytes, withHeaderOf } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { httpBytes, writeHead } from '../http/send.ts';
import type { Change, Line, Send } from './change.ts';
import type { CallWhere, Where } from './where.ts';
import { concerns, concernsCall } from './where.ts';

/** How far an answer gets: nothing of it, or its head and half of its body. */
export type Progress = 'nothing' | 'half';

/** Takes over the sending of the answers concerned. */
export function onWire(
  where: Where,
  take: (answer: Answer, call: Call, line: Line, next: Send) => void | Promise<void>,
): Change {
  return {
    wire: (answer, call, line, next) =>
      concerns(where, answer, call) ? take(answer, call, line, next) : next(answer),
  };
}

/** Head and half of the body, where the head announces the whole; resolves when they are handed to the socket. */
function sendHalf(answer: Answer, { outgoing }: Line): Promise<void> {
  const bytes = bodyBytes(answer);
  writeHead(answer, outgoing);
  if (bytes.length === 0) outgoing.flushHeaders();
  return new Promise((resolve) => {
    outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => resolve());
  });
}

async function sendSome(progress: Progress, answer: Answer, line: Line): Promise<void> {
  if (progress === 'half') await sendHalf(answer, line);
}

/** The answer comes this much later. */
export function delayed(where: CallWhere, ms: number): Change {
  return {
    around: async (call, next) => {
      if (concernsCall(where, call)) await call.pause(ms);
      return next(call);
    },
  };
}

/** The answer never ends. */
export function hanging(where: Where, after: Progress): Change {
  return onWire(where, async (answer, call, line) => {
    await sendSome(after, answer, line);
    await call.pause(Number.POSITIVE_INFINITY);
  });
}

/** The connection is reset (RST). */
export function resetting(where: Where, after: Progress): Change {
  return onWire(where, async (answer, _call, line) => {
    await sendSome(after, answer, line);
    // A reset that arrives together with data is read as an ordinary end: the client gets a turn to read it.
    for (let turn = 0; turn < 2; turn++) await setImmediate();
    line.socket.resetAndDestroy();
  });
}

/** The connection is closed in order (FIN), as if all had been said. */
export function cutShort(where: Where, after: Progress): Change {
  return onWire(where, async (answer, _call, line) => {
    await sendSome(after, answer, line);
    line.socket.end();
  });
}

/** Other bytes than an HTTP answer; then the connection closes. */
export function sendingRaw(where: Where, bytes: (answer: Answer) => string | Buffer): Change {
  return onWire(where, (answer, _call, { socket }) => {
    socket.end(bytes(answer));
  });
}

/** A Content-Length that need not be the body's; then the connection closes. */
export function withContentLength(where: Where, change: (length: number) => number): Change {
  return sendingRaw(where, (answer) =>
    httpBytes(withHeaderOf(answer, 'Content-Length', String(change(bodyBytes(answer).length)))),
  );
}

/** A 103 (RFC 8297) before the answer. */
export function withEarlyHints(where: Where): Change {
  return onWire(where, (answer, _call, { outgoing }, next) => {
    outgoing.writeEarlyHints({ link: '</v1>; rel=preconnect' });
    return next(answer);
  });
}

/** The body in chunks, without Content-Length (RFC 9112 §7.1). */
export function chunked(where: Where): Change {
  return onWire(where, (answer, _call, _line, next) =>
    next(appendHeaders(answer, [['Transfer-Encoding', 'chunked']])),
  );
}

/** The body compressed, whatever the client accepts. */
export function gzipped(where: Where): Change {
  return onWire(where, (answer, _call, _line, next) => {
    const encoded: Answer = appendHeaders(answer, [['Content-Encoding', 'gzip']]);
    return next({ ...encoded, body: gzipSync(bodyBytes(answer)) });
  });
}

/** The connection closes after the answer, which does not say so. */
export function closingAfter(where: Where): Change {
  return onWire(where, (answer, _call, { outgoing, socket }, next) => {
    outgoing.once('finish', () => socket.end());
    return next(answer);
  });
}
