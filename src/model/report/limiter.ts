import type { Address } from '../contract.ts';
import type { Window } from '../limits/rate-plan.ts';

/** The Remaining that a model leaves after an exchange, as a range of whole numbers. */
export interface ExpectedRemaining {
  exchange: number;
  from: number;
  to: number;
}

/** The first exchange that the nearest honest limiter does not explain, and what it would have sent instead. */
export interface LimiterExclusion {
  exchange: number;
  /** What is wrong with it: it was let through, it was refused, or a header has another value. */
  kind: 'let-through' | 'refused' | 'remaining' | 'reset';
  /** Requests left; for `reset`, a Unix timestamp in seconds. */
  from: number;
  to: number;
}

/** One window of a count, and the honest limiter that explains it or comes nearest. */
export interface LimiterResult {
  window: Window;
  limit: number;
  /** The address or the operation, if all requests have the same. */
  address?: Address | undefined;
  operation?: string | undefined;
  /** The name of the honest limiter. */
  model: string;
  /** Whether it explains everything that was observed. False without `excludedBy` if the search took too long. */
  explained: boolean;
  /** The Remaining after each exchange that it explains, in the order in which it counted them. */
  expected: readonly ExpectedRemaining[];
  excludedBy?: LimiterExclusion | undefined;
}
