import type { Exchange, Reason } from '../../model/exchange.ts';

/** So many refusals in a row, each in a new window, show that others use up the limit. */
const MAX_CLOSED = 3;

/** Counts the windows in a row that were used up before the target let a request of this run through. */
export class ClosedWindows {
  #inARow = 0;
  /** ms since the epoch: until when the last known window is closed. */
  #closedUntil = 0;

  /** @param closedForMs how long the window of this exchange stays closed after its response */
  received({ response, sentAt, receivedAt }: Exchange, closedForMs: number): void {
    if (!response) return;
    if (response.status !== 429) this.#inARow = 0;
    else if (sentAt >= this.#closedUntil) this.#inARow += 1;
    this.#closedUntil = receivedAt + closedForMs;
  }

  /** Why no more requests are sent with the key; undefined while they are. */
  get reason(): Reason | undefined {
    if (this.#inARow < MAX_CLOSED) return undefined;
    return {
      kind: 'limit-used-by-others',
      reason: `${MAX_CLOSED} windows in a row were used up before a request got through: others use this key`,
    };
  }
}
