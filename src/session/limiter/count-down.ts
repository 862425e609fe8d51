/** Follows Remaining while requests use it up, and tells whether each takes exactly one off. */
export class CountDown {
  /** Remaining before the requests that are followed; undefined until a request that goes alone shows it. */
  #from: number | undefined;
  #sent = 0;
  #received = 0;

  /** Whether the next response can tell whether its request took one off. */
  get isKnown(): boolean {
    return this.#from !== undefined;
  }

  /** Whether no request is in flight. */
  get isQuiet(): boolean {
    return this.#sent === this.#received;
  }

  /** A request is about to be sent. Returns the first place in which the limiter may count it. */
  sending(): number {
    this.#sent += 1;
    return this.#received + 1;
  }

  /** It was not sent after all. */
  unsent(): void {
    this.#sent -= 1;
  }

  /**
   * Whether Remaining is what it should be if every request took one off, in whichever order simultaneous ones were
   * counted. Undefined if that is not known.
   * @param place the first place in which it may have been counted
   */
  received(place: number, remaining: number | undefined): boolean | undefined {
    this.#received += 1;
    if (this.#from === undefined || remaining === undefined) return undefined;
    const taken = this.#from - remaining;
    return taken >= place && taken <= this.#sent;
  }

  /** Begins anew: from what the last response says, if no other request is in flight. */
  begin(remaining: number | undefined): void {
    this.#from = this.isQuiet ? remaining : undefined;
    this.#sent -= this.#received;
    this.#received = 0;
  }
}
