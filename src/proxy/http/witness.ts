import type { FlatLines } from './end-to-end.ts';
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
  }

  /** The response is complete. */
  end(): void {
    if (!this.#head) return;
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
      responseBody: this.responseBody.take(),
    });
  }

  /** There will be no complete response. */
  release(): void {
    this.requestBody.release();
    this.responseBody.release();
  }
}
