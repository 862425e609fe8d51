/** Marks a request that was sent to confirm findings. It is not judged with the run. */
export interface Confirms {
  /** The requirements of the findings. */
  findings: readonly string[];
  /** The id of the exchange whose request it is. */
  repeats: number;
  /** 1 for the plain reproduction, then counted up. */
  attempt: number;
  /** What the attempt adds to the reproduction. */
  form: AttemptForm;
}

/** `plain`: the reproduction alone; `after`: with the requests before it in the run; `varied`: with all variations of the request. */
export type AttemptForm = 'plain' | 'after' | 'varied';

/** Why the requests of a finding were not sent again. */
export type NotSent =
  /** Only requests that are sent together show it. */
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
  /** It would create or change something that the run does not remove. */
  | 'writes'
  /** The limit, or the announced maximum, was used up. */
  | 'no-room';

/** The result of sending the requests of a violation again. */
export type Confirmation =
  | {
      /** `again`: it was seen again; `after`: only after the requests before it; `not-again`: it was not seen again. */
      outcome: 'again' | 'after' | 'not-again';
      /** Ids of the exchanges of the attempt that showed it, else of all attempts. */
      exchanges: readonly number[];
      /** It takes all variations of the requests. */
      isVaried?: true;
      /** If the plain reproduction does not show it: the ids of the exchanges to repeat, in order. */
      repeats?: readonly number[];
    }
  | { outcome: 'not-sent'; because: NotSent };
