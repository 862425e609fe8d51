import type { Exchange, Reason } from '../../model/exchange.ts';

/** After this many timeouts petspec sends no more requests to an operation. */
const MAX_TIMEOUTS = 2;

/** After so many in all, no second one is waited for: an operation is given up after its first. */
const MAX_IN_ALL = 5;

/** Counts the timeouts of each operation, and gives up those that time out repeatedly. */
export class Timeouts {
  readonly #byOperation = new Map<string, Exchange[]>();
  #inAll = 0;

  received(exchange: Exchange): void {
    if (exchange.failure?.kind !== 'timeout') return;
    const { operation } = exchange;
    this.#inAll += 1;
    this.#byOperation.set(operation, [...(this.#byOperation.get(operation) ?? []), exchange]);
  }

  /** Why nothing more is sent to an operation; undefined while it is not given up. */
  reasonFor(operation: string): Reason | undefined {
    const [first, ...others] = this.#byOperation.get(operation) ?? [];
    const times = others.length + 1;
    if (!first || (times < MAX_TIMEOUTS && this.#inAll < MAX_IN_ALL)) return undefined;
    return {
      kind: 'operation-timed-out',
      reason: `${operation} timed out ${times === 1 ? 'once, as others did' : `${times} times`}; petspec skips its remaining requests`,
      cause: first.probe,
    };
  }
}
