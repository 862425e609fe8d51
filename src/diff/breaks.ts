import { type Exchange, headerValue } from '../model/exchange.ts';
import { clip } from '../model/visible.ts';

/** Why an exchange that conforms to the older version breaks with the newer one. */
type BreakKind =
  /** The response violates a requirement. */
  | 'response'
  /** The request is not valid any more. */
  | 'request'
  /** The newer version has no such operation. */
  | 'gone'
  /** The operation may be gone on the date of the newer version. */
  | 'removed';

/** A break: what the newer version expects, and what the exchange has. */
export interface Broken {
  kind: BreakKind;
  /** A requirement, or the method and path of an operation. */
  what: string;
  reason: string;
  /** Both absent if the operation is gone or removed. */
  expected?: string | undefined;
  received?: string | undefined;
}

/** An exchange that shows a break. */
interface BrokenExchange {
  /** Its position in the recording, from 1. */
  entry: number;
  method: string;
  url: string;
  status: number | undefined;
  received?: string | undefined;
}

/** A break with the exchanges and the clients that show it. */
export interface Break extends Omit<Broken, 'received'> {
  count: number;
  /** The first ones, at most MAX_EXCHANGES. */
  exchanges: readonly BrokenExchange[];
  /** The number of exchanges of each client. */
  clients: readonly { client: string; exchanges: number }[];
}

/** Limits for each break: recordings have any length, and a client may send a new User-Agent with every request. */
const MAX_EXCHANGES = 20;
const MAX_CLIENTS = 100;
const MAX_TEXT = 300;

function clipped(text: string | undefined): string | undefined {
  return text === undefined ? undefined : clip(text, MAX_TEXT);
}

/** The client name of exchanges without a User-Agent. */
export const UNNAMED = 'without a User-Agent';

/** The client of an exchange: its User-Agent. */
export function clientOf({ requestHeaders }: Pick<Exchange, 'requestHeaders'>): string {
  const agent = headerValue(requestHeaders, 'User-Agent')?.trim();
  return agent === undefined || agent === '' ? UNNAMED : clip(agent, MAX_TEXT);
}

/** Collects breaks; those of one exchange are added in a row. Memory grows with requirements and operations only. */
export class Breaks {
  readonly #breaks = new Map<
    string,
    { first: Broken; exchanges: BrokenExchange[]; count: number; last?: number }
  >();
  readonly #clients = new Map<string, Map<string, number>>();

  add(broken: Broken, entry: number, exchange: Exchange): void {
    const key = `${broken.kind} ${broken.what}`;
    const collected = this.#breaks.get(key) ?? { first: broken, exchanges: [], count: 0 };
    this.#breaks.set(key, collected);
    if (collected.last === entry) return;
    collected.last = entry;
    collected.count += 1;
    if (collected.exchanges.length < MAX_EXCHANGES) {
      const { method, url, response } = exchange;
      collected.exchanges.push({
        entry,
        method,
        url: clip(url, MAX_TEXT),
        status: response?.status,
        received: clipped(broken.received),
      });
    }
    const clients = this.#clients.get(key) ?? new Map<string, number>();
    this.#clients.set(key, clients);
    const client = clientOf(exchange);
    if (clients.has(client) || clients.size < MAX_CLIENTS)
      clients.set(client, (clients.get(client) ?? 0) + 1);
  }

  /** In the order of their first exchange; clients with the most exchanges first. */
  result(): Break[] {
    return [...this.#breaks].map(([key, { first, exchanges, count: total }]) => {
      const { kind, what, reason, expected } = first;
      const clients = [...(this.#clients.get(key) ?? [])].sort(([, left], [, right]) => right - left);
      return {
        kind,
        what,
        reason: clip(reason, MAX_TEXT),
        expected: clipped(expected),
        count: total,
        exchanges,
        clients: clients.map(([client, count]) => ({ client, exchanges: count })),
      };
    });
  }
}
