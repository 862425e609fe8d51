import type { Exchange, HeaderLine } from '../../model/exchange.ts';
import { usesUpLimit } from '../../model/probe.ts';

/** An exhaustion keeps all exchanges up to this number and size (characters of responses). */
const MAX_KEPT = 2_500;
const MAX_SIZE = 16 * 1024 * 1024;

/** Beyond that it keeps at most this many exchanges, if they are notable. */
const MAX_NOTABLE = 500;

/**
 * The exchanges of a run in order. A long exhaustion is bounded in memory and in the ledger: its first exchanges are kept, and of
 * the rest only notable ones, each with the exchange that led to it.
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
   * @param isNotable whether an exchange shows something by itself, such as a violation
   * @param onKept called once for each exchange that is kept, in order
   */
  constructor(isNotable: (exchange: Exchange) => boolean, onKept: (exchange: Exchange) => void = () => {}) {
    this.#isNotable = isNotable;
    this.#onKept = onKept;
  }

  /** Returns the exchange as it is kept: with shared parts, so that what is derived from a part is derived once. */
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

/** Keeps equal parts of exchanges in memory once: most exchanges of a run are nearly the same. */
export function sharedParts(): (exchange: Exchange) => Exchange {
  const texts = new Map<string, string>();
  const lines = new Map<string, Map<string, HeaderLine>>();
  const lists = new Map<string, readonly HeaderLine[]>();
  /** The lines with a name, by value. A key of name and value would have to be built and hashed for each line. */
  const valuesOf = (name: string) => {
    const existing = lines.get(name);
    const values = existing ?? new Map<string, HeaderLine>();
    if (!existing) lines.set(name, values);
    return values;
  };
  const sameText = (text: string) => existingOr(texts, text, text);
  const sameLine = (line: HeaderLine) => existingOr(valuesOf(line[0]), line[1], line);
  const sameList = (list: readonly HeaderLine[]) => existingOr(lists, keyOf(list), list);
  return (exchange) => ({
    ...exchange,
    url: sameText(exchange.url),
    requestHeaders: sameList(exchange.requestHeaders),
    response: exchange.response && {
      ...exchange.response,
      headers: exchange.response.headers.map(sameLine),
      body: sameText(exchange.response.body),
    },
  });
}

/** A key that no other list of lines has, because no header contains a line feed. */
function keyOf(list: readonly HeaderLine[]): string {
  let key = '';
  for (const [name, value] of list) key += `${name}\n${value}\n`;
  return key;
}

/** The value of a key; if it has none, it gets this value. */
function existingOr<T>(values: Map<string, T>, key: string, value: T): T {
  const existing = values.get(key);
  if (existing === undefined) values.set(key, value);
  return existing ?? value;
}
