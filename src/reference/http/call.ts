import type { IncomingHttpHeaders } from 'node:http';
import type { Store } from '../store.ts';
import type { BigIntJson } from './json.ts';

export type OperationId = 'listPets' | 'createPet' | 'getPet' | 'getStoreOrders' | 'sendMessage';
export type KeyVerdict = 'valid' | 'missing' | 'invalid';
/** The two addresses (interface: What the service does; Message submission): base address and {api_url}. */
export type ListenerName = 'animals' | 'messages';

/** One request, read. To change it, pass on a changed copy. */
export interface Call {
  /** Counts the requests of both listeners, from 1. */
  readonly number: number;
  readonly listener: ListenerName;
  /** The n-th TCP connection, from 1, over both listeners. */
  readonly connection: number;
  /** The client's IP address. */
  readonly address: string;
  /** When the request arrived by the server's clock, skew included: milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds that the shorter window of the limiter lasts. */
  readonly minute: number;

  /** Undefined if the path (404) or the method (405) is unknown. */
  readonly operation: OperationId | undefined;
  /** The methods of the path; empty for an unknown path. */
  readonly allowed: readonly string[];
  readonly method: string;
  /** The path with the query, as it was sent, escapes included. */
  readonly target: string;
  /** Without the query, as it was sent. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The names of the header lines, in the case in which they were sent. */
  readonly headerNames: readonly string[];
  readonly key: KeyVerdict;
  /** The right key. */
  readonly rightKey: string;

  readonly bodyBytes: Buffer;
  /** Undefined if the bytes are not UTF-8. */
  readonly bodyText: string | undefined;
  /** The JSON of a createPet or sendMessage; read from `bodyText` after the request hooks. */
  readonly body: BigIntJson | undefined;
  /** Why there is no `body`. */
  readonly bodyProblem: string | undefined;

  readonly store: Store;
  /** All requests so far, this request last. */
  readonly log: readonly LogEntry[];
  /** Waits on the shared clock. Ends at once when the connection closes, or at a signal; with `Infinity`, only then. */
  readonly pause: (ms: number, until?: AbortSignal) => Promise<void>;
  /** State that a change keeps between requests, created on first use, for each running reference. */
  readonly recall: <T>(name: string, first: () => T) => T;
}

/** One request as it arrived, before any change applied. Method and path are empty if the bytes were not HTTP. */
export interface LogEntry
  extends Pick<Call, 'number' | 'listener' | 'connection' | 'operation' | 'method' | 'key'> {
  /** Milliseconds since the epoch, by the shared clock (without the server's skew). */
  readonly at: number;
  /** With the query. */
  readonly path: string;
  /** The answer's status; undefined until there is one. */
  status: number | undefined;
}

/** Letters, digits, `-`, `.`, `_` and `~` mean the same with and without an escape (RFC 3986 section 2.3). */
export const NEEDLESS_ESCAPE = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;
