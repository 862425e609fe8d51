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

  get isEmpty(): boolean {
    return this.#answered.length === 0;
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

  /** ms until the oldest response no longer counts. */
  msUntilLess(now: number): number {
    return (this.#answered[this.#oldest] ?? now) + this.#periodMs - now;
  }
}
