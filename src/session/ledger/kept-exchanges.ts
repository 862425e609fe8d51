import type { Exchange } from '../../model/exchange.ts';
import { usesUpLimit } from '../../model/probe.ts';
import { sharedParts } from './shared-parts.ts';

/** An exhaustion keeps all exchanges up to this number and size (characters of their responses). */
const MAX_KEPT = 2_500;
const MAX_SIZE = 16 * 1024 * 1024;

/** Beyond that it keeps at most this many exchanges, those that show something by themselves. */
const MAX_NOTABLE = 500;

export type KeptExchanges = ReturnType<typeof keepExchanges>;

/**
 * The exchanges of a run in order. Those of a long exhaustion are bounded in memory and in the ledger: the first of them
 * are kept, and of the rest only those that show something by themselves, each with the exchange before it, which shows
 * what led to it.
 * @param isNotable whether an exchange shows something by itself
 * @param onKept called once for each exchange that is kept, in order
 */
export function keepExchanges(
  isNotable: (exchange: Exchange) => boolean,
  onKept: (exchange: Exchange) => void = () => {},
) {
  const all: Exchange[] = [];
  const shared = sharedParts();
  let kept = 0;
  let size = 0;
  let notable = 0;
  let hasRefusal = false;
  /** The last of `all`, unless it is kept. */
  let passing: Exchange | undefined;

  function stays(exchange: Exchange): boolean {
    if (!usesUpLimit(exchange.stage)) return true;
    const isFirstRefusal = exchange.response?.status === 429 && !hasRefusal;
    if (kept < MAX_KEPT && size < MAX_SIZE) {
      kept += 1;
      return true;
    }
    if (isFirstRefusal) return true;
    if (notable >= MAX_NOTABLE || size >= 2 * MAX_SIZE || !isNotable(exchange)) return false;
    notable += 1;
    return true;
  }

  function keep(exchange: Exchange): void {
    hasRefusal ||= exchange.response?.status === 429;
    if (usesUpLimit(exchange.stage)) size += sizeOf(exchange);
    onKept(exchange);
  }

  return {
    all,
    /** Returns the exchange as it is kept: what is derived from its parts later is derived once. */
    add(exchange: Exchange): Exchange {
      const isStaying = stays(exchange);
      if (passing && isStaying) keep(passing);
      else if (passing) all.pop();
      const stored = isStaying ? shared(exchange) : exchange;
      passing = isStaying ? undefined : stored;
      all.push(stored);
      if (isStaying) keep(stored);
      return stored;
    },
    /** Nothing more is added: keeps the last exchange. */
    close(): void {
      if (passing) keep(passing);
      passing = undefined;
    },
  };
}

function sizeOf({ response }: Exchange): number {
  const headers = response?.headers ?? [];
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, response?.body.length ?? 0);
}
