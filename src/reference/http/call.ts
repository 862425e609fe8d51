import type { IncomingHttpHeaders } from 'node:http';
import type { Store } from '../store.ts';
import type { Json } from './json.ts';

export type OperationId = 'listPets' | 'createPet' | 'getPet' | 'getStoreOrders' | 'sendMessage';
export type KeyVerdict = 'valid' | 'missing' | 'invalid';
/** The two addresses (interface: What the service does; Message submission): base address and {api_url}. */
export type ListenerName = 'animals' | 'messages';

/** One request, read. Data in, data out: whoever wants another one passes on a changed copy. */
export interface Call {
  /** Counts the requests of both listeners, from 1. */
  readonly number: number;
  readonly listener: ListenerName;
  /** The n-th TCP connection, from 1, over both listeners. */
  readonly connection: number;
  /** The client's IP address. */
  readonly address: string;
  /** The server's own time at arrival, clock skew included: milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds that the shorter window of the limiter lasts. */
  readonly minute: number;

  /** Undefined where the path is unknown (404) or the method is (405). */
  readonly operation: OperationId | undefined;
  /** The methods that the path knows; empty where the path is unknown. */
  readonly allowed: readonly string[];
  readonly method: string;
  /** Without the query, as it was sent. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly key: KeyVerdict;
  /** The key that is right. */
  readonly rightKey: string;

  readonly bodyBytes: Buffer;
  /** Undefined where the bytes are no UTF-8. */
  readonly bodyText: string | undefined;
  /** The JSON of a createPet or sendMessage; read from `bodyText` after the request hooks. */
  readonly body: Json | undefined;
  /** Why there is no `body`. */
  readonly bodyProblem: string | undefined;

  readonly store: Store;
  /** All requests so far, this one last. */
  readonly log: readonly LogEntry[];
  /** Waits on the shared clock; ends at once when the connection closes. `Infinity` never answers. */
  readonly pause: (ms: number) => Promise<void>;
  /** What a change remembers between requests: made at its first use, one for each running reference. */
  readonly recall: <T>(name: string, first: () => T) => T;
}

/** One request that arrived, as it arrived: before any change looked at it. */
export interface LogEntry {
  readonly number: number;
  /** Milliseconds since the epoch, by the shared clock (without the server's skew). */
  readonly at: number;
  readonly listener: ListenerName;
  readonly connection: number;
  readonly operation: OperationId | undefined;
  /** Empty where what arrived was no HTTP. */
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly key: KeyVerdict;
  /** The answer's status; undefined until there is one. */
  status: number | undefined;
}
