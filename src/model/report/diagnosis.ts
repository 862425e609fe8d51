/** The ways in which every request can fail. */
export type SameFailureKind = 'transport' | 'redirect' | 'status' | 'page';

/** Why every operation fails in the same way, and the findings that follow from it. */
export interface RootCause {
  /** `headers`: the same required headers are absent everywhere. */
  kind: SameFailureKind | 'headers';
  statement: string;
  /** The first line of the body with words. */
  firstLine?: string | undefined;
  /** Ids of the first exchange of each operation that shows it. */
  evidence: readonly number[];
  /** Ids of the requirements whose findings follow from it. */
  requirements: readonly string[];
}

/** The addresses of a target, as the user gives them. */
export interface StatedAddresses {
  baseUrl: string;
  apiUrl?: string | undefined;
}

/** Something that may be wrong with the addresses of a target, if no response looks like the service's; with a cache; or with the key. */
export interface Hint {
  kind:
    | 'operation-path'
    | 'base-path'
    | 'swapped'
    | 'moved'
    | 'login'
    | 'unavailable'
    | 'gateway'
    | 'elsewhere'
    | 'other-base'
    | 'cache'
    | 'key-shown';
  text: string;
  /** The addresses to try instead. */
  instead?: StatedAddresses;
  /** The other options of the run, as arguments of its command line. */
  options?: readonly string[];
  /** Names of the headers that the user adds to every request. */
  headers?: readonly string[];
}
