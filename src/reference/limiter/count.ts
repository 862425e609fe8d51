/** What one window says at one moment. Times are milliseconds since the epoch. */
export interface Figures {
  limit: number;
  /** Requests that would be let through now. */
  remaining: number;
  /** When the next request comes back; at `remaining` 0, the earliest moment that lets one through. */
  nextAt: number;
  /** When all are back, if none is sent. */
  fullAt: number;
}

/**
 * The requests counted in one window for one client. Time is passed in and never goes back; it is whole
 * milliseconds, so that all arithmetic is exact and a promised moment is neither early nor late.
 */
export interface Count {
  figures(now: number): Figures;
  /** Counts one request; only where `remaining` is at least 1. */
  add(now: number): void;
}

/** Makes an empty count: `limit` requests in `windowMs` milliseconds. */
export type Algorithm = (limit: number, windowMs: number) => Count;
