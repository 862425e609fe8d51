import type { Exchange } from '../../model/exchange.ts';

/** A request of a run: what is needed to send it again, and its outcome. */
export interface SentRequest
  extends Omit<Exchange, 'response' | 'failure' | 'sentAt' | 'receivedAt' | 'rate' | 'inFlight'> {
  status?: number;
  failure?: NonNullable<Exchange['failure']>['kind'];
  /** Seconds until its response or failure, rounded up. */
  seconds: number;
  limit?: number;
  isEncoded: boolean;
  /** The Retry-After header of the response. */
  retryAfter?: string;
  /** Its number among the requests with the key to the same address. */
  ordinal: number;
  /** The values that links of the interface take from its response, by JSON Pointer. */
  values: ReadonlyMap<string, string>;
}
