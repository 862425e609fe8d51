import type { Address } from '../contract.ts';
import type { Window } from '../rate-plan.ts';

/** How many requests are left after an exchange, as a whole number that Remaining would say, or a range of them. */
export interface ExpectedRemaining {
  exchange: number;
  from: number;
  to: number;
}

/** The first exchange that the nearest honest limiter does not explain, and what it would have said instead. */
export interface LimiterExclusion {
  exchange: number;
  /** What is wrong with it: it was let through, it was refused, or a header has another value. */
  kind: 'let-through' | 'refused' | 'remaining' | 'reset';
  /** Requests left; for `reset`, a Unix timestamp in seconds. */
  from: number;
  to: number;
}

/** One window of one count, and the honest limiter that explains it, or comes nearest. */
export interface LimiterResult {
  window: Window;
  limit: number;
  /** The address or the operation of its requests, if all have the same. */
  address?: Address | undefined;
  operation?: string | undefined;
  /** The name of the honest limiter. */
  model: string;
  /**
   * Whether it explains everything that was observed. If not, it is the one that explains the most, and without `excludedBy`
   * that took too long to decide.
   */
  explained: boolean;
  /** What it leaves after each exchange that it explains, in the order in which it counted them. */
  expected: readonly ExpectedRemaining[];
  excludedBy?: LimiterExclusion | undefined;
}
