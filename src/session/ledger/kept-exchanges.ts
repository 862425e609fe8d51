import type { Exchange } from '../../model/exchange.ts';
import { usesUpLimit } from '../../model/probe.ts';
import { sharedParts } from './shared-parts.ts';

/** An exhaustion keeps all exchanges up to this number and size (characters of their responses). */
const MAX_KEPT = 2_500;
const MAX_SIZE = 16 * 1024 * 1024;

/** Beyond that it keeps at most this many exchanges, those that show something by themselves. */
const MAX_NOTABLE = 500;

/**
 * The exchanges of a run in order. Those of a long exhaustion are bounded in memory and in the ledger: the first of them
 * are kept, and of the rest only those that show something by themselves, each with the exchange before it, which shows
 * what led to it.
 */
export class KeptExchanges {
  readonly all: Exchange[] = [];
  readonly #isNotable: (exchange: Exchange) => boolean;
  readonly #onKept: (exchange: Exchange) => void;
  readonly #shared = sharedParts();
  #kept = 0;
  #size = 0;
  #notable = 0;
  #hasRefusal = false;
  /** The last of `all`, unless it is kept. */
  #passing: Exchange | undefined;

  /**
   * @param isNotable whether an exchange shows something by itself
   * @param onKept called once for each exchange that is kept, in order
   */
  constructor(isNotable: (exchange: Exchange) => boolean, onKept: (exchange: Exchange) => void = () => {}) {
    this.#isNotable = isNotable;
    this.#onKept = onKept;
  }

  /** Returns the exchange as it is kept: what is derived from its parts later is derived once. */
  add(exchange: Exchange): Exchange {
    const isStaying = this.#stays(exchange);
    if (this.#passing && isStaying) this.#keep(this.#passing);
    else if (this.#passing) this.all.pop();
    const stored = isStaying ? this.#shared(exchange) : exchange;
    this.#passing = isStaying ? undefined : stored;
    this.all.push(stored);
    if (isStaying) this.#keep(stored);
    return stored;
  }

  /** Nothing more is added: keeps the last exchange. */
  close(): void {
    if (this.#passing) this.#keep(this.#passing);
    this.#passing = undefined;
  }

  #stays(exchange: Exchange): boolean {
    if (!usesUpLimit(exchange.stage)) return true;
    if (this.#kept < MAX_KEPT && this.#size < MAX_SIZE) {
      this.#kept += 1;
      return true;
    }
    const isFirstRefusal = exchange.response?.status === 429 && !this.#hasRefusal;
    if (isFirstRefusal) return true;
    const isFull = this.#notable >= MAX_NOTABLE || this.#size >= 2 * MAX_SIZE;
    if (isFull || !this.#isNotable(exchange)) return false;
    this.#notable += 1;
    return true;
  }

  #keep(exchange: Exchange): void {
    this.#hasRefusal ||= exchange.response?.status === 429;
    if (usesUpLimit(exchange.stage)) this.#size += sizeOf(exchange);
    this.#onKept(exchange);
  }
}

function sizeOf({ response }: Exchange): number {
  const headers = response?.headers ?? [];
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, response?.body.length ?? 0);
}
