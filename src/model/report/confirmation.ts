/** Of a request that was sent to see findings again: what judges a run sets it aside. */
export interface Confirms {
  /** The requirements of the findings. */
  findings: readonly string[];
  /** The id of the exchange whose request it is. */
  repeats: number;
  /** 1 for the plain reproduction, and more for each one after that. */
  attempt: number;
  /** What the attempt adds to the reproduction. */
  form: AttemptForm;
}

/**
 * `plain`: the reproduction alone; `after`: with what came before it in the run; `varied`: with all that rode along on the
 * request.
 */
export type AttemptForm = 'plain' | 'after' | 'varied';

/** Why what shows a finding was not sent again. */
export type NotSent =
  /** It shows between requests that go out together. */
  | 'race'
  /** It is about a record that the run removed. */
  | 'removed'
  /** It uses up the limit, which takes another window. */
  | 'limit'
  /** It shows only now and then. */
  | 'now-and-then'
  /** Requests of its operation timed out. */
  | 'timed-out'
  /** It creates something, and the run has created as much as it may. */
  | 'too-many-created'
  /** It would create or change what the run does not remove. */
  | 'writes'
  /** The limit, or what the run announced, left no room. */
  | 'no-room';

/** What came of sending what shows a violation again. */
export type Confirmation =
  | {
      /** `again`: it was seen again; `after`: only after what came before it; `not-again`: it was not seen again. */
      outcome: 'again' | 'after' | 'not-again';
      /** Ids of the exchanges that were sent, of the attempt that showed it or else of all. */
      exchanges: readonly number[];
      /** It takes all that rode along on the requests of the run. */
      isVaried?: true;
      /** Where the plain reproduction shows nothing: the ids of the exchanges that it takes, in order. */
      repeats?: readonly number[];
    }
  | { outcome: 'not-sent'; because: NotSent };
