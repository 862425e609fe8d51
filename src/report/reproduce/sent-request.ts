import type { Exchange } from '../../model/exchange.ts';

/** A request of a run: what it takes to send it again, and what became of it. */
export interface Sent
  extends Pick<
    Exchange,
    | 'id'
    | 'probe'
    | 'operation'
    | 'address'
    | 'stage'
    | 'key'
    | 'method'
    | 'url'
    | 'requestHeaders'
    | 'requestBody'
  > {
  status?: number;
  failure?: NonNullable<Exchange['failure']>['kind'];
  /** Seconds until it was answered or given up, rounded up. */
  seconds: number;
  limit?: number;
  isEncoded: boolean;
  /** Of a refusal: what Retry-After said. */
  retryAfter?: string;
  /** Requests with the key that went to the same address, up to this one. */
  ordinal: number;
  /** Values of the answer that the interface's links take from it, by JSON Pointer. */
  values: ReadonlyMap<string, string>;
}
