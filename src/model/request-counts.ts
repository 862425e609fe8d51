/** Requests of a run: with the key at the base address, with wrong keys there, and at the message address. */
export interface RequestCounts {
  withKey: number;
  wrongKeys: number;
  messages: number;
}

/** What a run never exceeds, whatever its target does; announced before the first request. */
export interface Most extends RequestCounts {
  /** From the first request to the last response. */
  seconds: number;
}

/** Requests beyond the limit in an exhaustion: one that is refused, and one that shows the recovery. */
export const BEYOND_LIMIT = 2;

/** Why a run ended before it had sent what it announced for the window after the recovery: the limiter gave back too little. */
export interface NoRoom {
  /** The requests that found room. */
  sent: number;
  /** Ids of the others, in the order in which they would have been sent. */
  unsent: readonly string[];
}
