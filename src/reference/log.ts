import type { KeyVerdict, ListenerName, OperationId } from './call.ts';

/** One request that arrived, as it arrived: before any deviation looked at it. */
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
