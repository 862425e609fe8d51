import { isStream, MAX_STREAM } from '../../session/http/decode.ts';
import { type FlatLines, hasLine, pairsOf } from './end-to-end.ts';
import { BodyCopy, type Passed, type SharedMemory } from './passed.ts';

/** ms since the epoch, with fractions. */
const now = () => performance.timeOrigin + performance.now();

/** Sees one exchange pass, and says what it saw once it is complete. */
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

  /** There will be no complete response. What came of a stream is passed on nevertheless: then it returns true. */
  breakOff(): boolean {
    if (this.#isStream) this.#pass(true);
    else this.release();
    return this.#isStream;
  }

  /** @param isCut whether the response is the beginning of a stream */
  #pass(isCut: boolean): void {
    if (!this.#head || this.#isOver) return;
    this.#isOver = true;
    // The beginning of what is compressed says nothing.
    if (isCut && hasLine(this.#head.headers, 'content-encoding')) this.responseBody.release();
    const { method, url, headers } = this.#request;
    // A target may respond before it has the whole request: what it has not read is not judged.
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

  /** Nothing of it is judged. */
  release(): void {
    this.#isOver = true;
    this.requestBody.release();
    this.responseBody.release();
  }
}
