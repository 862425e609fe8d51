const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Finds the end of a head that arrives in pieces. */
export class HeadEnd {
  /** Lines of the head so far. */
  lines = 0;
  /** Bytes of the current line, and the first of them. */
  #length = 0;
  #first = 0;

  /** The place in the next piece after the empty line that ends the head; undefined if the head goes on. */
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
