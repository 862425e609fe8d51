import type { Duplex } from 'node:stream';
import { MAX_HEADER_LINES, MAX_HEADERS } from './bounds.ts';
import { RefusedResponse } from './failures.ts';

/** How much of a response has arrived. */
export type Arrival = 'nothing' | 'interim' | 'head' | 'body';

const BEGINNING = 'HTTP/';
/** A 100 that nobody asked for: a client must skip it (RFC 9110 section 15.2), but undici takes it for an error. */
const CONTINUE = /^\s*HTTP\/1\.1 100[ \r\n]/;
/** The response of a server that closes an idle connection (RFC 9110 section 15.5.9). */
const IDLE_TIMEOUT = /HTTP\/1\.[01] 408(?: [^\r\n]*)?\r\n(?:[^\r\n]+\r\n)*?connection: *close\r\n/i;
const INTERIM = /^\s*HTTP\/1\.1 1(?!01)\d\d[ \r\n]/;

/** How a watch handles a head that is too large. */
interface WatchOptions {
  /**
   * Whether a head that is too large is read to its end but not kept, which is the default: a head without an end is the fault of
   * the service, the bound is petspec's. If false, the connection ends at once.
   */
  readsLargeToEnd?: boolean;
}

/**
 * Watches the heads of the responses that arrive over a connection, and lets only complete heads through to the parser that reads
 * the socket.
 */
export class HeadWatch {
  readonly #socket: Duplex;
  readonly #push: Duplex['push'];
  readonly #readsLargeToEnd: boolean;
  #arrival: Arrival = 'nothing';
  #head: string | undefined;
  /** Whether the head of the response is still to come. */
  #isAwaited = true;
  #held: Buffer[] = [];
  #size = 0;
  #end = new HeadEnd();
  /** The last bytes after a head. */
  #last: Buffer | undefined;
  /** Whether the parser wants more now. */
  #isWanted = true;

  constructor(socket: Duplex, { readsLargeToEnd = true }: WatchOptions = {}) {
    this.#socket = socket;
    this.#readsLargeToEnd = readsLargeToEnd;
    this.#push = socket.push.bind(socket);
    socket.push = (chunk: Buffer | null) => this.#take(chunk);
  }

  /** How much of the response has arrived. */
  get arrival(): Arrival {
    return this.#arrival;
  }

  /** The head of the response, once it is complete; the first bytes if they do not begin like HTTP. */
  get head(): string | undefined {
    return this.#head;
  }

  /**
   * Whether other bytes or another response followed the response: the parser reads on. A 408 before an idle connection is closed
   * does not count.
   */
  get isSurplus(): boolean {
    const { errored } = this.#socket;
    const isWrong = errored?.name === 'HTTPParserError' || errored?.message === 'bad response';
    return isWrong && !IDLE_TIMEOUT.test(this.#last?.toString('latin1') ?? '');
  }

  /** Called before a request is sent: the next response belongs to it. */
  expect(): void {
    this.#drop();
    this.#isAwaited = true;
    this.#arrival = 'nothing';
    this.#head = undefined;
  }

  get #isTooLarge(): boolean {
    return this.#size > MAX_HEADERS || this.#end.lines > MAX_HEADER_LINES;
  }

  #take(chunk: Buffer | null): boolean {
    this.#isWanted = true;
    // The connection ended: the parser has to see the incomplete head.
    if (chunk === null) {
      this.#release();
      return this.#push(null);
    }
    // Not recursive: one packet may hold thousands of interim responses.
    let rest = chunk;
    while (this.#isAwaited && rest.length > 0 && !this.#socket.destroyed) rest = this.#takeHead(rest);
    if (this.#socket.destroyed) return false;
    if (rest.length > 0) this.#last = rest;
    return rest.length > 0 ? this.#push(rest) : this.#isWanted;
  }

  /** Takes the part of a chunk that belongs to a head, and returns the rest. */
  #takeHead(chunk: Buffer): Buffer {
    if (this.#arrival === 'nothing' || this.#size === 0)
      this.#arrival = this.#arrival === 'interim' ? 'interim' : 'head';
    const place = this.#end.within(chunk);
    const rest = chunk.subarray(place ?? chunk.length);
    this.#hold(chunk.subarray(0, place));
    const begun = this.#held[0]?.subarray(0, 64).toString('latin1').trimStart() ?? BEGINNING;
    if (!this.#isTooLarge && !BEGINNING.startsWith(begun.slice(0, BEGINNING.length))) {
      this.#isAwaited = false;
      this.#head = Buffer.concat(this.#held).subarray(0, 64).toString('latin1');
      this.#release();
    } else if (place !== undefined || (this.#isTooLarge && !this.#readsLargeToEnd)) this.#ended();
    return rest;
  }

  #hold(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#isTooLarge) this.#held = [];
    else this.#held.push(bytes);
  }

  #ended(): void {
    if (this.#isTooLarge) {
      this.#socket.destroy(new RefusedResponse('TOO_LARGE'));
      return;
    }
    const text = Buffer.concat(this.#held).toString('latin1');
    if (CONTINUE.test(text)) this.#held = [];
    this.#arrival = INTERIM.test(text) ? 'interim' : 'body';
    if (this.#arrival === 'body') {
      this.#isAwaited = false;
      this.#head = text;
    }
    this.#release();
  }

  #release(): void {
    for (const bytes of this.#held) if (bytes.length > 0) this.#isWanted = this.#push(bytes);
    this.#drop();
  }

  #drop(): void {
    this.#held = [];
    this.#size = 0;
    this.#end = new HeadEnd();
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Finds the end of a head that arrives in pieces. */
export class HeadEnd {
  /** Lines of the head so far. */
  lines = 0;
  /** Bytes of the current line, and its first byte. */
  #length = 0;
  #first = 0;

  /** Takes the next piece. Returns the place after the empty line that ends the head; undefined if the head goes on. */
  within(chunk: Buffer): number | undefined {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      if (this.#length === 0) this.#first = chunk[from] ?? 0;
      const length = this.#length + at - from;
      from = at + 1;
      this.#length = 0;
      this.lines += 1;
      const isEmpty = length === 0 || (length === 1 && this.#first === CARRIAGE_RETURN);
      // Empty lines before the status line do not count.
      if (isEmpty && this.lines > 1) return from;
      if (isEmpty) this.lines = 0;
    }
    if (this.#length === 0 && from < chunk.length) this.#first = chunk[from] ?? 0;
    this.#length += chunk.length - from;
    return undefined;
  }
}
