/** The state of one window at one moment. Times are milliseconds since the epoch. */
export interface WindowFigures {
  limit: number;
  /** Requests that would be allowed now. */
  remaining: number;
  /** Whether part of one more is available. */
  isPartLeft?: boolean;
  /** When the next request becomes available; at `remaining` 0, the earliest time at which one is allowed. */
  nextAt: number;
  /** When all are available again, if none is sent. */
  fullAt: number;
}

/**
 * The requests counted in one window for one client. Time is passed in and never goes back. It is in
 * whole milliseconds, so that all arithmetic is exact and announced times are neither early nor late.
 */
export interface Count {
  figures(now: number): WindowFigures;
  /** Counts one request. Call it only if `remaining` is at least 1. */
  add(now: number): void;
  /** Makes a request available again that was counted then, unless it is by now. */
  giveBack?(countedAt: number): void;
}

/** Makes an empty count: `limit` requests in `windowMs` milliseconds. */
export type Algorithm = (limit: number, windowMs: number) => Count;
