import { MAX_BODY } from '../../session/http/bounds.ts';
import { wholeLines } from '../../session/http/decode.ts';
import type { FlatLines } from './end-to-end.ts';

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

  /** The body. Its room stays taken until somebody releases so many bytes. */
  take(): PassedBody {
    if (!this.#isWhole) return { size: this.#size };
    const [only, ...others] = this.#chunks;
    const bytes = others.length === 0 ? only : Buffer.concat(this.#chunks);
    return { bytes: bytes?.toString('latin1') ?? '', size: this.#size };
  }

  /** What came until now, up to its last whole line, and nothing after it. */
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

/** The room that bodies take up from when they pass. */
export function bodyBytesIn({ requestBody, responseBody }: Passed): number {
  return (requestBody.bytes?.length ?? 0) + (responseBody.bytes?.length ?? 0);
}

function headBytesIn({ url, requestHeaders, responseHeaders }: Passed): number {
  return [...requestHeaders, ...responseHeaders].reduce((sum, each) => sum + each.length, url.length);
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
