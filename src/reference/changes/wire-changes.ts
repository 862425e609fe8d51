import { setImmediate } from 'node:timers/promises';
import type { Answer } from '../http/answer.ts';
import { appendHeaders, bodyBytes, httpBytes, withHeaderOf, writeHead } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { CallWhere, Change, Line, Send, Where } from './change.ts';
import { concerns, concernsCall } from './change.ts';

/** How much of an answer is sent: nothing, or its head and half of its body. */
export type SentPortion = 'nothing' | 'half';

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

/** Sends nothing, or the head, which announces the whole body, and half of it. Resolves when the socket has them. */
async function sendSome(progress: SentPortion, answer: Answer, { outgoing }: Line): Promise<void> {
  if (progress === 'nothing') return;
  const bytes = bodyBytes(answer);
  writeHead(answer, outgoing);
  if (bytes.length === 0) outgoing.flushHeaders();
  await new Promise<void>((resolve) => {
    outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => resolve());
  });
}

/** Delays the answer. */
export function delayed(where: CallWhere, ms: number): Change {
  return {
    around: async (call, next) => {
      if (concernsCall(where, call)) await call.pause(ms);
      return next(call);
    },
  };
}

/** Never completes the answer. */
export function hanging(where: Where, after: SentPortion): Change {
  return onWire(where, async (answer, call, line) => {
    await sendSome(after, answer, line);
    await call.pause(Number.POSITIVE_INFINITY);
  });
}

/** Resets the connection (RST). */
export function resetting(where: Where, after: SentPortion): Change {
  return onWire(where, async (answer, _call, line) => {
    await sendSome(after, answer, line);
    // A reset that arrives with data looks like a normal end, so the client gets a turn to read the data first.
    for (let turn = 0; turn < 2; turn++) await setImmediate();
    line.socket.resetAndDestroy();
  });
}

/** Closes the connection normally (FIN), as if the answer were complete. */
export function cutShort(where: Where, after: SentPortion): Change {
  return onWire(where, async (answer, _call, line) => {
    await sendSome(after, answer, line);
    line.socket.end();
  });
}

/** Sends these bytes instead of the HTTP answer, then closes the connection. */
export function sendingRaw(where: Where, bytes: (answer: Answer) => string | Buffer): Change {
  return onWire(where, (answer, _call, { socket }) => {
    socket.end(bytes(answer));
  });
}

/** Changes Content-Length without the body, then closes the connection. */
export function withContentLength(where: Where, change: (length: number) => number): Change {
  return sendingRaw(where, (answer) =>
    httpBytes(withHeaderOf(answer, 'Content-Length', String(change(bodyBytes(answer).length)))),
  );
}

/** Sends a 103 (RFC 8297) before the answer. */
export function withEarlyHints(where: Where): Change {
  return onWire(where, (answer, _call, { outgoing }, next) => {
    outgoing.writeEarlyHints({ link: '</v1>; rel=preconnect' });
    return next(answer);
  });
}

/** Sends the body in chunks, without Content-Length (RFC 9112 §7.1), but to no client of HTTP/1.0 (§6.1). */
export function chunked(where: Where): Change {
  return onWire(where, (answer, _call, { outgoing }, next) =>
    next(
      outgoing.req.httpVersion === '1.0' || answer.body === undefined
        ? answer
        : appendHeaders(answer, [['Transfer-Encoding', 'chunked']]),
    ),
  );
}

/** Closes the connection after the answer, without notice. */
export function closingAfter(where: Where): Change {
  return onWire(where, (answer, _call, { outgoing, socket }, next) => {
    outgoing.once('finish', () => socket.end());
    return next(answer);
  });
}
