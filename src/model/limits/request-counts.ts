/** Requests of a run: to the base address with the key and with wrong keys, and to the message address. */
export interface RequestCounts {
  withKey: number;
  wrongKeys: number;
  messages: number;
}

/** The maximum of a run, announced before the first request. The run never exceeds it, whatever its target does. */
export interface Most extends RequestCounts {
  /** From the first request to the last response. */
  seconds: number;
}

/** Requests beyond the limit in an exhaustion: the refused one, and the one that shows the recovery. */
export const BEYOND_LIMIT = 2;

/** A run could not send all announced requests in the window after the recovery: the limiter gave back too little. */
export interface NoRoom {
  /** How many of these requests were sent. */
  sent: number;
  /** Ids of the requests that were not, in order. */
  unsent: readonly string[];
}
