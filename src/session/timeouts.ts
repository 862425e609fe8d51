import type { Exchange, Reason } from '../model/exchange.ts';

/** After this many timeouts petspec sends no more requests to an operation. */
const MAX_TIMEOUTS = 2;

/** Counts the timeouts of each operation, and gives up those that time out repeatedly. */
export class Timeouts {
  readonly #byOperation = new Map<string, Exchange[]>();

  received(exchange: Exchange): void {
    if (exchange.failure?.kind !== 'timeout') return;
    const { operation } = exchange;
    this.#byOperation.set(operation, [...(this.#byOperation.get(operation) ?? []), exchange]);
  }

  /** Why nothing more is sent to an operation; undefined while it is not given up. */
  reasonFor(operation: string): Reason | undefined {
    const [first, ...others] = this.#byOperation.get(operation) ?? [];
    if (!first || others.length + 1 < MAX_TIMEOUTS) return undefined;
    return {
      kind: 'operation-timed-out',
      reason: `${operation} timed out ${MAX_TIMEOUTS} times; petspec skips its remaining requests`,
      cause: first.probe,
    };
  }
}
