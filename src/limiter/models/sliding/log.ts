import type { Span } from '../span.ts';

/** A request that counts: when it was let through, and what it takes. */
export interface CountedRequest {
  at: Span;
  weight: number;
}

/** The requests that count, in the order in which they were counted. Logs that differ by later requests share the others. */
export class Log {
  /** May go on with entries of a log that was made from this one. */
  readonly #shared: CountedRequest[];
  readonly length: number;
  /** What they take together. */
  readonly used: number;

  constructor(shared: CountedRequest[] = [], length = 0, used = 0) {
    this.#shared = shared;
    this.length = length;
    this.used = used;
  }

  get first(): CountedRequest | undefined {
    return this.length > 0 ? this.#shared[0] : undefined;
  }

  get last(): CountedRequest | undefined {
    return this.#shared[this.length - 1];
  }

  /** The log with later requests. */
  with(later: readonly CountedRequest[]): Log {
    if (later.length === 0) return this;
    const isLatest = this.#shared.length === this.length;
    const shared = isLatest ? this.#shared : this.#shared.slice(0, this.length);
    shared.push(...later);
    return new Log(shared, shared.length, this.used + weightOf(later));
  }

  /** The log with only some of the requests. */
  only(isWanted: (entry: CountedRequest) => boolean): Log {
    const entries = this.filter(isWanted);
    if (entries.length === this.length) return this;
    return new Log(entries, entries.length, weightOf(entries));
  }

  filter(isWanted: (entry: CountedRequest) => boolean): CountedRequest[] {
    return this.#shared.slice(0, this.length).filter(isWanted);
  }

  find(isWanted: (entry: CountedRequest) => boolean): CountedRequest | undefined {
    const index = this.#shared.findIndex((entry, at) => at >= this.length || isWanted(entry));
    return index < this.length ? this.#shared[index] : undefined;
  }
}

function weightOf(entries: readonly CountedRequest[]): number {
  let sum = 0;
  for (const { weight } of entries) sum += weight;
  return sum;
}
