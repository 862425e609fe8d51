/** Requests of a run, by what they cost: with the key at the base address, with wrong keys there, at the message address. */
export interface RequestCounts {
  withKey: number;
  wrongKeys: number;
  messages: number;
}

/** What a run never exceeds, whatever its target answers: announced before the first request. */
export interface Most extends RequestCounts {
  /** From the first request to the last answer. */
  seconds: number;
}
