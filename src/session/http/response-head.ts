import type { Socket } from 'node:net';
import { MAX_HEADER_LINES, MAX_HEADERS } from './bounds.ts';
import { TooLarge } from './failures.ts';

/** How much of a response has arrived. */
export type Arrival = 'nothing' | 'interim' | 'head' | 'body';

/** Watches the heads of the responses that arrive over a connection. */
export interface HeadWatch {
  /** A request is about to be sent: the next response belongs to it. */
  expect(): void;
  arrival(): Arrival;
  /** The head of the response, once it is complete; the first bytes if they do not begin like HTTP. */
  head(): string | undefined;
  /** Whether bytes followed the response that belong to no request. */
  isSurplus(): boolean;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BEGINNING = 'HTTP/';
/** A client must be able to skip a 100 that it did not ask for (RFC 9110 section 15.2); undici takes it for an error. */
const CONTINUE = /^\s*HTTP\/1\.1 100[ \r\n]/;
const INTERIM = /^\s*HTTP\/1\.1 1(?!01)\d\d[ \r\n]/;

/**
 * Lets complete heads through to the parser that reads the socket. A head that is too large is read to its end but not
 * kept: a head without an end is the service's fault, the bound on its size is petspec's.
 */
export function watchHeads(socket: Socket): HeadWatch {
  let held: Buffer[] = [];
  let size = 0;
  let end = headEnd();
  let isHead = true;
  let arrival: Arrival = 'nothing';
  let head: string | undefined;
  const push = socket.push.bind(socket);
  /** Whether the parser wants more now. */
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

  /** Takes the part of a chunk that belongs to a head, and returns the rest. */
  function take(chunk: Buffer): Buffer {
    if (arrival === 'nothing' || size === 0) arrival = arrival === 'interim' ? 'interim' : 'head';
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
    arrival = INTERIM.test(text) ? 'interim' : 'body';
    if (arrival === 'body') {
      isHead = false;
      head = text;
    }
    release();
  }

  socket.push = (chunk: Buffer | null) => {
    isWanted = true;
    // The parser has to see what was cut off.
    if (chunk === null) {
      release();
      return push(null);
    }
    // Not recursive: one packet may hold thousands of interim responses.
    let rest = chunk;
    while (isHead && rest.length > 0 && !socket.destroyed) rest = take(rest);
    if (socket.destroyed) return false;
    return rest.length > 0 ? push(rest) : isWanted;
  };

  return {
    expect() {
      reset();
      isHead = true;
      arrival = 'nothing';
      head = undefined;
    },
    arrival: () => arrival,
    head: () => head,
    // The parser reads on: bytes after a response are either not HTTP, or a response that nobody asked for.
    isSurplus() {
      const { errored } = socket;
      return errored?.name === 'HTTPParserError' || errored?.message === 'bad response';
    },
  };
}

/** Finds the end of a head that arrives in pieces. */
function headEnd() {
  let lines = 0;
  /** Bytes of the current line, and the first of them. */
  let line = 0;
  let first = 0;
  return {
    lines: () => lines,
    /** The place in the next piece after the empty line that ends the head; undefined if the head goes on. */
    within(chunk: Buffer): number | undefined {
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
        if (line === 0) first = chunk[from] ?? 0;
        const length = line + at - from;
        from = at + 1;
        line = 0;
        lines += 1;
        const isEmpty = length === 0 || (length === 1 && first === CARRIAGE_RETURN);
        // Empty lines before the status line do not count.
        if (isEmpty && lines > 1) return from;
        if (isEmpty) lines = 0;
      }
      if (line === 0 && from < chunk.length) first = chunk[from] ?? 0;
      line += chunk.length - from;
      return undefined;
    },
  };
}
