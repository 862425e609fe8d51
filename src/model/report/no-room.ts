/** Why a run ended before it had sent what it announced for the window after the recovery: the limiter gave back too little. */
export interface NoRoom {
  /** The requests that found room. */
  sent: number;
  /** Ids of the others, in the order in which they would have been sent. */
  unsent: readonly string[];
}
