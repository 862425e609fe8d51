import { MAX_BODY } from '../../session/http/bounds.ts';
import { isStream, MAX_STREAM, wholeLines } from '../../session/http/read-response.ts';
import { type FlatLines, hasLine, pairsOf } from './end-to-end.ts';

/** A body that passed, as on the wire. */
export interface PassedBody {
  /** One character for each byte. Undefined: it was too large to keep. */
  bytes?: string;
  /** In bytes. */
  size: number;
}

/** An exchange that passed through the proxy. It holds secrets. */
export interface Passed {
  method: string;
  /** Absolute, at the target. */
  url: string;
  requestHeaders: FlatLines;
  requestBody: PassedBody;
  /** ms since the epoch, with fractions. */
  sentAt: number;
  receivedAt: number;
  status: number;
  responseHeaders: FlatLines;
  responseBody: PassedBody;
}

/** Why a request has no complete response of the target. */
export type Unanswered = 'unreachable' | 'broken-off' | 'client-left';

/** Bytes that exchanges may take up together until they are judged. */
const MAX_HELD = 64 * 1024 * 1024;

/** The memory that all exchanges share. */
export class SharedMemory {
  #held = 0;
  readonly #most: number;

  constructor(most = MAX_HELD) {
    this.#most = most;
  }

  /** Whether there is room for so many bytes more. They are taken if there is. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#most) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

/** Keeps a copy of a body while it passes, unless it is too large. */
export class BodyCopy {
  #chunks: Buffer[] = [];
  #held = 0;
  #size = 0;
  #isWhole = true;
  #excerpt: { most: number; onFull: () => void } | undefined;
  readonly #room: SharedMemory;

  constructor(room: SharedMemory) {
    this.#room = room;
  }

  /** Keeps no more than the beginning. @param onFull called once that has come */
  keepBeginning(most: number, onFull: () => void): void {
    this.#excerpt = { most, onFull };
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (!this.#isWhole) return;
    if (this.#excerpt && this.#size > this.#excerpt.most) {
      this.#excerpt.onFull();
      return;
    }
    if (this.#size > MAX_BODY || !this.#room.take(chunk.length)) {
      this.release();
      return;
    }
    this.#held += chunk.length;
    this.#chunks.push(chunk);
  }

  /** The body. Its memory stays taken until somebody releases so many bytes. */
  take(): PassedBody {
    if (!this.#isWhole) return { size: this.#size };
    const [first, ...rest] = this.#chunks;
    const bytes = rest.length === 0 ? first : Buffer.concat(this.#chunks);
    return { bytes: bytes?.toString('latin1') ?? '', size: this.#size };
  }

  /** The whole lines that came until now; nothing after them is kept. */
  takeLines(): PassedBody {
    if (!this.#isWhole) return { size: this.#size };
    const kept = wholeLines(Buffer.concat(this.#chunks));
    this.#room.release(this.#held - kept.length);
    this.#isWhole = false;
    this.#chunks = [];
    this.#held = 0;
    return { bytes: kept.toString('latin1'), size: this.#size };
  }

  /** Keeps nothing more. */
  release(): void {
    this.#isWhole = false;
    this.#chunks = [];
    this.#room.release(this.#held);
    this.#held = 0;
  }
}

/** The bytes of an exchange that take up room until it is judged. */
export function bytesIn(passed: Passed): number {
  return headBytesIn(passed) + bodyBytesIn(passed);
}

/** The bytes that the bodies of an exchange take up from when they pass. */
export function bodyBytesIn({ requestBody, responseBody }: Passed): number {
  return (requestBody.bytes?.length ?? 0) + (responseBody.bytes?.length ?? 0);
}

function headBytesIn({ url, requestHeaders, responseHeaders }: Passed): number {
  return [...requestHeaders, ...responseHeaders].reduce((sum, text) => sum + text.length, url.length);
}

/**
 * Takes the room of the URL and the headers of an exchange: its bodies have theirs already. If there is none, the bodies are
 * released. Returns whether there was room.
 */
export function admit(passed: Passed, room: SharedMemory): boolean {
  if (room.take(headBytesIn(passed))) return true;
  room.release(bodyBytesIn(passed));
  return false;
}

/** ms since the epoch, with fractions. */
const now = () => performance.timeOrigin + performance.now();

/** Watches one exchange pass, and reports it once it is complete. */
export class Witness {
  readonly requestBody: BodyCopy;
  readonly responseBody: BodyCopy;
  readonly #request: { method: string; url: string; headers: FlatLines };
  readonly #onPassed: (passed: Passed) => void;
  #sentAt = 0;
  #isRequestWhole = true;
  #head: { status: number; headers: FlatLines } | undefined;
  #isStream = false;
  #isOver = false;

  constructor(
    request: { method: string; url: string; headers: FlatLines },
    room: SharedMemory,
    onPassed: (passed: Passed) => void,
  ) {
    this.#request = request;
    this.#onPassed = onPassed;
    this.requestBody = new BodyCopy(room);
    this.responseBody = new BodyCopy(room);
  }

  /** The request goes out. */
  begin(): void {
    this.#sentAt = now();
  }

  /** The request has a body, which is whole once this is called with true. */
  requestIsWhole(isWhole: boolean): void {
    this.#isRequestWhole = isWhole;
  }

  head(status: number, headers: FlatLines): void {
    this.#head = { status, headers };
    this.#isStream = isStream({ headers: pairsOf(headers) });
    if (this.#isStream) this.responseBody.keepBeginning(MAX_STREAM, () => this.#pass(true));
  }

  /** The response is complete. */
  end(): void {
    this.#pass(false);
  }

  /** There will be no complete response. The beginning of a stream is reported nevertheless: then it returns true. */
  breakOff(): boolean {
    if (this.#isStream) this.#pass(true);
    else this.release();
    return this.#isStream;
  }

  /** @param isCut whether the response is the beginning of a stream */
  #pass(isCut: boolean): void {
    if (!this.#head || this.#isOver) return;
    this.#isOver = true;
    // The beginning of a compressed body cannot be read.
    if (isCut && hasLine(this.#head.headers, 'content-encoding')) this.responseBody.release();
    const { method, url, headers } = this.#request;
    // A target may respond before it has the whole request: then the body of the request is not judged.
    if (!this.#isRequestWhole) this.requestBody.release();
    this.#onPassed({
      method,
      url,
      requestHeaders: headers,
      requestBody: this.requestBody.take(),
      sentAt: this.#sentAt,
      receivedAt: now(),
      status: this.#head.status,
      responseHeaders: this.#head.headers,
      responseBody: isCut ? this.responseBody.takeLines() : this.responseBody.take(),
    });
  }

  /** Reports nothing of the exchange. */
  release(): void {
    this.#isOver = true;
    this.requestBody.release();
    this.responseBody.release();
  }
}
