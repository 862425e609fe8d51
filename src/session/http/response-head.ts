import type { Socket } from 'node:net';
import { MAX_HEADER_LINES, MAX_HEADERS } from './bounds.ts';
import { TooLarge } from './failures.ts';

/** How far a response has come. */
export type Progress = 'nothing' | 'interim' | 'head' | 'body';

/** Watches the heads of the responses that come over one connection. */
export interface HeadWatch {
  /** A request is about to be sent: what comes next answers it. */
  expect(): void;
  progress(): Progress;
  /** The head of the response as it came, once it is whole; the first bytes of what does not begin as HTTP does. */
  head(): string | undefined;
  /** Whether the response that was just read was followed by bytes that belong to nothing. */
  isSurplus(): boolean;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BEGINNING = 'HTTP/';
/** A client has to be able to skip it, though it asked for none (RFC 9110 section 15.2); undici takes it for an error. */
const CONTINUE = /^\s*HTTP\/1\.1 100[ \r\n]/;
const INTERIM = /^\s*HTTP\/1\.1 1(?!01)\d\d[ \r\n]/;

/**
 * Lets whole heads through to the parser that reads the socket. A head that is too large is not kept, but read to its
 * end: whether it has one is the service's matter, how much of it is read is petspec's.
 */
export function watchHeads(socket: Socket): HeadWatch {
  let held: Buffer[] = [];
  let size = 0;
  let end = headEnd();
  let isHead = true;
  let progress: Progress = 'nothing';
  let head: string | undefined;
  const push = socket.push.bind(socket);
  /** Whether the parser wants more for now. */
  let isWanted = true;

  function reset(): void {
    held = [];
    size = 0;
    end = headEnd();
  }

  function release(): void {
    for (const each of held) if (each.length > 0) isWanted = push(each);
    reset();
  }

  const isTooLarge = () => size > MAX_HEADERS || end.lines() > MAX_HEADER_LINES;

  function hold(bytes: Buffer): void {
    size += bytes.length;
    if (isTooLarge()) held = [];
    else held.push(bytes);
  }

  /** Takes what belongs to a head, and leaves what comes after it. */
  function take(chunk: Buffer): Buffer {
    if (progress === 'nothing' || size === 0) progress = progress === 'interim' ? 'interim' : 'head';
    const place = end.within(chunk);
    const rest = chunk.subarray(place ?? chunk.length);
    hold(chunk.subarray(0, place));
    const begun = held[0]?.subarray(0, 64).toString('latin1').trimStart() ?? BEGINNING;
    if (!isTooLarge() && !BEGINNING.startsWith(begun.slice(0, BEGINNING.length))) {
      isHead = false;
      head = Buffer.concat(held).subarray(0, 64).toString('latin1');
      release();
    } else if (place !== undefined) ended();
    return rest;
  }

  function ended(): void {
    if (isTooLarge()) {
      socket.destroy(new TooLarge());
      return;
    }
    const text = Buffer.concat(held).toString('latin1');
    if (CONTINUE.test(text)) held = [];
    progress = INTERIM.test(text) ? 'interim' : 'body';
    if (progress === 'body') {
      isHead = false;
      head = text;
    }
    release();
  }

  socket.push = (chunk: Buffer | null) => {
    isWanted = true;
    // Whoever reads it has to see what was cut off.
    if (chunk === null) {
      release();
      return push(null);
    }
    // No recursion: one packet may hold thousands of interim responses.
    let rest = chunk;
    while (isHead && rest.length > 0 && !socket.destroyed) rest = take(rest);
    if (socket.destroyed) return false;
    return rest.length > 0 ? push(rest) : isWanted;
  };

  return {
    expect() {
      reset();
      isHead = true;
      progress = 'nothing';
      head = undefined;
    },
    progress: () => progress,
    head: () => head,
    // The parser reads on: what comes after a response is either no HTTP, or the answer to nothing that was asked.
    isSurplus() {
      const { errored } = socket;
      return errored?.name === 'HTTPParserError' || errored?.message === 'bad response';
    },
  };
}

/** Finds the end of a head that comes in pieces. */
function headEnd() {
  let lines = 0;
  /** Bytes of the line that has begun, and the first of them. */
  let line = 0;
  let first = 0;
  return {
    lines: () => lines,
    /** The place in the next piece after the empty line of the head; undefined where it goes on. */
    within(chunk: Buffer): number | undefined {
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
        if (line === 0) first = chunk[from] ?? 0;
        const length = line + at - from;
        from = at + 1;
        line = 0;
        lines += 1;
        const isEmpty = length === 0 || (length === 1 && first === CARRIAGE_RETURN);
        // Empty lines before a status line are none of it.
        if (isEmpty && lines > 1) return from;
        if (isEmpty) lines = 0;
      }
      if (line === 0 && from < chunk.length) first = chunk[from] ?? 0;
      line += chunk.length - from;
      return undefined;
    },
  };
}
