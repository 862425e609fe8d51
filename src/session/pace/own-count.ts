/** Entries that are out of date before the list is cut. */
const MAX_OUTDATED = 10_000;

/** Counts the responses of a period that ends now: what a limiter may still count. */
export class OwnCount {
  readonly #periodMs: number;
  /** ms since the epoch, oldest first. */
  #answered: number[] = [];
  /** Index of the oldest that counts. */
  #oldest = 0;

  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  add(receivedAt: number): void {
    this.#answered.push(receivedAt);
  }

  at(now: number): number {
    while ((this.#answered[this.#oldest] ?? now) <= now - this.#periodMs) this.#oldest += 1;
    if (this.#oldest > MAX_OUTDATED) {
      this.#answered = this.#answered.slice(this.#oldest);
      this.#oldest = 0;
    }
    return this.#answered.length - this.#oldest;
  }

  /** When the responses of the period came that came after `from`. */
  after(from: number, now: number): readonly number[] {
    this.at(now);
    return this.#answered.slice(this.#oldest).filter((each) => each > from);
  }

  /** Responses of the last so many ms, which are no more than the period. */
  within(ms: number, now: number): number {
    return this.#answered.length - this.#firstWithin(ms, now);
  }

  /** ms until the oldest response of the last so many ms no longer counts. */
  msUntilLess(now: number, ms = this.#periodMs): number {
    return (this.#answered[this.#firstWithin(ms, now)] ?? now) + ms - now;
  }

  /** The index of the oldest response of the last so many ms. */
  #firstWithin(ms: number, now: number): number {
    return this.#answered.findLastIndex((each) => each <= now - ms) + 1;
  }
}
